/** Long forms in sections: rare ones are folded, and open for what is in them or wrong with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember } from '../support/identities.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;

before(async () => {
  console = await startTestConsole();
});
after(() => console.close());

const rare = (page: Page) => page.locator('details').filter({ hasText: 'Further details' });

test('a rare section is folded, and opened by the keyboard', async () => {
  const { server } = console;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open('/crm/contacts/new');
  await page.getByRole('group', { name: 'Person' }).getByRole('textbox', { name: 'First name' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'External ID' }).count(), 0);
  await checkAccessibility('new contact in sections');
  // After the last field of the section before, the heading is the next stop.
  await page.getByRole('textbox', { name: 'Notes' }).press('Tab');
  const heading = rare(page).locator('summary');
  assert.ok(await heading.evaluate((element) => element === element.ownerDocument.activeElement));
  await checkAccessibility('rare section folded');
  await page.keyboard.press('Enter');
  const externalId = page.getByRole('textbox', { name: 'External ID' });
  await externalId.waitFor();
  await checkAccessibility('rare section opened');
  // Enter on a heading submits nothing.
  assert.equal(new URL(page.url()).pathname, '/console/crm/contacts/new');
  await page.keyboard.press('Space');
  await externalId.waitFor({ state: 'hidden' });
  checkFaults();
});

test('a rare section with a value is open from the beginning', async () => {
  const { server } = console;
  const filled = await create(server, '/v1/books', { title: 'Emma', doi: '10.1000/182' });
  const empty = await create(server, '/v1/books', { title: 'Persuasion' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`/books/${filled.id}`);
  const doi = page.getByRole('textbox', { name: 'DOI' });
  await doi.waitFor();
  await checkAccessibility('book in sections');
  // It stays open under the hands that empty it.
  await doi.fill('');
  assert.ok(await doi.isVisible());
  await open(`/books/${empty.id}`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
  assert.equal(await doi.count(), 0);
  checkFaults();
});

test('a fault opens the folded section with its field, which then stays open', async () => {
  const { server } = console;
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open('/books/new');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Lady Susan');
  const heading = rare(page).locator('summary');
  await heading.click();
  const doi = page.getByRole('textbox', { name: 'DOI' });
  await doi.fill('none');
  await heading.click();
  await doi.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  assert.equal(await doi.getAttribute('aria-invalid'), 'true');
  await heading.click();
  await doi.waitFor();
  await doi.fill('10.1000/183');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lady Susan' }).waitFor();
  assert.equal(await doi.inputValue(), '10.1000/183');
  checkFaults();
});

test('what the browser looks for in a folded section opens it', async () => {
  const { server } = console;
  const book = await create(server, '/v1/books', { title: 'Sanditon' });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/books/${book.id}`);
  await rare(page).waitFor();
  // A link to a place inside opens it as searching in the page does.
  await page
    .locator('details input')
    .last()
    .evaluate((input) => {
      const { location } = input.ownerDocument;
      location.hash = input.id;
    });
  await page.getByRole('textbox', { name: 'External ID' }).waitFor();
  await page.getByRole('textbox', { name: 'Subtitle' }).fill('A fragment');
  assert.ok(await page.getByRole('textbox', { name: 'External ID' }).isVisible());
  checkFaults();
});

test('sections to read have the values there are, unfolded, and none without', async () => {
  const { server } = console;
  const viewer = await createMember(server.database.worker, server.organization, 'VIEWER');
  const book = await create(server, '/v1/books', { title: 'The Watsons', externalId: 'w-1' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(viewer);
  await open(`/books/${book.id}`);
  await page.getByRole('group', { name: 'Further details' }).getByText('w-1').waitFor();
  await page.getByRole('group', { name: 'Work' }).getByText('The Watsons').waitFor();
  assert.equal(await page.getByRole('group', { name: 'Cover and files' }).count(), 0);
  await checkAccessibility('book to read in sections');
  checkFaults();
});
