/**
 * Lists and records of any resource, derived from its declaration: with a resource that only this test declares, in a console that is
 * built with it.
 */
import '../resources/exhibitions/register.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { TestConsole } from '../support/console.ts';

// Imported after the hook: modules loaded before it would have the product's own list.
const { startTestConsole } = await import('../support/console.ts');
const { startTestRelay } = await import('../support/relay.ts');
const { migrateToLater } = await import('../support/later-release.ts');
const { createMember } = await import('../support/identities.ts');
const { until } = await import('../support/until.ts');
const { create } = await import('../support/writes.ts');

let folder: string;
let console: TestConsole;
let siteId: string;
let list: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-records-'));
  const built = join(folder, 'build');
  const program = fileURLToPath(import.meta.resolve('@trellis/console/build/build.ts'));
  const longerList = fileURLToPath(new URL('../resources/exhibitions/list.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [program, built, longerList]);
  console = await startTestConsole({ console: { folder: built } });
  const sql = await readFile(new URL('../resources/exhibitions/exhibitions.sql', import.meta.url), 'utf8');
  await migrateToLater(console.server.database.urls.owner, { 'sql/migrations/9000_exhibitions.sql': sql });
  const site = await create(console.server, '/v1/sites', { name: 'Museum', key: 'museum' });
  siteId = String(site.id);
  list = `/sites/${siteId}/exhibitions`;
});
after(async () => {
  await console.close();
  await rm(folder, { recursive: true, force: true });
});

/** The writes that a page sends, with the headers that make them safe. */
function watchWrites(page: Page): { method: string; key: string | undefined; version: string | undefined }[] {
  const writes: ReturnType<typeof watchWrites> = [];
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/v1/') || request.method() === 'GET') return;
    const headers = request.headers();
    writes.push({ method: request.method(), key: headers['idempotency-key'], version: headers['if-match'] });
  });
  return writes;
}

test('a declared resource has navigation, a list, a form, filters, search and a history', async (context) => {
  const relay = startTestRelay(console.server.database);
  context.after(() => relay.stop());
  const { page, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const writes = watchWrites(page);
  await page.getByRole('link', { name: 'Exhibitions' }).click();
  await page.getByRole('heading', { name: 'No exhibitions yet' }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/console${list}`);
  await checkAccessibility('empty list');

  await page.locator('header').getByRole('button', { name: 'New exhibition' }).click();
  await page.getByLabel('Venue').fill('Kunsthalle');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Some fields need your attention.').waitFor();
  await page.locator('.mantine-InputWrapper-root', { hasText: 'Title' }).getByText('Required').waitFor();
  await checkAccessibility('form with a fault');
  await page.getByLabel('Title').fill('Light and Water');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { name: 'Light and Water' }).waitFor();
  await page.getByRole('complementary').getByText('Created', { exact: true }).last().waitFor();
  await checkAccessibility('record');

  await page.getByRole('combobox', { name: 'Status' }).click();
  assert.deepEqual(
    await page.getByRole('option').allTextContents(),
    ['Planned', 'Open'],
    'as transitions allow',
  );
  await page.getByRole('option', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('complementary').getByText('Opened').waitFor();
  assert.deepEqual(
    writes.map(({ method, version }) => [method, version]),
    [
      ['POST', undefined],
      ['POST', undefined],
      ['PATCH', '"1"'],
    ],
  );
  assert.equal(new Set(writes.map(({ key }) => key)).size, 3);
  assert.ok(writes.every(({ key = '' }) => key.length > 20));

  await console.server.call('POST', `/v1${list}`, { body: { title: 'Silent Rooms' } });
  await page.getByRole('link', { name: 'Exhibitions' }).first().click();
  await page.getByRole('row', { name: /Silent Rooms/ }).waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('option', { name: 'Status' }).click();
  await page.getByRole('combobox', { name: 'Status' }).fill('Open');
  await page.getByRole('option', { name: 'Open' }).click();
  await page.getByRole('row', { name: /Silent Rooms/ }).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).search, '?status=OPEN');
  await checkAccessibility('filtered list');
  await page.reload();
  await page.getByRole('row', { name: /Light and Water/ }).waitFor();
  await page.getByRole('button', { name: 'Remove the filter Status' }).click();
  await page.getByRole('searchbox').fill('silent');
  await page.getByRole('row', { name: /Light and Water/ }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('nothing at all');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await page.getByRole('button', { name: 'Title', exact: true }).click();
  await page
    .getByRole('columnheader', { name: 'Title' })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor();
  const titles = page.locator('[role="row"] a');
  await until('the list in the order of titles', async () => {
    const [first, second] = await titles.allTextContents();
    return first === 'Light and Water' && second === 'Silent Rooms';
  });
  assert.equal(new URL(page.url()).search, '?sort=title');
  checkFaults();
});

test('a declared action is in the menu of the record, asks for its input, and is done once to the record as it is', async () => {
  const { server } = console;
  const { id } = await create(server, `/v1${list}`, { title: 'Still Lives' });
  const path = `/v1${list}/${id}`;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const writes = watchWrites(page);
  await open(`${list}/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve “Still Lives”?' });
  await dialog.getByText('It can then be opened.').waitFor();
  await dialog.getByLabel('Note').fill('x'.repeat(201));
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.locator('textarea[aria-invalid="true"], input[aria-invalid="true"]').waitFor();
  await checkAccessibility('action with a fault');
  // Somebody changes the record that the page still shows as it was.
  await server.call('PATCH', path, { body: { venue: 'Annex' } });
  await dialog.getByLabel('Note').fill('Within the budget');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByRole('alert').waitFor();
  assert.equal((await server.call('GET', path)).json.approvedAt, null);
  await dialog.getByLabel('Note').press('Enter');
  await page.getByText('“Still Lives” is approved.').waitFor();
  const { json } = await server.call('GET', path);
  assert.deepEqual([json.version, json.approvalNote, json.venue], [3, 'Within the budget', 'Annex']);
  assert.deepEqual(
    writes.map(({ method, version }) => [method, version]),
    [
      ['POST', '"1"'],
      ['POST', '"1"'],
      ['POST', '"2"'],
    ],
  );
  assert.equal(new Set(writes.map(({ key }) => key)).size, 3);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Approve' }).count(), 0);
  checkFaults();
});

test('a declared action says why somebody without the right cannot do it', async () => {
  const { server } = console;
  const { id } = await create(server, `/v1${list}`, { title: 'Nocturnes' });
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkFaults } = await console.openAs(viewer);
  const writes = watchWrites(page);
  await open(`${list}/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  const item = page.getByRole('menuitem', { name: 'Approve' });
  await item.getByText('The role Viewer cannot publish these records.').waitFor();
  await item.click({ force: true });
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(writes, []);
  checkFaults();
});

test('the palette finds screens and records by keyboard', async () => {
  await create(console.server, `/v1${list}`, { title: 'Paper Gardens' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(list);
  await page.getByRole('row', { name: /Paper Gardens/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('paper gar');
  await page.getByRole('option', { name: /Paper Gardens/ }).waitFor();
  await checkAccessibility('palette');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Paper Gardens' }).waitFor();
  const find = async (words: string, option: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(words);
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.press('Enter');
  };
  await find('dark', 'Appearance: Dark');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await find('system', 'Appearance: System');
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor();
  await find('organization', 'Organization settings');
  await page.getByRole('heading', { name: 'Organization' }).first().waitFor();
  await find('invite', 'Invite a colleague');
  await page.getByRole('dialog').getByLabel('Email address').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await checkAccessibility('keys');
  checkFaults();
});

test('the palette knows the actions of the page, and gives the focus back', async () => {
  const { id } = await create(console.server, `/v1${list}`, { title: 'Glass Houses' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`${list}/${id}`);
  const actions = page.getByRole('button', { name: 'Actions' });
  await actions.focus();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: 'Search' });
  await search.waitFor();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  assert.equal(await actions.evaluate((button) => button === button.ownerDocument.activeElement), true);
  await page.keyboard.press('Control+k');
  await search.fill('actio');
  await page.getByRole('option', { name: 'Actions' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  checkFaults();
});

test('the palette finds records of a site that was never opened, and never says too early that there are none', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { key: 'evenings', name: 'Evenings' });
  await create(server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'Lanterns at dusk', body: 'Lit one by one.' },
  });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open('/');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.evaluate(`globalThis.said = [];
    new MutationObserver(() => {
      const text = document.querySelector('[role="dialog"] [role="status"]')?.textContent;
      if (text) globalThis.said.push(text);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });`);
  await page.keyboard.type('lanterns', { delay: 30 });
  await page.getByRole('option', { name: /Lanterns at dusk/ }).waitFor();
  assert.deepEqual(await page.evaluate('globalThis.said'), []);
  await page.getByRole('combobox', { name: 'Search' }).fill('zzzz zzzz');
  await page.getByText('No results for “zzzz zzzz”.').waitFor();
  await open('/articles');
  await page.getByRole('heading', { name: 'Articles' }).waitFor();
  await page.waitForURL(/\/sites\/site_\w+\/articles$/);
  checkFaults();
});

test('unsaved changes are not lost by leaving, nor by a change of somebody else', async () => {
  const { server } = console;
  const record = await create(server, `/v1${list}`, { title: 'Old Stones', venue: 'Hall 1' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`${list}/${record.id}`);
  await page.getByLabel('Title').fill('New Stones');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await checkAccessibility('leave');
  await page.getByRole('button', { name: 'Stay on the page' }).click();
  assert.equal(await page.getByLabel('Title').inputValue(), 'New Stones');
  const other = await server.call('PATCH', `/v1${list}/${record.id}`, { body: { venue: 'Hall 2' } });
  assert.equal(other.status, 200);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'New Stones' }).waitFor();
  await page.locator('input[value="Hall 2"]').waitFor();
  const { json } = await server.call('GET', `/v1${list}/${record.id}`);
  assert.deepEqual([json.title, json.venue, json.version], ['New Stones', 'Hall 2', 3]);
  checkFaults();
});

test('a deletion asks, and says what still uses the record', async () => {
  const { server } = console;
  const record = await create(server, `/v1${list}`, { title: 'Brief Show' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`${list}/${record.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`**/console${list}`);
  assert.equal((await server.call('GET', `/v1${list}/${record.id}`)).status, 404);
  await open(`/sites/${siteId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('Still in use').waitFor();
  await checkAccessibility('deletion that is refused');
  checkFaults();
});

test('what one may not do says why', async () => {
  const { server } = console;
  const record = await create(server, `/v1${list}`, { title: 'Public Show' });
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await page
    .getByRole('button', { name: /Webhook endpoints.*The role Viewer cannot read these records/ })
    .waitFor();
  await open(list);
  const button = page.locator('header').getByRole('button', { name: 'New exhibition' });
  await button.waitFor();
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  await button.hover();
  await page.getByRole('tooltip').getByText('The role Viewer cannot create these records.').waitFor();
  await checkAccessibility('list without the right to create');
  await open(`${list}/${record.id}`);
  await page.getByText('The role Viewer cannot change these records.').first().waitFor();
  const form = page.locator('main form');
  await form.getByText('Public Show').waitFor();
  assert.equal(await form.getByRole('textbox').count(), 0);
  await checkAccessibility('record without the right to change');
  await open('/webhook-endpoints');
  await page.getByRole('heading', { name: 'You do not have access to this' }).waitFor();
  await checkAccessibility('forbidden');
  checkFaults();
});

test('a long list is read page by page, and only what is in sight is in the document', async () => {
  const { server } = console;
  const site = await create(server, '/v1/sites', { name: 'Archive', key: 'archive' });
  const count = 230;
  for (let begin = 0; begin < count; begin += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        create(server, `/v1/sites/${site.id}/exhibitions`, {
          title: `Show ${String(begin + index).padStart(3, '0')}`,
        }),
      ),
    );
  }
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/sites/${site.id}/exhibitions?sort=title`);
  await page.getByRole('row', { name: /Show 000/ }).waitFor();
  const lastRow = page.getByRole('row', { name: /Show 229/ });
  await until('the last row is shown', async () => {
    await page.mouse.wheel(0, 1_500);
    return lastRow.isVisible();
  });
  const shown = await page.getByRole('row').count();
  assert.ok(shown < 80, `${shown} rows in the document`);
  checkFaults();
});

test('a server that fails is said, and tried again', async () => {
  const { page, open, checkAccessibility } = await console.openAs(console.server.ownerId);
  await page.route('**/v1/books?*', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: '{"code":"internal_error"}',
    }),
  );
  await open('/books');
  await page.getByRole('heading', { name: 'This page cannot be shown right now' }).waitFor();
  await checkAccessibility('failing list');
  await page.unroute('**/v1/books?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No books yet' }).waitFor();
});

test('a list that is opened without a network says so, and is read when the network is back', async () => {
  const { page, context, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books');
  await page.getByRole('heading', { level: 2, name: 'Books' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Magazines' }).click();
  await page.getByText('The server cannot be reached.').first().waitFor();
  await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  await context.setOffline(false);
  await page.getByText('The server cannot be reached.').first().waitFor({ state: 'detached' });
  checkFaults();
});
