/** Bulk changes in the console: exact while the server is killed and the page is loaded again, with a list of what was not changed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '@trellis/client/api-client.ts';
import type { Page } from 'playwright-core';
import { type KillableConsole, startKillableConsole } from '../support/console.ts';
import { amount } from '../support/soak.ts';
import { until } from '../support/until.ts';

const records = amount(250, 2_000);
/** As the page shows it, such as "2,000". */
const shownRecords = records.toLocaleString('en');
/** How long the browser has no network, in ms. */
const offlineMs = amount(2_000, 60_000);
let console: KillableConsole;
let client: ApiClient;

before(async () => {
  console = await startKillableConsole();
  client = new ApiClient({ baseUrl: console.server.url, token: console.token });
});
after(() => console.close());

async function createBooks(count: number, name: string): Promise<string[]> {
  const create = async (number: number) =>
    (await client.call('createBook', { body: { title: `${name} ${number}` } })).body.id;
  const ids: string[] = [];
  for (let number = 0; number < count; number += 10) {
    const some = Array.from({ length: Math.min(10, count - number) }, (_, index) => create(number + index));
    ids.push(...(await Promise.all(some)));
  }
  return ids;
}

const panel = (page: Page) => page.getByRole('region', { name: 'Bulk changes' });

test(`a field of ${records} records is set once each, while the server is killed, the network is gone and the tab is closed`, async () => {
  const ids = await createBooks(records, 'Volume');
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(console.ownerId);
  await open('/books?search=volume');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByText(`${shownRecords} selected`).waitFor();
  await checkAccessibility('selection');
  await page.getByRole('button', { name: 'Set a field' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Edition' });
  await page.getByRole('textbox', { name: 'Edition' }).fill('Second');
  await checkAccessibility('dialog');
  await page.getByRole('button', { name: 'Apply' }).click();
  const readDone = async () => {
    const [, done = '0'] = /([\d,]+) of/.exec(await panel(page).innerText()) ?? [];
    return Number(done.replaceAll(',', ''));
  };
  const reaches = async (share: number) => {
    while ((await readDone()) < records * share) {
      const before = await readDone();
      await until('the next one is done', async () => (await readDone()) > before);
    }
  };
  for (const share of [0.2, 0.4]) {
    await reaches(share);
    await console.server.kill();
    await console.server.start();
    await page.reload();
  }
  await panel(page).getByRole('button', { name: 'Pause' }).click();
  await panel(page).getByText('Paused').waitFor();
  await checkAccessibility('progress');
  await panel(page).getByRole('button', { name: 'Continue' }).click();
  await reaches(0.6);
  checkFaults();
  await context.setOffline(true);
  await sleep(offlineMs);
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(`${console.origin}/console/books`);
  await panel(again)
    .getByText(`Done · ${shownRecords} of ${shownRecords}`)
    .waitFor({ timeout: amount(120_000, 240_000) });
  const expected = new Set(ids);
  for await (const { id, version, edition } of client.iterate('listBooks', { query: { limit: 100 } })) {
    if (expected.delete(id)) assert.deepEqual([version, edition], [2, 'Second']);
  }
  assert.equal(expected.size, 0);
  await panel(again).getByRole('button', { name: 'Close' }).click();
  await panel(again).waitFor({ state: 'detached' });
});

test('what cannot be changed is listed with the reason', async () => {
  const [changed = ''] = await createBooks(2, 'Leaflet');
  const { page, open } = await console.openAs(console.ownerId);
  await open('/books?search=leaflet');
  await page.getByRole('checkbox', { name: 'Select Leaflet 0' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByText('2 selected').waitFor();
  await client.call('updateBook', { path: { id: changed }, body: { subtitle: 'Changed meanwhile' } });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  // The others may still be under way when the first one has failed.
  await panel(page).getByText('Done · 1 of 2 · one not changed').waitFor();
  const downloading = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Download list' }).click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  // Spreadsheets know UTF-8 by its mark.
  assert.match(csv, new RegExp(`^\ufeffid,code,reason\r\n${changed},version_mismatch,`));
  const ids = (await client.call('listBooks', { query: { search: 'leaflet' } })).body.items.map(
    ({ id }) => id,
  );
  assert.deepEqual(ids, [changed]);
});

test('a field that was set is undone, except where somebody has changed the record since', async () => {
  const [changed = ''] = await createBooks(3, 'Brochure');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.ownerId);
  await open('/books?search=brochure');
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Set a field' }).click();
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Edition' });
  await page.getByRole('textbox', { name: 'Edition' }).fill('Second');
  await page.getByRole('button', { name: 'Apply' }).click();
  await panel(page).getByText('Done · 3 of 3').waitFor();
  await checkAccessibility('undo');
  await client.call('updateBook', { path: { id: changed }, body: { edition: 'Third' } });
  await panel(page).getByRole('button', { name: 'Undo' }).click();
  await panel(page).getByText('Undo: Books: Edition set').waitFor();
  await panel(page).getByText('one not changed').waitFor();
  const { items } = (await client.call('listBooks', { query: { search: 'brochure' } })).body;
  assert.deepEqual(items.map(({ edition }) => edition).sort(), ['Third', null, null]);
  checkFaults();
});

test('a tag is added to contacts that have others, and taken out again', async () => {
  const lists = [['guest'], ['speaker', 'new'], []];
  for (const [index, tags] of lists.entries())
    await client.call('createContact', {
      body: { firstName: 'Tagged', lastName: `No ${index}`, tags },
    });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.ownerId);
  const tags = async () => {
    const { items } = (await client.call('listContacts', { query: { search: 'tagged' } })).body;
    return items
      .toSorted((one, other) => (one.lastName ?? '').localeCompare(other.lastName ?? ''))
      .map((item) => item.tags);
  };
  const edit = async (how: string) => {
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('button', { name: 'Set a field' }).click();
    await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Tags' });
    await page.getByLabel('Action', { exact: true }).selectOption({ label: how });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter a value first.').waitFor();
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).fill('new');
    await page.keyboard.press('Enter');
    await checkAccessibility('list');
    await page.getByRole('button', { name: 'Apply' }).click();
    await panel(page).getByText('Done · 3 of 3').waitFor();
  };
  await open('/crm/contacts?search=tagged');
  await edit('Add to the current values');
  assert.deepEqual(await tags(), [['guest', 'new'], ['speaker', 'new'], ['new']]);
  await panel(page).getByRole('button', { name: 'Undo 2 of them' }).waitFor();
  await panel(page).getByRole('button', { name: 'Close' }).click();
  await edit('Remove from the current values');
  assert.deepEqual(await tags(), [['guest'], ['speaker'], []]);
  checkFaults();
});
