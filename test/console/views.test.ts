/** Saved views in the console: saved, opened, changed, shared, renamed and deleted, through the queue of changes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
  for (const [title, edition] of [
    ['Emma', 'First'],
    ['Persuasion', 'Second'],
    ['Sanditon', 'First'],
  ])
    await create(console.server, '/v1/books', { title, edition });
});
after(() => console.close());

async function join(role: 'EDITOR' | 'VIEWER'): Promise<{ readonly id: string; readonly token: string }> {
  const id = await createMember(console.server.database.worker, console.server.organization, role);
  const { token } = await createToken(console.server.database.worker, console.server.organization, id);
  return { id, token };
}

async function makeView(body: object, token = console.server.token): Promise<Json> {
  const { status, json, text } = await console.server.call('POST', '/v1/views', { token, body });
  assert.equal(status, 201, text);
  return json;
}

const menu = (page: Page) => page.getByRole('button', { name: /^View/ }).first();
const choose = async (page: Page, name: string | RegExp) => {
  await menu(page).click();
  await page.getByRole('menuitem', { name }).click();
};
const openSaved = async (page: Page, name: string) => {
  await menu(page).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
  await page.getByRole('button', { name: `View: ${name}` }).waitFor();
};
const queryOf = (page: Page) => new URL(page.url()).searchParams;

test('a view is saved, shown after a reload, changed, reset and saved again', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books?search=em&sort=title');
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  await menu(page).click();
  await page.getByText('No views yet').waitFor();
  await checkAccessibility('no views');
  await page.getByRole('menuitem', { name: 'Save as new view' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('A view needs a name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Em');
  await checkAccessibility('new view');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Em' }).waitFor();
  const id = queryOf(page).get('view') ?? '';
  const stored = await console.server.call('GET', `/v1/views/${id}`);
  assert.deepEqual(
    [stored.json.name, stored.json.resource, stored.json.query, stored.json.columns, stored.json.shared],
    ['Em', 'books', 'search=em&sort=title', [], false],
  );
  await page.reload();
  await page.getByRole('button', { name: 'View: Em' }).waitFor();
  assert.equal(await page.getByText('unsaved changes').count(), 0);

  await page.getByRole('searchbox').fill('per');
  await page.getByText('“Em” has unsaved changes.').waitFor();
  await page.getByRole('link', { name: 'Persuasion' }).waitFor();
  await checkAccessibility('changed view');
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('“Em” has unsaved changes.').waitFor({ state: 'detached' });
  assert.equal(queryOf(page).get('search'), 'em');
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Edition' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('san');
  await page.getByRole('link', { name: 'Sanditon' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('View saved.').waitFor();
  await page.getByText('“Em” has unsaved changes.').waitFor({ state: 'detached' });
  const { json } = await console.server.call('GET', `/v1/views/${id}`);
  assert.equal(json.version, 2);
  assert.equal(json.query, 'search=san&sort=title');
  assert.ok(json.columns.includes('edition'));

  await choose(page, 'List without a view');
  await page.getByRole('link', { name: 'Persuasion' }).waitFor();
  assert.equal(new URL(page.url()).search, '');
  await openSaved(page, 'Em');
  await page.getByRole('columnheader', { name: 'Edition' }).waitFor();
  await page.getByRole('link', { name: 'Persuasion' }).waitFor({ state: 'detached' });
  checkFaults();
});

test('a colleague sees what is shared and not what is private, and may not change what is not theirs', async () => {
  const editor = await join('EDITOR');
  const shared = await makeView({ name: 'For all', resource: 'books', query: 'search=emma', shared: true });
  await makeView({ name: 'For me', resource: 'books', query: 'search=per' });
  await makeView({ name: 'Theirs', resource: 'books' }, editor.token);
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(editor.id);
  await open('/books');
  await menu(page).click();
  await page.getByRole('menuitemradio', { name: 'For all' }).waitFor();
  assert.deepEqual(await page.getByRole('menuitemradio').allTextContents(), ['Theirs', 'For all']);
  await checkAccessibility('views');
  await page.getByRole('menuitemradio', { name: 'For all' }).click();
  await page.getByRole('button', { name: 'View: For all' }).waitFor();
  await menu(page).click();
  const refused = page.getByRole('menuitem', { name: 'Name and sharing' });
  assert.match(await refused.innerText(), /Only its owner and administrators/);
  assert.equal(await refused.getAttribute('aria-disabled'), 'true');
  await checkAccessibility('view of somebody else');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('san');
  await page.getByText('“For all” has unsaved changes.').waitFor();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  assert.equal(await save.getAttribute('aria-disabled'), 'true');
  await page.getByRole('button', { name: 'Save as new view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Theirs');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('A view with this name already exists.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine of it');
  await page.getByRole('checkbox', { name: 'Share with everyone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'View: Mine of it' }).waitFor();
  const mine = await console.server.call('GET', `/v1/views/${queryOf(page).get('view')}`);
  assert.deepEqual([mine.json.query, mine.json.shared], ['search=san', true]);
  assert.equal((await console.server.call('GET', `/v1/views/${shared.id}`)).json.version, 1);
  checkFaults();
});

test('who may not share is told why', async () => {
  const viewer = await join('VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer.id);
  await open('/books?search=emma');
  await choose(page, 'Save as new view');
  await page.getByText('Sharing requires a role that can publish views.').waitFor();
  assert.equal(await page.getByRole('checkbox', { name: 'Share with everyone' }).isDisabled(), true);
  await checkAccessibility('sharing refused');
  await page.getByRole('textbox', { name: 'Name' }).fill('Just mine');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Just mine' }).waitFor();
  checkFaults();
});

test('a view is renamed and deleted, its link is copied, and the palette finds it', async () => {
  const { page, open, context, checkFaults } = await console.openAs(console.server.ownerId);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const view = await makeView({ name: 'Moving', resource: 'books', query: 'search=persuasion' });
  await open('/');
  await page.getByRole('link', { name: 'Books' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('movin');
  await page.getByRole('option', { name: 'Moving' }).click();
  await page.getByRole('button', { name: 'View: Moving' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/console/books');
  await page.getByRole('link', { name: 'Persuasion' }).waitFor();
  await choose(page, 'Name and sharing');
  await page.getByRole('textbox', { name: 'Name' }).fill('Moved');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Moved' }).waitFor();
  await choose(page, 'Copy link');
  await page.getByText('Link copied.').waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(link, `${console.origin}/console/views/${view.id}`);
  await page.goto(link);
  await page.getByRole('button', { name: 'View: Moved' }).waitFor();
  await choose(page, /^Delete/);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Views' }).waitFor();
  assert.equal(new URL(page.url()).search, '');
  assert.equal((await console.server.call('GET', `/v1/views/${view.id}`)).status, 404);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Record not found' }).waitFor();
  await open(`/books?view=${view.id}&search=emma`);
  await page.getByText('This view was deleted, or you do not have access to it').waitFor();
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  assert.equal(new URL(page.url()).search, '?search=emma');
  checkFaults();
});

test('a view with a filter that its list no longer has shows the rest, and says what is left out', async () => {
  const view = await makeView({ name: 'Of old', resource: 'books', query: 'search=emma' });
  const admin = new pg.Client({ connectionString: console.server.database.adminUrl });
  await admin.connect();
  try {
    await admin.query(`UPDATE trellis.views SET query = 'mood=GOOD&search=emma' WHERE name = 'Of old'`);
  } finally {
    await admin.end();
  }
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/views/${view.id}`);
  await page.getByText('“Of old” refers to fields that no longer exist. They are ignored: mood.').waitFor();
  await page.getByRole('link', { name: 'Emma' }).waitFor();
  assert.equal(queryOf(page).get('mood'), null);
  await checkAccessibility('left out');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('View saved.').waitFor();
  await page.getByText('They are ignored').waitFor({ state: 'detached' });
  assert.equal((await console.server.call('GET', `/v1/views/${view.id}`)).json.query, 'search=emma');
  checkFaults();
});

test('a view of what is below a parent is opened below the one that was used last', async () => {
  const site = await create(console.server, '/v1/sites', { name: 'Museum', key: 'museum' });
  await create(console.server, `/v1/sites/${site.id}/tags`, { name: 'Security' });
  const view = await makeView({ name: 'Secure', resource: 'tags', query: 'search=secu' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/views/${view.id}`);
  await page.getByRole('button', { name: 'View: Secure' }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/console/sites/${site.id}/tags`);
  assert.equal(queryOf(page).get('search'), 'secu');
  checkFaults();
});

test('a view that is saved without a network is kept, and sent when there is one', async () => {
  const { page, open, context, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books?search=persuasion');
  await page.getByRole('link', { name: 'Persuasion' }).waitFor();
  await choose(page, 'Save as new view');
  await page.getByRole('textbox', { name: 'Name' }).fill('Offline');
  await context.route('**/v1/views', (route) => route.abort());
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Not saved yet.').waitFor();
  await context.unroute('**/v1/views');
  await page.getByRole('button', { name: 'View: Offline' }).waitFor();
  const { json } = await console.server.call('GET', '/v1/views?search=Offline');
  assert.equal(json.items.length, 1);
  checkFaults();
});

/** The dialog with the one change that was refused. */
async function openRefused(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'One change needs attention' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Pending changes' });
  await dialog.getByRole('listitem').waitFor();
  return dialog;
}

test('a new view that is refused after its dialog was closed stays among the changes that need a person', async () => {
  const { page, open, context, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books?search=sanditon');
  await page.getByRole('link', { name: 'Sanditon' }).waitFor();
  await choose(page, 'Save as new view');
  await page.getByRole('textbox', { name: 'Name' }).fill('Taken');
  await context.setOffline(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Not saved yet.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await makeView({ name: 'Taken', resource: 'books' });
  await context.setOffline(false);
  const waiting = await openRefused(page);
  await waiting.getByText('New: Taken', { exact: true }).waitFor();
  // Renamed, it is saved as it was meant.
  await waiting.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Free');
  await page.getByRole('button', { name: 'Create' }).click();
  await until('the view', async () => {
    const { json } = await console.server.call('GET', '/v1/views?search=Free');
    return json.items.length === 1 && json.items[0].query === 'search=sanditon';
  });
  checkFaults();
});

test('a change of a view that is refused after its bar is gone stays among the changes that need a person', async () => {
  const view = await makeView({ name: 'ConcurrentEditNotice', resource: 'books', query: 'search=emma' });
  const { page, open, context, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books');
  await openSaved(page, 'ConcurrentEditNotice');
  await page.getByRole('searchbox').fill('san');
  await page.getByText('“ConcurrentEditNotice” has unsaved changes.').waitFor();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved yet.').waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByText('“ConcurrentEditNotice” has unsaved changes.').waitFor({ state: 'detached' });
  const body = { query: 'search=persuasion' };
  assert.equal((await console.server.call('PATCH', `/v1/views/${view.id}`, { body })).status, 200);
  await context.setOffline(false);
  const waiting = await openRefused(page);
  await waiting.getByText('Change: ConcurrentEditNotice', { exact: true }).waitFor();
  await waiting.getByText('Someone else changed the same fields.').waitFor();
  assert.equal((await console.server.call('GET', `/v1/views/${view.id}`)).json.query, body.query);

  await waiting.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('searchbox').fill('sanditon');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const before = page.getByText(
    'An earlier change was rejected. Resolve it first, in the list of pending changes.',
  );
  await before.waitFor();
  await openRefused(page);
  await waiting.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await waiting.getByText('Everything is saved.').waitFor();
  await waiting.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('View saved.').waitFor();
  assert.equal((await console.server.call('GET', `/v1/views/${view.id}`)).json.query, 'search=sanditon');
  checkFaults();
});

test('a deletion that is refused after its dialog was closed stays among the changes that need a person', async () => {
  const view = await makeView({ name: 'Leaving', resource: 'books' });
  const { page, open, context, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books');
  await openSaved(page, 'Leaving');
  await choose(page, /^Delete/);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Not deleted yet.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const changed = await console.server.call('PATCH', `/v1/views/${view.id}`, {
    body: { query: 'search=em' },
  });
  assert.equal(changed.status, 200);
  await context.setOffline(false);
  const waiting = await openRefused(page);
  await waiting.getByText('Deletion: Leaving', { exact: true }).waitFor();
  assert.equal((await console.server.call('GET', `/v1/views/${view.id}`)).status, 200);
  checkFaults();
});

test('a view that is refused while its dialog is open is told there, and nothing waits', async () => {
  const { page, open, context, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books');
  await choose(page, 'Save as new view');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Both');
  await context.setOffline(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Not saved yet.').waitFor();
  // Another name would not be the one that was sent.
  assert.equal(await name.isEditable(), false);
  await makeView({ name: 'Both', resource: 'books' });
  await context.setOffline(false);
  await page.getByText('A view with this name already exists.').waitFor();
  await page
    .getByRole('button', { name: /waiting$|needs? you$/ })
    .first()
    .waitFor({ state: 'detached' });
  await name.fill('One of both');
  await page.getByText('A view with this name already exists.').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: One of both' }).waitFor();
  checkFaults();
});

test('views are in German, too', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId, {
    locale: 'de-DE',
  });
  await open('/books');
  await page.getByRole('button', { name: 'Ansichten' }).click();
  await page.getByRole('menuitem', { name: 'Alle Ansichten' }).click();
  await page.getByRole('heading', { name: 'Ansichten', level: 1 }).waitFor();
  await page.getByRole('gridcell', { name: 'Bücher' }).first().waitFor();
  await checkAccessibility('all views');
  checkFaults();
});
