/** Where the focus is after what had it has gone: never on nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

const focused = (page: Page, locator: Locator) => locator.and(page.locator(':focus')).waitFor();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1, exact: true });

test('a page that is come to has the focus on its heading, after the sign-in and from the palette; a page that is loaded does not', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await focused(page, heading(page, 'Home'));
  await open('/books');
  await heading(page, 'Books').waitFor();
  assert.equal(await page.evaluate('document.activeElement === document.body'), true);
  // From a button that stays, and back to nothing that was left.
  await page.getByRole('button', { name: 'Search', exact: false }).first().press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('Contacts');
  await page.keyboard.press('Enter');
  await focused(page, heading(page, 'Contacts'));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('Trash');
  await page.keyboard.press('Enter');
  await focused(page, heading(page, 'Trash'));
  checkFaults();
});

test('a dialog that follows another one gives the focus back to what opened the first', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/members');
  const invite = page.getByRole('button', { name: 'Invite', exact: true });
  await invite.press('Enter');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Email address' }).fill('anna@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await focused(page, invite);
  checkFaults();
});

test('the next row has the focus after one was restored from the trash, and the heading after the last', async () => {
  const { server } = console;
  for (const title of ['One', 'Two']) {
    const { id } = await create(server, '/v1/books', { title });
    await server.call('DELETE', `/v1/books/${id}`);
  }
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open('/trash');
  await page.getByRole('button', { name: 'Restore: Two' }).press('Enter');
  await focused(page, page.getByRole('button', { name: 'Restore: One' }));
  await page.keyboard.press('Enter');
  await page.getByText('One restored.').waitFor();
  await focused(page, heading(page, 'Trash'));
  checkFaults();
});

test('Ctrl+S leaves the focus in its field, also of a record that is created by it', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books/new');
  const subtitle = page.getByRole('textbox', { name: 'Subtitle', exact: true });
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Ulysses');
  await subtitle.fill('A novel');
  await page.keyboard.press('Control+s');
  await heading(page, 'Ulysses').waitFor();
  await focused(page, subtitle);
  await page.keyboard.type('!');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await focused(page, subtitle);
  checkFaults();
});

test('a page that is left by a button that goes with it has the focus on its heading', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const { id } = await create(console.server, '/v1/books', { title: 'Dubliners' });
  await open(`/books/${id}`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Exiles');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Saved.').waitFor();
  await focused(page, heading(page, 'Exiles'));
  // A press on nothing is meant, and stays.
  await page.getByRole('textbox', { name: 'Title', exact: true }).focus();
  await page.locator('main').click({ position: { x: 5, y: 400 } });
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.matches("input, h1")'), false);
  checkFaults();
});

test('how people sign in is asked for once on each page from which they come to the sign-in, and used', async () => {
  for (const path of ['/sign-in', '/link#secret', '/reset#secret', '/invitation#secret']) {
    const { page, context, open } = await console.openPage();
    await page.addInitScript(`globalThis.fetched = []; const { fetch: given } = globalThis;
      globalThis.fetch = (...request) => { fetched.push(String(request[0])); return given(...request); };`);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction('fetched.includes("/auth/methods")');
    assert.equal(requests.filter((name) => name === '/auth/methods').length, 1, path);
    await context.close();
  }
});
