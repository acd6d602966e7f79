/** People at work with filters: what is missing, what lies in a period, and one of several values, in words and kept by the address. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { halves, readUploads } from '../support/pictures.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let reading: { stop(): Promise<void> };

before(async () => {
  console = await startTestConsole();
  reading = await readUploads(console.server);
  const { server } = console;
  const cover = await create(server, '/v1/knowledge-files', {
    name: 'Cover of roots',
    visibility: 'ORGANIZATION',
  });
  await server.call('PUT', `/v1/knowledge-files/${cover.id}/content`, { rawBody: await halves(64, 96) });
  for (const book of [
    { title: 'Roots', coverFileId: cover.id, publicationDate: '2026-05-31', edition: 'First' },
    { title: 'Leaves', publicationDate: '2026-05', edition: 'First' },
    { title: 'Branches', publicationDate: '2026-06-01' },
  ])
    await create(server, '/v1/books', book);
  for (const contact of [
    { firstName: 'Ada', lifecycleStage: 'LEAD' },
    { firstName: 'Berta', lifecycleStage: 'CUSTOMER' },
  ])
    await create(server, '/v1/crm/contacts', contact);
});
after(async () => {
  await reading.stop();
  await console.close();
});

const row = (page: Page, name: string): Locator => page.getByRole('row', { name: new RegExp(name) });

/** By keyboard: Enter takes the first field that is found. */
async function chooseField(page: Page, label: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
  await page.getByRole('combobox', { name: 'Find a field' }).pressSequentially(label);
  const found = page.getByRole('listbox', { name: 'Filter', exact: true }).getByRole('option');
  await found
    .first()
    .and(page.getByRole('option', { name: label, exact: true }))
    .waitFor();
  await page.keyboard.press('Enter');
  return page.getByRole('group', { name: label, exact: true });
}

const filtersIn = (page: Page) => [...new URL(page.url()).searchParams].sort();

test('an office manager lists books without a cover, and gives one', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/books');
  await row(page, 'Roots').waitFor();
  const condition = await chooseField(page, 'Cover');
  await condition.getByLabel('Cover: condition').selectOption({ label: 'is empty' });
  await row(page, 'Roots').waitFor({ state: 'detached' });
  await row(page, 'Leaves').waitFor();
  assert.deepEqual(filtersIn(page), [['coverFileId[exists]', 'false']]);
  await checkAccessibility('books without a cover');
  await page.getByRole('link', { name: 'Leaves' }).click();
  const field = page.getByRole('group', { name: 'Cover', exact: true });
  await field.getByRole('button', { name: 'Choose', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Choose a picture' })
    .getByRole('button', { name: /Cover of roots/ })
    .click();
  await page.getByRole('button', { name: 'Save' }).click();
  await until('the cover is stored', async () => {
    const { json } = await console.server.call('GET', '/v1/books?coverFileId[exists]=true');
    return json.items.length === 2;
  });
  await page.goBack();
  await row(page, 'Branches').waitFor();
  await row(page, 'Leaves').waitFor({ state: 'detached' });
  checkFaults();
});

test('a salesperson lists contacts without an owner, and takes them in bulk', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/crm/contacts');
  await row(page, 'Ada').waitFor();
  const condition = await chooseField(page, 'Owner');
  await condition.getByLabel('Owner: condition').selectOption({ label: 'is empty' });
  await row(page, 'Berta').waitFor();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Set a field' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Owner' });
  await page.getByRole('dialog').getByRole('combobox', { name: 'Owner' }).click();
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Done · 2 of 2').waitFor();
  await condition.getByLabel('Owner: condition').selectOption({ label: 'is not empty' });
  await row(page, 'Ada').waitFor();
  await row(page, 'Berta').waitFor();
  assert.deepEqual(filtersIn(page), [['ownerUserId[exists]', 'true']]);
  checkFaults();
});

test('books published in May are listed, in a saved address and on a telephone', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await page.setViewportSize({ width: 360, height: 740 });
  await open('/books');
  await row(page, 'Branches').waitFor();
  await chooseField(page, 'Publication date');
  await page.getByRole('textbox', { name: 'Publication date from' }).fill('1 May 2026');
  await page.getByRole('textbox', { name: 'Publication date to' }).fill('31 May 2026');
  await row(page, 'Branches').waitFor({ state: 'detached' });
  await row(page, 'Roots').waitFor();
  await row(page, 'Leaves').waitFor();
  assert.deepEqual(filtersIn(page), [
    ['publicationDate[gte]', '2026-05-01'],
    ['publicationDate[lte]', '2026-05-31'],
  ]);
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
    true,
    'nothing stands beside the window',
  );
  await checkAccessibility('a range on a telephone');
  await page.reload();
  await row(page, 'Roots').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Publication date to' }).inputValue(), '2026-05-31');
  checkFaults();
});

test('one of several stages, said in words, and a part of a text', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await open('/crm/contacts');
  await row(page, 'Ada').waitFor();
  const stage = await chooseField(page, 'Lifecycle stage');
  await stage.getByRole('combobox', { name: 'Lifecycle stage', exact: true }).fill('Lead');
  await page.getByRole('option', { name: 'Lead', exact: true }).click();
  await row(page, 'Berta').waitFor({ state: 'detached' });
  await stage.getByRole('combobox', { name: 'Lifecycle stage', exact: true }).fill('Cust');
  await page.getByRole('option', { name: 'Customer', exact: true }).click();
  await row(page, 'Berta').waitFor();
  assert.deepEqual(filtersIn(page), [['lifecycleStage', 'LEAD,CUSTOMER']]);
  await stage.getByText('is one of').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await chooseField(page, 'First name');
  await page.keyboard.type('BERT');
  await row(page, 'Ada').waitFor({ state: 'detached' });
  await row(page, 'Berta').waitFor();
  checkFaults();
});
