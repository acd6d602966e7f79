/** The trash in the console: the message after a deletion undoes it, and the page restores records and deletes them for good. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let client: ApiClient;

before(async () => {
  console = await startTestConsole();
  client = new ApiClient({ baseUrl: console.server.url, token: console.server.token });
});
after(() => console.close());

async function createBook(title: string, isbn13: string | null = null): Promise<string> {
  return (await client.call('createBook', { body: { title, isbn13 } })).body.id;
}

async function titles(search: string): Promise<string[]> {
  const { body } = await client.call('listBooks', { query: { search, sort: 'title' } });
  return body.items.map(({ title }) => title);
}

test('the message after a deletion undoes it', async () => {
  const id = await createBook('Persuasion');
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/books/${id}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('It stays in the trash for a while').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Persuasion deleted.').waitFor();
  assert.deepEqual(await titles('persuasion'), []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Persuasion restored.').waitFor();
  assert.deepEqual(await titles('persuasion'), ['Persuasion']);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { level: 1, name: 'Persuasion' }).waitFor();
  checkFaults();
});

test('the page restores a record, says what is in the way, and deletes for good after a question', async () => {
  const taken = await createBook('Emma', '9780141439587');
  const other = await createBook('Mansfield Park');
  const last = await createBook('Sanditon');
  for (const id of [taken, other, last]) await client.call('deleteBook', { path: { id } });
  const holder = await createBook('Emma, another edition', '9780141439587');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  const rows = page.getByRole('list', { name: 'Trash' }).getByRole('listitem');
  await rows.nth(2).waitFor();
  assert.equal(await rows.count(), 3);
  await rows.first().getByText('30 days left').waitFor();
  await checkAccessibility('trash');
  await page.getByRole('button', { name: 'Restore: Emma' }).click();
  await page.getByText('Another record already has this value: ISBN-13.').waitFor();
  await checkAccessibility('what is in the way');
  await client.call('deleteBook', { path: { id: holder }, query: { erase: true } });
  await page.getByRole('button', { name: 'Restore: Emma' }).click();
  await page.getByText('Emma restored.').waitFor();
  assert.deepEqual(await titles('emma'), ['Emma']);
  await until('two are left', async () => (await rows.count()) === 2);
  await page.getByRole('button', { name: 'Delete for good: Sanditon' }).click();
  await checkAccessibility('question');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await rows.count(), 2);
  await page.getByRole('button', { name: 'Delete for good: Sanditon' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('Sanditon deleted for good.').waitFor();
  await until('one is left', async () => (await rows.count()) === 1);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Articles' });
  await page.getByText('Nothing of this kind is in the trash.').waitFor();
  checkFaults();
});

test('a bulk deletion is undone, one by one', async () => {
  const names = ['Pamphlet A', 'Pamphlet B', 'Pamphlet C'];
  for (const name of names) await createBook(name);
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books?search=pamphlet');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const panel = page.getByRole('region', { name: 'Bulk changes' });
  await panel.getByText('Done · 3 of 3').waitFor();
  assert.deepEqual(await titles('pamphlet'), []);
  await panel.getByRole('button', { name: 'Undo' }).click();
  await panel.getByText('Undo: Books: deletion').waitFor();
  await panel.getByText('Done · 3 of 3').waitFor();
  assert.deepEqual(await titles('pamphlet'), names);
  checkFaults();
});

test('what has left the trash otherwise is not offered to be restored by undoing its bulk deletion', async () => {
  const names = ['Brochure A', 'Brochure B', 'Brochure C'];
  for (const name of names) await createBook(name);
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books?search=brochure');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const panel = page.getByRole('region', { name: 'Bulk changes' });
  await panel.getByText('Done · 3 of 3').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Trash' }).click();
  await panel.getByRole('button', { name: 'Done · 3 of 3' }).click();
  await panel.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Restore: Brochure A' }).click();
  await panel.getByRole('button', { name: 'Undo 2 of them' }).waitFor();
  await page.getByRole('button', { name: 'Delete for good: Brochure B' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await panel.getByRole('button', { name: 'Undo 1 of them' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select Brochure C' }).check();
  await page.getByRole('button', { name: 'Restore selected (1)' }).click();
  await panel.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Close' }).waitFor();
  checkFaults();
});

test('what was deleted at once is restored at once, and the page says what is in the way of the rest', async () => {
  const names = ['Leaflet A', 'Leaflet B', 'Leaflet C'];
  const ids: string[] = [];
  for (const [index, name] of names.entries())
    ids.push(await createBook(name, index === 2 ? '9783161484100' : null));
  const other = await createBook('A book of long ago');
  await client.call('deleteBook', { path: { id: other } });
  const tables = await TenantTables.open(console.server.database);
  // Also what the tests before this one have left there.
  await tables.run(`UPDATE trellis.trash SET deleted_at = deleted_at - interval '1 hour'`);
  await tables.close();
  for (const id of ids) await client.call('deleteBook', { path: { id } });
  await createBook('Another leaflet', '9783161484100');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/trash');
  const restore = page.getByRole('button', { name: 'Restore selected' });
  await page.getByRole('button', { name: 'Select all 3 of this deletion' }).waitFor();
  assert.equal(await restore.isDisabled(), true);
  await page.getByRole('button', { name: 'Select all 3 of this deletion' }).click();
  for (const name of names)
    assert.equal(await page.getByRole('checkbox', { name: `Select ${name}` }).isChecked(), true);
  assert.equal(await page.getByRole('checkbox', { name: 'Select A book of long ago' }).isChecked(), false);
  await checkAccessibility('selected in the trash');
  await page.getByRole('button', { name: 'Restore selected (3)' }).click();
  await page.getByText('2 records restored. One could not be: the reason is in the list.').waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Leaflet C' });
  await row.getByText('Another record already has this value: ISBN-13.').waitFor();
  assert.deepEqual(await titles('leaflet'), ['Another leaflet', 'Leaflet A', 'Leaflet B']);
  await page.getByRole('checkbox', { name: 'Select A book of long ago' }).check();
  await page.getByRole('checkbox', { name: 'Select Leaflet C' }).uncheck();
  await page.getByRole('button', { name: 'Restore selected (1)' }).click();
  await page.getByText('One record restored.').waitFor();
  assert.deepEqual(await titles('long ago'), ['A book of long ago']);
  checkFaults();
});

test('something deleted is found by its title, and by who deleted it', async () => {
  const { worker } = console.server.database;
  const editor = await createMember(worker, console.server.organization, 'EDITOR');
  const { token } = await createToken(worker, console.server.organization, editor);
  const other = new ApiClient({ baseUrl: console.server.url, token });
  const [first, second] = [await createBook('Überfahrt im Winter'), await createBook('Überfahrt im Sommer')];
  await client.call('deleteBook', { path: { id: first } });
  await other.call('deleteBook', { path: { id: second } });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/trash');
  const rows = page.getByRole('list', { name: 'Trash' }).getByRole('listitem');
  await page.getByRole('searchbox', { name: 'Search the trash' }).fill('uberfahrt');
  await page.waitForURL(/search=uberfahrt/);
  await until('only the two are shown', async () => (await rows.count()) === 2);
  await page.getByRole('combobox', { name: 'Deleted by' }).click();
  await page.getByRole('option', { name: 'EDITOR' }).click();
  await until('only that of the editor is shown', async () => (await rows.count()) === 1);
  await rows.getByText('Überfahrt im Sommer').waitFor();
  await checkAccessibility('found in the trash');
  await page.reload();
  await rows.getByText('Überfahrt im Sommer').waitFor();
  assert.equal(await rows.count(), 1, 'the address has the search and the filter');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Articles' });
  await page.getByText('No records match the search and filters.').waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await rows.getByText('Überfahrt im Winter').waitFor();
  const field = page.getByRole('searchbox', { name: 'Search the trash' });
  assert.equal(await field.evaluate((input) => input === input.ownerDocument.activeElement), true);
  checkFaults();
});

test('who may delete nothing has an empty trash, in German as well', async () => {
  const viewer = await createMember(console.server.database.worker, console.server.organization, 'VIEWER');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer, { locale: 'de-DE' });
  await open('/trash');
  await page.getByRole('heading', { level: 1, name: 'Papierkorb' }).waitFor();
  await page.getByText('Der Papierkorb ist leer').waitFor();
  await checkAccessibility('empty');
  checkFaults();
});

test('where nothing is kept, nothing is promised', async () => {
  const final = await startTestConsole({ trashRetentionSeconds: 0 });
  try {
    const { server } = final;
    const book = await create(server, '/v1/books', { title: 'Gone' });
    await create(server, '/v1/books', { title: 'Gone as well' });
    const { page, open, checkFaults } = await final.openAs(server.ownerId);
    await open(`/books/${book.id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Gone deleted.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    await page.getByRole('checkbox', { name: 'Select Gone as well' }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone. Records that are in use').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const panel = page.getByRole('region', { name: 'Bulk changes' });
    await panel.getByText('Done · 1 of 1').waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Undo' }).count(), 0);
    checkFaults();
  } finally {
    await final.close();
  }
});
