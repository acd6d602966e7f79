/** Cells that are edited in a list, and the keys of lists: what is typed is saved once, or stays where it was typed with the reason. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { builtInRoleIds } from '@trellis/schema/resources/roles.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

const list = '/books?columns=title,subtitle,isbn13,tradeStatus,status';
/** The places of the columns in a row. */
const [subtitle, isbn13, tradeStatus, status] = [2, 3, 4, 5];

async function createBook(body: object): Promise<string> {
  return String((await create(console.server, '/v1/books', body)).id);
}

const read = async (id: string) => (await console.server.call('GET', `/v1/books/${id}`)).json;
const cellOf = (page: Page, row: string, column: number) =>
  page
    .getByRole('row', { name: new RegExp(row) })
    .getByRole('gridcell')
    .nth(column);
const focused = (page: Page) => page.locator(':focus');

/** Opens the editor of a cell, and gives its input. */
async function edit(page: Page, row: string, column: number, label: string) {
  await cellOf(page, row, column).dblclick();
  const input = page.getByRole('group', { name: label }).getByRole('textbox', { name: label });
  await input.and(focused(page)).waitFor();
  return input;
}

/** Counts the changes that a page sends. */
function countPatches(page: Page): { readonly versions: string[] } {
  const versions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') versions.push(request.headers()['if-match'] ?? '');
  });
  return { versions };
}

test('keys move between rows and cells, select and open, and are letters where somebody types', async () => {
  await createBook({ title: 'Keys 1' });
  await createBook({ title: 'Keys 2' });
  await createBook({ title: 'Keys 3' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`${list}&sort=title&search=keys`);
  const link = (name: string) => page.getByRole('link', { name }).and(focused(page));
  await page.getByRole('link', { name: 'Keys 3' }).waitFor();
  await page.keyboard.press('j');
  await link('Keys 1').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await link('Keys 2').waitFor();
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('x');
  await page.getByText('One selected').waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('checkbox', { name: 'Select Keys 2' }).and(focused(page)).waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await page.getByRole('checkbox', { name: 'Select Keys 1', checked: true }).and(focused(page)).waitFor();
  await page.keyboard.press('x');
  await page.keyboard.press('End');
  await cellOf(page, 'Keys 1', status).and(focused(page)).waitFor();
  await page.keyboard.press('Control+End');
  await cellOf(page, 'Keys 3', status).and(focused(page)).waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('checkbox', { name: 'Select Keys 3' }).and(focused(page)).waitFor();
  // One stop of Tab for all rows.
  await page.keyboard.press('Tab');
  assert.equal(await page.getByRole('grid').locator(':focus').count(), 0);

  const search = page.getByRole('searchbox');
  await search.fill('');
  await search.pressSequentially('keys jkx');
  assert.equal(await search.inputValue(), 'keys jkx');
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await search.fill('keys');
  await page.getByRole('link', { name: 'Keys 2' }).focus();
  await page.keyboard.press('x');
  await page.getByText('One selected').waitFor();
  await page.getByRole('button', { name: 'Set a field' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  for (const key of ['j', 'k', 'x']) await page.keyboard.press(key);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('One selected').waitFor();
  await page.keyboard.press('Shift+?');
  await page.getByText('Next and previous row of a list').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Keys 2' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keys 2' }).waitFor();
  checkFaults();
});

test('a cell is saved once on condition of the version that the row shows, by two presses of Enter too; Escape restores it', async () => {
  const id = await createBook({ title: 'Once', subtitle: 'Before' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const { versions } = countPatches(page);
  await open(`${list}&search=once`);
  const input = await edit(page, 'Once', subtitle, 'Subtitle');
  await checkAccessibility('cell that is edited');
  await input.fill('Given up');
  await page.keyboard.press('Escape');
  await cellOf(page, 'Once', subtitle).and(focused(page)).getByText('Before').waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await input.inputValue(), 'Before');
  await input.fill('After');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await until('it is saved', async () => (await read(id)).subtitle === 'After');
  await page.getByText('Subtitle of Once saved.').waitFor();
  await cellOf(page, 'Once', subtitle).getByText('After').waitFor();
  assert.deepEqual(versions, ['"1"']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await cellOf(page, 'Once', subtitle).getByText('Before').waitFor();
  assert.equal((await read(id)).version, 3);
  // The title is edited by F2: Enter and a click open the record.
  await page.getByRole('link', { name: 'Once' }).focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Title' }).fill('Once more');
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('link', { name: 'Once more' }).and(focused(page)).waitFor();
  checkFaults();
});

test('what is typed while a cell is being saved is no key of the list; Escape closes it, also after a click beside its input', async () => {
  const id = await createBook({ title: 'Hasty', subtitle: 'Before' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`${list}&search=hasty`);
  const input = await edit(page, 'Hasty', subtitle, 'Subtitle');
  await input.fill('After');
  // Without a task in between, in which the browser could store the change: N would create a record, X select the row, and Escape give up.
  await page.evaluate(`(async () => {
    for (const key of ['Enter', 'n', 'x', 'Escape']) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      for (let step = 0; step < 20; step += 1) await null;
    }
  })()`);
  await until('it is saved', async () => (await read(id)).subtitle === 'After');
  await page.getByText('Subtitle of Hasty saved.').waitFor();
  await cellOf(page, 'Hasty', subtitle).and(focused(page)).getByText('After').waitFor();
  assert.equal(new URL(page.url()).pathname, '/console/books');
  assert.equal(await page.getByRole('row', { name: /Hasty/ }).getAttribute('aria-selected'), 'false');
  await edit(page, 'Hasty', subtitle, 'Subtitle');
  await page.getByRole('group', { name: 'Subtitle' }).focus();
  await page.keyboard.press('Escape');
  await cellOf(page, 'Hasty', subtitle).and(focused(page)).getByText('After').waitFor();
  checkFaults();
});

test('F2 while a cell is being saved edits the next one, and the same one again in the last row', async () => {
  const first = await createBook({ title: 'Swift 1' });
  const second = await createBook({ title: 'Swift 2' });
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`${list}&sort=title&search=swift`);
  await (await edit(page, 'Swift 1', subtitle, 'Subtitle')).fill('One');
  const pressBoth = () =>
    page.evaluate(`for (const key of ['Enter', 'F2'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
  await pressBoth();
  const input = cellOf(page, 'Swift 2', subtitle)
    .getByRole('textbox', { name: 'Subtitle' })
    .and(focused(page));
  for (const value of ['Two', 'Three']) {
    await input.fill(value);
    await pressBoth();
    await until('it is saved', async () => (await read(second)).subtitle === value);
    await input.waitFor();
    assert.equal(await input.inputValue(), value);
  }
  assert.equal((await read(first)).subtitle, 'One');
  await page.keyboard.press('Escape');
  await cellOf(page, 'Swift 2', subtitle).and(focused(page)).waitFor();
  checkFaults();
});

test('what the rules reject, or is far too long, stays in the cell and is not sent; leaving asks', async () => {
  const id = await createBook({ title: 'Rules' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const { versions } = countPatches(page);
  await open(`${list}&search=rules`);
  await page.getByRole('link', { name: 'Rules' }).focus();
  const [check] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('check-draft')),
    page.waitForResponse((response) => response.url().endsWith(`/v1/books/${id}`)),
    cellOf(page, 'Rules', tradeStatus).dblclick(),
  ]);
  await page.evaluate((url) => import(url), check.url());
  await page.getByRole('option', { name: 'Forthcoming' }).click();
  await page.getByText('A forthcoming book requires a publication date.').waitFor();
  await checkAccessibility('cell that the rules reject');
  await page.getByRole('link', { name: 'Magazines' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Stay on the page' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByText('A forthcoming book requires a publication date.').waitFor();
  await page.keyboard.press('Escape');
  await cellOf(page, 'Rules', tradeStatus).and(focused(page)).waitFor();

  const input = await edit(page, 'Rules', subtitle, 'Subtitle');
  await page.keyboard.insertText('x'.repeat(1_000_000));
  await page.keyboard.press('Enter');
  await page.getByText(/^Too long: [\d,]+ of at most/).waitFor();
  await input.fill('Short');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('magazines');
  await page
    .getByRole('option', { name: /Magazines/ })
    .first()
    .click();
  await question.getByRole('button', { name: 'Stay on the page' }).click();
  await input.and(focused(page)).waitFor();
  await page.keyboard.press('Enter');
  await until('it is saved', async () => (await read(id)).subtitle === 'Short');
  assert.deepEqual(versions, ['"1"']);
  checkFaults();
});

test('a status is published, and a published book changed, only after the question', async () => {
  const id = await createBook({ title: 'Emma' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/books?columns=title,subtitle,status&search=emma`);
  await cellOf(page, 'Emma', 3).dblclick();
  await page.getByRole('option', { name: 'Published' }).click();
  const publishing = page.getByRole('dialog', { name: 'Publish “Emma”?' });
  await publishing.waitFor();
  await page.keyboard.press('Enter');
  await publishing.waitFor({ state: 'detached' });
  assert.equal((await read(id)).status, 'DRAFT');
  await page
    .getByRole('combobox', { name: 'Status' })
    .or(page.getByRole('textbox', { name: 'Status' }))
    .click();
  await page.getByRole('option', { name: 'Draft' }).click();
  await cellOf(page, 'Emma', 3).and(focused(page)).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Published' }).click();
  await publishing.getByRole('button', { name: 'Publish' }).click();
  await until('it is published', async () => (await read(id)).status === 'PUBLISHED');

  await page.goto(`${console.origin}/console/books?columns=title,subtitle&search=emma`);
  await edit(page, 'Emma', 2, 'Subtitle').then((input) => input.fill('A Novel'));
  await page.keyboard.press('Enter');
  const changing = page.getByRole('dialog', { name: 'Change “Emma” for readers?' });
  await checkAccessibility('question before a change that readers see');
  await changing.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('textbox', { name: 'Subtitle' }).and(focused(page)).waitFor();
  assert.equal((await read(id)).subtitle, null);
  await page.keyboard.press('Enter');
  await changing.getByRole('button', { name: 'Apply for readers' }).click();
  await until('readers see it', async () => (await read(id)).subtitle === 'A Novel');
  checkFaults();
});

test('what the server rejects is marked in the cell, and corrected there', async () => {
  const id = await createBook({ title: 'Rejected' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`${list}&search=rejected`);
  await edit(page, 'Rejected', isbn13, 'ISBN-13').then((input) => input.fill('978-0-00-000000-0'));
  await page.keyboard.press('Enter');
  const cell = cellOf(page, 'Rejected', isbn13);
  await cell.getByRole('alert').waitFor();
  await cell.getByText('978-0-00-000000-0').waitFor();
  await checkAccessibility('rejected cell');
  const input = await edit(page, 'Rejected', isbn13, 'ISBN-13');
  assert.equal(await input.inputValue(), '978-0-00-000000-0');
  await page.getByText('Some fields need your attention.').waitFor();
  await checkAccessibility('rejected cell that is edited');
  await input.fill('978-0-14-143958-7');
  await page.keyboard.press('Enter');
  await until('it is saved', async () => (await read(id)).isbn13 === '9780141439587');
  await cell.getByRole('alert').waitFor({ state: 'detached' });
  checkFaults();
});

test('a value that somebody else has changed meanwhile is a conflict in the cell; other fields are merged', async () => {
  const { server } = console;
  const id = await createBook({ title: 'Both', subtitle: 'Before' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`${list}&search=both`);
  const input = await edit(page, 'Both', subtitle, 'Subtitle');
  await server.call('PATCH', `/v1/books/${id}`, { body: { edition: 'Second' } });
  await input.fill('Mine');
  await page.keyboard.press('Enter');
  await until('both changes are merged', async () => {
    const book = await read(id);
    return book.subtitle === 'Mine' && book.edition === 'Second';
  });
  await page
    .getByText('Subtitle of Both saved.')
    .or(cellOf(page, 'Both', subtitle).getByText('Mine'))
    .first()
    .waitFor();
  await edit(page, 'Both', subtitle, 'Subtitle').then((again) => again.fill('Mine again'));
  await server.call('PATCH', `/v1/books/${id}`, { body: { subtitle: 'Theirs' } });
  await page.keyboard.press('Enter');
  const cell = cellOf(page, 'Both', subtitle);
  await cell.getByRole('alert').waitFor();
  await cell.getByText('Mine again').waitFor();
  await edit(page, 'Both', subtitle, 'Subtitle');
  await page.getByRole('button', { name: 'Resolve the conflict' }).click();
  const dialog = page.getByRole('dialog');
  await checkAccessibility('conflict of a cell');
  await dialog.getByText('Theirs').first().waitFor();
  await dialog.getByText('Mine again').first().waitFor();
  assert.equal((await read(id)).subtitle, 'Theirs');
  checkFaults();
});

test('a row that is deleted while it is edited keeps what was typed, and stores nothing', async (context) => {
  const { server } = console;
  const relay = startTestRelay(server.database);
  context.after(() => relay.stop());
  const id = await createBook({ title: 'Goes', subtitle: 'Before' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  const { versions } = countPatches(page);
  await open(`${list}&search=goes`);
  const input = await edit(page, 'Goes', subtitle, 'Subtitle');
  await input.fill('Typed');
  await server.call('DELETE', `/v1/books/${id}`);
  await page.getByText('This record has been deleted. What you typed is not saved.').waitFor();
  await checkAccessibility('deleted while it is edited');
  // Nor does it go with its row, when the list is read again and has none.
  const other = await createBook({ title: 'Goes as well' });
  await page.getByRole('button', { name: /^Show/ }).waitFor();
  await server.call('DELETE', `/v1/books/${other}`);
  await page.getByRole('button', { name: /^Show/ }).click();
  await page.getByRole('heading', { name: 'No matches' }).waitFor();
  await input.focus();
  await page.keyboard.press('Enter');
  assert.equal(await input.inputValue(), 'Typed');
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  assert.deepEqual(versions, []);
  checkFaults();
});

test('without the right to change records no cell is edited; a right that is taken away meanwhile loses no text', async () => {
  const { server } = console;
  const id = await createBook({ title: 'Rights', subtitle: 'Before' });
  const editor = await createMember(server.database.worker, server.organization, 'EDITOR');
  const { page, open, checkFaults } = await console.openAs(editor);
  await open(`${list}&search=rights`);
  const input = await edit(page, 'Rights', subtitle, 'Subtitle');
  await input.fill('Typed');
  const taken = await server.call('PATCH', `/v1/members/${encodeId('user', editor)}`, {
    body: { roleId: encodeId('role', builtInRoleIds.VIEWER) },
  });
  assert.equal(taken.status, 200);
  await page.keyboard.press('Enter');
  const cell = cellOf(page, 'Rights', subtitle);
  await cell.getByRole('alert').waitFor();
  await cell.getByText('Typed').waitFor();
  assert.equal((await read(id)).subtitle, 'Before');
  checkFaults();

  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const viewed = await console.openAs(viewer);
  await viewed.open(`${list}&search=rights`);
  const row = viewed.page.getByRole('row', { name: /Rights/ });
  await row.waitFor();
  assert.equal(await row.locator('[aria-readonly="false"]').count(), 0);
  await viewed.page.getByRole('link', { name: 'Rights' }).focus();
  await viewed.page.keyboard.press('ArrowRight');
  await viewed.page.keyboard.press('Enter');
  await viewed.page
    .getByText(/Viewer/)
    .and(viewed.page.locator('[role=status] *'))
    .first()
    .waitFor();
  assert.equal(await viewed.page.locator('[data-editor]').count(), 0);
  viewed.checkFaults();
});

test('cells that are edited without a network are shown as they will be, and sent once', async () => {
  const id = await createBook({ title: 'Offline', subtitle: 'Before' });
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await open(`${list}&search=offline`);
  // The editor is loaded with the first focus.
  await edit(page, 'Offline', subtitle, 'Subtitle');
  await page.keyboard.press('Escape');
  await context.setOffline(true);
  await edit(page, 'Offline', subtitle, 'Subtitle').then((input) => input.fill('After'));
  await page.keyboard.press('Tab');
  await cellOf(page, 'Offline', isbn13).and(focused(page)).waitFor();
  await cellOf(page, 'Offline', subtitle).getByText('After').waitFor();
  await cellOf(page, 'Offline', subtitle).getByText('Not sent yet').waitFor({ state: 'attached' });
  await edit(page, 'Offline', isbn13, 'ISBN-13').then((input) => input.fill('9780141439518'));
  await page.keyboard.press('Enter');
  await cellOf(page, 'Offline', isbn13).getByText('9780141439518').waitFor();
  await checkAccessibility('cells that wait');
  assert.equal((await read(id)).version, 1);
  await context.setOffline(false);
  await until('both are saved', async () => {
    const book = await read(id);
    return book.subtitle === 'After' && book.isbn13 === '9780141439518';
  });
  await cellOf(page, 'Offline', subtitle).getByText('Not sent yet').waitFor({ state: 'detached' });
  assert.ok((await read(id)).version <= 3);
  checkFaults();
});
