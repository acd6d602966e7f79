/** Changes that survive: the server is killed while somebody saves, tabs are closed, and two people change one record. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { Page, Route } from 'playwright-core';
import { type KillableConsole, startKillableConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { until } from '../support/until.ts';

let console: KillableConsole;
let client: ApiClient;

before(async () => {
  console = await startKillableConsole();
  client = new ApiClient({ baseUrl: console.server.url, token: console.token });
});
after(() => console.close());

const createBook = async (title: string) => (await client.call('createBook', { body: { title } })).body;
const readBook = async (id: string) => (await client.call('getBook', { path: { id } })).body;
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
/** What says how many changes wait; the narrow layout has a second one that is not shown. */
const waiting = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
/** Waits until nothing does. */
const nothingWaits = (page: Page) =>
  page.getByRole('status').getByRole('button').first().waitFor({ state: 'detached' });
/** Sends what waits, from the open list, and waits until it is saved. */
async function tryAgain(page: Page): Promise<void> {
  const saved = page.getByText('Everything is saved.');
  // On a busy machine the page has tried again by itself before the button is reached.
  await Promise.any([page.getByRole('button', { name: 'Try again now' }).click(), saved.waitFor()]);
  await saved.waitFor();
}

test('a change that the server did not live to respond to happens once, after a restart', async () => {
  const { id } = await createBook('Emma');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.ownerId);
  await open(`/books/${id}`);
  await page.getByLabel('Subtitle').fill('A Novel');
  await console.server.kill();
  await save(page);
  await page.getByText('Not saved yet. Your change is stored in this browser').waitFor();
  assert.equal(await page.getByLabel('Subtitle').inputValue(), 'A Novel');
  await waiting(page, 'One change waiting').click();
  const dialog = page.getByRole('dialog', { name: 'Pending changes' });
  await dialog.getByText('Change: Emma').waitFor();
  await dialog.getByText('The server cannot be reached.').waitFor();
  await checkAccessibility('waiting changes');
  await console.server.start();
  await tryAgain(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await nothingWaits(page);
  const book = await readBook(id);
  assert.deepEqual([book.subtitle, book.version], ['A Novel', 2]);
  checkFaults();
});

test('the server is killed while it responds, again and again, and every change happens once', async () => {
  const { id } = await createBook('Persuasion');
  const { page, open } = await console.openAs(console.ownerId);
  await open(`/books/${id}`);
  const rounds = 5;
  for (let round = 1; round <= rounds; round += 1) {
    await page.getByLabel('Subtitle').fill(`Edition ${round}`);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    // Sometimes the server still responds before it is gone.
    const responded = page.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.ok(),
    );
    await save(page);
    await sent;
    await console.server.kill();
    await console.server.start();
    await responded;
    await page
      .getByRole('complementary')
      .getByText(String(round + 1), { exact: true })
      .waitFor({ state: 'attached' });
  }
  const book = await readBook(id);
  assert.deepEqual([book.subtitle, book.version], [`Edition ${rounds}`, rounds + 1]);
});

test('a tab is closed while a change waits, and the next one sends it', async () => {
  const { page, context, open } = await console.openAs(console.ownerId);
  await open('/books/new');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Northanger Abbey');
  await console.server.kill();
  await page.getByRole('button', { name: 'Create' }).click();
  await waiting(page, 'One change waiting').waitFor();
  await page.close();
  await console.server.start();
  const next = await context.newPage();
  await next.goto(`${console.origin}/console/books`);
  await next.getByRole('row', { name: /Northanger Abbey/ }).waitFor();
  await nothingWaits(next);
  const { body } = await client.call('listBooks', { query: { search: 'Northanger' } });
  assert.equal(body.items.length, 1);
});

test('a list whose reading began before a change got its response shows what the change made', async () => {
  const { page, context, open } = await console.openAs(console.ownerId);
  await open('/books/new');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('The Visit');
  await context.route('**/v1/books', (route) => route.abort());
  await page.getByRole('button', { name: 'Create' }).click();
  await waiting(page, 'One change waiting').waitFor();
  await page.close();
  await context.unroute('**/v1/books');
  const next = await context.newPage();
  // The list is read before the book is created, and its response arrives afterwards.
  const listed = Promise.withResolvers<void>();
  await next.route('**/v1/books', async (route) => {
    await listed.promise;
    await route.continue();
  });
  const created = next.waitForResponse((response) => response.status() === 201);
  const respondLate = async (route: Route) => {
    // A session is known by the headers that only a browser sets.
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    assert.equal(response.status(), 200);
    listed.resolve();
    await created;
    await nothingWaits(next);
    await route.fulfill({ response });
  };
  await next.route('**/v1/books?*', respondLate, { times: 1 });
  await next.goto(`${console.origin}/console/books`);
  await next.getByRole('row', { name: /The Visit/ }).waitFor();
});

test('a form is saved also after the organization was renamed on the same page', async () => {
  const { id } = await createBook('The Watsons');
  const { page, open, checkFaults } = await console.openAs(console.ownerId);
  await open(`/books/${id}`);
  await page.getByLabel('Subtitle').fill('Before');
  await save(page);
  await page.getByRole('complementary').getByText('2', { exact: true }).waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Harbour Press');
  await save(page);
  await page.getByText('Saved.').waitFor();
  await page.getByRole('navigation').getByText('Harbour Press').first().waitFor();
  await page.getByRole('link', { name: 'Books' }).click();
  await page.getByRole('link', { name: 'The Watsons' }).click();
  await page.getByLabel('Subtitle').fill('After');
  await save(page);
  await page.getByRole('complementary').getByText('3', { exact: true }).waitFor({ state: 'attached' });
  assert.equal((await readBook(id)).subtitle, 'After');
  checkFaults();
});

test('a change that this browser cannot store stays in the form, which says why', async () => {
  const { id } = await createBook('Evelyn');
  const { page, open, checkAccessibility } = await console.openAs(console.ownerId);
  await open(`/books/${id}`);
  await page.getByLabel('Subtitle').waitFor();
  await page.evaluate(`(() => {
    globalThis.addToStore = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = () => { throw new DOMException('The disk is full.', 'QuotaExceededError'); };
  })()`);
  await page.getByLabel('Subtitle').fill('Kept');
  await save(page);
  await page.getByText('This browser could not store the change').waitFor();
  assert.equal(await page.getByLabel('Subtitle').inputValue(), 'Kept');
  await page.getByText('Unsaved changes').waitFor();
  await checkAccessibility('a change that could not be stored');
  await page.evaluate('IDBObjectStore.prototype.add = globalThis.addToStore');
  await save(page);
  await page.getByRole('complementary').getByText('2', { exact: true }).waitFor({ state: 'attached' });
  assert.equal((await readBook(id)).subtitle, 'Kept');
});

test('in a browser that stores nothing, what is saved is sent at once, and what has to be stored says so', async () => {
  const { id } = await createBook('Catharine');
  const site = (await client.call('createSite', { body: { name: 'Blog', key: 'blog' } })).body;
  const path = { siteId: site.id };
  const article = (await client.call('createArticle', { path, body: { versionData: { title: 'Before' } } }))
    .body;
  const { page, context, open, checkFaults } = await console.openAs(console.ownerId);
  await context.addInitScript(
    `IDBFactory.prototype.open = () => { throw new DOMException('No.', 'SecurityError'); };`,
  );
  await open(`/books/${id}`);
  await page.getByLabel('Subtitle').fill('The Bower');
  await save(page);
  await page.getByRole('complementary').getByText('2', { exact: true }).waitFor({ state: 'attached' });
  assert.equal((await readBook(id)).subtitle, 'The Bower');

  await open(`/sites/${site.id}/articles/${article.id}`);
  await page.getByPlaceholder('Title').fill('After');
  await page.getByText(/^Saved · /).waitFor();
  const saved = (await client.call('getArticle', { path: { ...path, id: article.id } })).body;
  assert.equal(saved.versionData.title, 'After');

  await open('/books');
  await page.getByRole('checkbox', { name: 'Catharine' }).check();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This browser could not store the change').waitFor();

  await open('/knowledge-files');
  const files = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') };
  await page.locator('input[type="file"]').setInputFiles(files);
  await page.getByText('so they were not uploaded: note.txt').waitFor();
  checkFaults();
});

test('whoever signs out while changes, bulk changes, uploads or files of an import are unfinished is asked', async () => {
  const { id } = await createBook('Lady Susan');
  const { page, open, checkAccessibility } = await console.openAs(console.ownerId);
  await open('/import?resource=contacts');
  const table = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('First name\nAda\n') };
  await page.getByLabel('Choose files').setInputFiles(table);
  await page.getByText('people.csv').waitFor();
  await page.route('**/v1/knowledge-files**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  );
  await open('/knowledge-files');
  const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') };
  await page.locator('input[type=file]').setInputFiles([note, { ...note, name: 'second.txt' }]);
  await page.getByText('second.txt').waitFor();
  await open('/books?search=susan');
  await page.route('**/v1/books/*', (route) => route.abort());
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Set a field' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Edition' });
  await page.getByRole('textbox', { name: 'Edition' }).fill('Second');
  await page.getByRole('button', { name: 'Apply' }).click();
  const bulk = page.getByRole('region', { name: 'Bulk changes' });
  await bulk.getByRole('button', { name: 'Pause' }).click();
  await bulk.getByText('Paused').waitFor();
  await page.unroute('**/v1/books/*');
  await open(`/books/${id}`);
  await page.getByLabel('Subtitle').fill('Letters');
  await page.route('**/v1/books/*', (route) => route.abort());
  await save(page);
  await waiting(page, 'One change waiting').waitFor();
  await page
    .getByRole('button', { name: /^Account/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave with unfinished work?' });
  await dialog.getByText('One change').waitFor();
  assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), [
    'One change',
    'One record of a bulk change',
    '2 uploads',
    'One file of an import',
  ]);
  await checkAccessibility('leaving');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await waiting(page, 'One change waiting').click();
  await page.unroute('**/v1/books/*');
  await tryAgain(page);
  assert.equal((await readBook(id)).subtitle, 'Letters');
});

test('what the server refuses stays in the form and in the list until it is given up', async () => {
  const { id } = await createBook('Sanditon');
  const { page, context, open, checkAccessibility } = await console.openAs(console.ownerId);
  await open(`/books/${id}`);
  await page.getByLabel('ISBN-13').fill('978-0-00-000000-0');
  await save(page);
  await page.getByText('Some fields need your attention.').waitFor();
  assert.equal(await page.getByLabel('ISBN-13').inputValue(), '978-0-00-000000-0');
  // The form says it; the frame of the page has nothing to add until the person leaves it, or looks from another tab.
  const other = await context.newPage();
  await other.goto(`${console.origin}/console/`);
  await waiting(other, 'One change needs attention').waitFor();
  await other.close();
  assert.equal(await page.getByRole('button', { name: 'One change needs attention' }).count(), 0);
  await checkAccessibility('refused field');
  await page.getByRole('link', { name: 'Magazines' }).click();
  await waiting(page, 'One change needs attention').click();
  await page
    .getByRole('dialog')
    .getByText(/^ISBN-13: /)
    .waitFor();
  await checkAccessibility('refused change');
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await page.getByText('Some fields need your attention.').waitFor();
  assert.equal(await page.getByLabel('ISBN-13').inputValue(), '978-0-00-000000-0');
  await waiting(page, 'One change needs attention').waitFor({ state: 'detached' });
  await page.goto(`${console.origin}/console/`);
  await waiting(page, 'One change needs attention').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page
    .getByRole('dialog', { name: 'Discard this change?' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await nothingWaits(page);
  assert.equal((await readBook(id)).version, 1);
});

test('two browsers change one record: what does not touch is merged, and only the rest asks', async () => {
  const { id } = await createBook('Mansfield Park');
  const other = await createMember(console.database.worker, console.organization, 'EDITOR');
  const [first, second] = [await console.openAs(console.ownerId), await console.openAs(other)];
  for (const { open, page } of [first, second]) {
    await open(`/books/${id}`);
    await page.getByLabel('Subtitle').waitFor();
  }
  await first.page.getByLabel('Subtitle').fill('First');
  await save(first.page);
  await first.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  await second.page.getByLabel('Edition', { exact: true }).fill('2nd');
  await save(second.page);
  await second.page.locator('input[value="First"]').waitFor();
  const merged = await readBook(id);
  assert.deepEqual([merged.subtitle, merged.edition, merged.version], ['First', '2nd', 3]);

  await first.page.reload();
  await first.page.locator('input[value="2nd"]').waitFor();
  await first.page.getByLabel('Edition', { exact: true }).fill('3rd');
  await save(first.page);
  await first.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  await second.page.getByLabel('Edition', { exact: true }).fill('4th');
  await save(second.page);
  await second.page.getByRole('button', { name: 'Resolve the conflict' }).waitFor();
  // Whoever saves again is asked.
  await save(second.page);
  const dialog = second.page.getByRole('dialog', { name: 'Conflicting changes' });
  await dialog.getByText('3rd').waitFor();
  await second.checkAccessibility('conflict');
  await dialog.getByRole('radio', { name: 'Edition: Theirs' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await second.page.locator('input[value="3rd"]').waitFor();
  await nothingWaits(second.page);
  assert.deepEqual([(await readBook(id)).edition, (await readBook(id)).version], ['3rd', 4]);
  second.checkFaults();
});

test('what is changed while a conflict is decided is decided too, and no choice is lost without a word', async () => {
  const site = (await client.call('createSite', { body: { name: 'Notes', key: 'notes' } })).body;
  const place = { path: { siteId: site.id } };
  const before = { versionData: { title: 'Before', summary: 'Before' } };
  const { id } = (await client.call('createArticle', { ...place, body: before })).body;
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(console.ownerId);
  await open(`/sites/${site.id}/articles/${id}`);
  await page.getByPlaceholder('Title').fill('Yours');
  await client.call('updateArticle', {
    path: { siteId: site.id, id },
    body: { versionData: { title: 'Theirs', summary: 'Theirs' } },
  });
  await page.getByRole('button', { name: 'Resolve' }).waitFor();

  const deciding = await context.newPage();
  await deciding.goto(`${console.origin}/console/`);
  await waiting(deciding, 'One change needs attention').click();
  await deciding.getByRole('button', { name: 'Resolve the conflict' }).click();
  const dialog = deciding.getByRole('dialog', { name: 'Conflicting changes' });
  await dialog.getByText('Theirs · OWNER').waitFor();
  await dialog.getByRole('radio', { name: 'Title: Theirs' }).check();

  await page.getByRole('textbox', { name: 'Summary' }).fill('Mine, too');
  await page.getByRole('link', { name: 'Books' }).click();
  await waiting(page, 'One change needs attention').click();
  // It is stored when the page is left, and is then a part of the conflict.
  const own = page.getByRole('dialog', { name: 'Conflicting changes' });
  await until('the edit is stored', async () => {
    await page.getByRole('button', { name: 'Resolve the conflict' }).click();
    await own.getByRole('radio', { name: 'Title: Theirs' }).waitFor();
    const isStored = (await own.getByRole('radio', { name: /^Summary/ }).count()) > 0;
    await own.getByRole('button', { name: 'Later' }).click();
    return isStored;
  });

  assert.equal(await dialog.getByRole('radio', { name: /^Summary/ }).count(), 0);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('There are further conflicts').waitFor();
  assert.equal(await dialog.getByRole('radio', { name: 'Title: Yours' }).isChecked(), true);
  await dialog.getByRole('radio', { name: 'Title: Theirs' }).check();
  await dialog.getByRole('radio', { name: 'Summary, passage 1: Yours' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The page says that something is pending only after a moment.
  await until('the decision is carried out', async () => {
    const { versionData } = (await client.call('getArticle', { path: { siteId: site.id, id } })).body;
    return versionData.title === 'Theirs' && versionData.summary === 'Mine, too';
  });
  await nothingWaits(deciding);
  await checkAccessibility('waiting changes');
  checkFaults();
});
