/** What menus of statuses offer: the changes that are possible now, and one sentence for the others. A double click makes one change. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { TestArticles } from '../support/articles.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let articles: TestArticles;

before(async () => {
  console = await startTestConsole();
  articles = await TestArticles.inNewSite(console.server, 'blog');
});
after(() => console.close());

const pageOf = (path: string) => path.slice('/v1'.length);
const statusOf = async (path: string): Promise<string> =>
  (await console.server.call('GET', path)).json.versionData.status;

/** What the open menu offers, and the sentences below. */
async function readMenu(page: Page) {
  const entries = page.getByRole('menu').getByRole('menuitem');
  await entries.first().waitFor();
  const read = async (wanted: boolean) => {
    const found = await entries.all();
    const disabled = await Promise.all(found.map((one) => one.getAttribute('aria-disabled')));
    const chosen = found.filter((_, index) => (disabled[index] === 'true') === wanted);
    return Promise.all(chosen.map(async (one) => (await one.innerText()).trim()));
  };
  return { offered: await read(false), notes: await read(true) };
}

test('the status menu of an article offers what is possible, and says in one sentence why nothing else is', async () => {
  const draft = await articles.createWithStatus('DRAFT');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(pageOf(draft));
  await page.getByRole('button', { name: 'Status: Draft' }).click();
  assert.deepEqual(await readMenu(page), {
    offered: ['Submit for review', 'Schedule…', 'Publish', 'Archive'],
    notes: ['No other status can follow “Draft”.'],
  });
  await checkAccessibility('status menu');
  // The sentence is reached by the arrows like the moves.
  await page.keyboard.press('ArrowUp');
  const focused = page.locator('[role=menuitem]:focus');
  await until('the sentence', async () => (await focused.innerText()).includes('No other status'));
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('menu').count(), 1);
  assert.equal(await statusOf(draft), 'DRAFT');

  const archived = await articles.createWithStatus('ARCHIVED');
  await open(pageOf(archived));
  await page.getByRole('button', { name: 'Status: Archived' }).click();
  assert.deepEqual(await readMenu(page), {
    offered: [],
    notes: ['No other status can follow “Archived”.'],
  });
  checkFaults();
});

test('the status menu says once which right is missing', async () => {
  const { server } = console;
  const author = await createMember(server.database.worker, server.organization, 'AUTHOR');
  const { token } = await createToken(server.database.worker, server.organization, author);
  const body = { versionData: { title: 'By an author', body: 'Text.' } };
  const { id } = (await server.call('POST', articles.path, { body, token })).json;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(author);
  await open(pageOf(`${articles.path}/${id}`));
  await page.getByRole('button', { name: 'Status: Draft' }).click();
  const { offered, notes } = await readMenu(page);
  assert.deepEqual(offered, ['Submit for review']);
  assert.deepEqual(
    notes.map((note) => note.split(/\n+/)),
    [['The role Author cannot publish these records.', 'No other status can follow “Draft”.']],
  );
  await checkAccessibility('status menu of an author');
  checkFaults();
});

test('a double click on “Approve” approves, and does not ask whether to publish', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  // The second press of a double click comes when the first one is done, and the next button is there.
  const path = await articles.createWithStatus('IN_REVIEW');
  await open(pageOf(path));
  const approve = page.getByRole('button', { name: 'Approve' });
  const box = await approve.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.waitFor();
  const under = await publish.boundingBox();
  assert.ok(under && under.x < box.x + box.width / 2 && under.x + under.width > box.x + box.width / 2);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.getByRole('button', { name: 'Status: Approved' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  // A press of its own asks.
  await publish.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  const other = await articles.createWithStatus('IN_REVIEW');
  await open(pageOf(other));
  await approve.dblclick();
  await page.getByRole('button', { name: 'Status: Approved' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual([await statusOf(path), await statusOf(other)], ['APPROVED', 'APPROVED']);
  checkFaults();
});

test('the statuses of selected records are those that one of them can have next', async () => {
  const { server } = console;
  for (const status of ['PLANNED', 'ACTIVE'])
    await create(server, '/v1/magazines', { title: `Magazine ${status}`, status });
  const published = await articles.createWithStatus('PUBLISHED');
  await articles.change(published, { title: 'Changed', body: 'again' });
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(server.ownerId);
  await open(`${pageOf(articles.path)}?search=Changed`);
  await page.getByRole('checkbox', { name: 'Select Changed' }).check();
  await page.getByRole('button', { name: 'Change status' }).click();
  // The published version beside the draft can be unpublished.
  assert.deepEqual(await readMenu(page), {
    offered: ['In review', 'Scheduled', 'Published', 'Archived', 'Unpublished'],
    notes: ['No other status can follow those of the selection.'],
  });
  await checkAccessibility('statuses of a selection');

  await open('/magazines');
  await page.getByRole('checkbox', { name: 'Select Magazine PLANNED' }).check();
  await page.getByRole('button', { name: 'Change status' }).click();
  assert.deepEqual((await readMenu(page)).offered, ['Active']);
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Select Magazine ACTIVE' }).check();
  await page.getByRole('button', { name: 'Change status' }).click();
  assert.deepEqual((await readMenu(page)).offered, ['Active', 'Suspended']);
  checkFaults();
});
