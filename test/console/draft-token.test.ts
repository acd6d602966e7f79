/** What the editor saves by itself, in a real browser: it is sent without the right to publish, so it publishes and approves nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { VersionStatus } from '@trellis/schema/resources/article-transitions.ts';
import type { Page } from 'playwright-core';
import { inOneHour, TestArticles } from '../support/articles.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

let console: TestConsole;
let articles: TestArticles;

before(async () => {
  console = await startTestConsole();
  articles = await TestArticles.inNewSite(console.server, 'drafts');
});
after(() => console.close());

const titleOf = (page: Page) => page.getByPlaceholder('Title');
const isSaved = (page: Page) => page.getByText(/^Saved · /).waitFor();
const read = async (path: string): Promise<Json> => (await console.server.call('GET', path)).json;

/** Opens an article of a status, and notes which scopes its changes are sent with: `drafts`, or undefined for all. */
async function open(status: VersionStatus) {
  const path = await articles.createWithStatus(status);
  const opened = await console.openAs(console.server.ownerId);
  const sent: (string | undefined)[] = [];
  opened.page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.headers()['trellis-session-scopes']);
  });
  await opened.open(path.slice('/v1'.length));
  await titleOf(opened.page).waitFor();
  return { ...opened, path, sent };
}

/** Waits for the reports of the browser too: a change can be read from the server before its request is reported. */
async function areSent(sent: readonly (string | undefined)[], scopes: readonly (string | undefined)[]) {
  await until('the requests are reported', () => sent.length >= scopes.length);
  assert.deepEqual(sent, scopes);
}

test('each change that is saved by itself is sent for drafts alone, and a publication is not', async () => {
  const { page, path, sent, checkFaults } = await open('DRAFT');
  for (const title of ['One', 'Two']) {
    await titleOf(page).fill(title);
    await until('it is saved', async () => (await read(path)).versionData.title === title);
  }
  await page.getByLabel('Allow comments').check();
  await until('it is saved', async () => (await read(path)).articleData.allowComments === true);
  await areSent(sent, ['drafts', 'drafts', 'drafts']);
  await isSaved(page);
  await page.getByRole('button', { name: 'Status: Draft' }).click();
  await page.getByRole('menuitem', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Status: Published' }).waitFor();
  assert.deepEqual(sent.slice(3), [undefined]);
  // Readers see it at once.
  await page.getByLabel('Allow comments').uncheck();
  await page.getByRole('button', { name: 'Apply for readers' }).click();
  await until('readers see it', async () => (await read(path)).articleData.allowComments === false);
  await areSent(sent, ['drafts', 'drafts', 'drafts', undefined, undefined]);
  await titleOf(page).fill('Beside it');
  await until('it is saved', async () => (await read(path)).state === 'CHANGED');
  await areSent(sent, ['drafts', 'drafts', 'drafts', undefined, undefined, 'drafts']);
  checkFaults();
});

test('what is saved by itself publishes nothing, even if it asks for that', async () => {
  const { page, path, checkFaults } = await open('DRAFT');
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const { versionData } = route.request().postDataJSON();
    await route.continue({
      postData: JSON.stringify({ versionData: { ...versionData, status: 'PUBLISHED' } }),
    });
  });
  const responded = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await titleOf(page).fill('Out there');
  const response = await responded;
  assert.equal(response.status(), 403);
  assert.equal((await response.json()).code, 'insufficient_scope');
  await page.getByText(/^Not saved: /).waitFor();
  const { state, version } = await read(path);
  assert.deepEqual([state, version], ['UNPUBLISHED', 1]);
  checkFaults();
});

test('the text of an approved article is saved by a button, before it can be published', async () => {
  const { page, path, sent, checkAccessibility, checkFaults } = await open('APPROVED');
  const { version } = await read(path);
  await titleOf(page).fill('Approved, and changed');
  const save = page.getByRole('button', { name: 'Save and approve' });
  await save.waitFor();
  await page.getByRole('button', { name: 'Publish' }).and(page.locator('[aria-disabled]')).waitFor();
  await page.getByRole('button', { name: /^Status: / }).click();
  await page.getByRole('menuitem').getByText('Save the approved text first.').waitFor();
  await page.keyboard.press('Escape');
  await checkAccessibility('changed text of an approved article');
  await page.getByRole('link', { name: 'Books' }).click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay on the page' })
    .click();
  assert.equal((await read(path)).version, version);
  await save.click();
  await isSaved(page);
  const { versionData } = await read(path);
  assert.deepEqual([versionData.title, versionData.status], ['Approved, and changed', 'APPROVED']);
  assert.deepEqual(sent, [undefined]);
  checkFaults();
});

test('what readers see and the text of an approved version beside it are saved by buttons of their own', async () => {
  const { page, path, sent, checkFaults } = await open('PUBLISHED');
  await articles.change(path, { title: 'Approved' });
  await articles.change(path, { status: 'IN_REVIEW' });
  await articles.change(path, { status: 'APPROVED' });
  await page.reload();
  await titleOf(page).fill('Approved, and changed');
  await page.getByLabel('Allow comments').check();
  await page.getByRole('button', { name: 'Save and approve' }).waitFor();
  await page.getByRole('button', { name: 'Apply for readers' }).click();
  await until('readers see it', async () => (await read(path)).articleData.allowComments === true);
  assert.equal((await read(path)).versionData.title, 'Approved');
  await page.getByRole('button', { name: 'Save and approve' }).click();
  await until('it is saved', async () => (await read(path)).versionData.title === 'Approved, and changed');
  await areSent(sent, [undefined, undefined]);
  checkFaults();
});

test('what was typed before somebody else has approved the article is not approved without a question', async () => {
  const { page, context, path, sent, checkAccessibility, checkFaults } = await open('IN_REVIEW');
  await context.setOffline(true);
  await titleOf(page).fill('Typed before');
  await page.getByText(/^Kept in this browser/).waitFor();
  await articles.change(path, { status: 'APPROVED' });
  await context.setOffline(false);
  await page.getByText('Not saved: it has been approved or published').waitFor();
  assert.equal((await read(path)).versionData.title, 'A title');
  await checkAccessibility('approved meanwhile');
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await isSaved(page);
  const { versionData } = await read(path);
  assert.deepEqual([versionData.title, versionData.status], ['Typed before', 'APPROVED']);
  assert.equal(sent.at(-1), undefined);
  assert.ok(sent.slice(0, -1).every((scopes) => scopes === 'drafts'));
  checkFaults();
});

test('what was typed before somebody else has scheduled the article does not cancel its publication without a question', async () => {
  const { page, context, path, sent, checkAccessibility, checkFaults } = await open('DRAFT');
  await context.setOffline(true);
  await titleOf(page).fill('Typed before');
  await page.getByText(/^Kept in this browser/).waitFor();
  const { version, versionData: planned } = await articles.change(path, {
    status: 'SCHEDULED',
    scheduledFor: inOneHour(),
  });
  await context.setOffline(false);
  await page.getByText(/^Not saved: it has been scheduled/).waitFor();
  const isStillPlanned = async () => {
    const stored = await read(path);
    assert.deepEqual([stored.version, stored.versionData], [version, planned]);
    assert.equal(stored.versionData.status, 'SCHEDULED');
  };
  await isStillPlanned();
  await checkAccessibility('scheduled meanwhile');
  // What is typed then is as little sent, and stays there, too.
  const first = sent.length;
  await titleOf(page).fill('Typed before and after');
  await until('it was tried', () => sent.length > first);
  await page.getByText(/^Not saved: it has been scheduled/).waitFor();
  await isStillPlanned();
  await page.reload();
  await page.getByText(/^Not saved: it has been scheduled/).waitFor();
  await until('the title', async () => (await titleOf(page).inputValue()) === 'Typed before and after');
  await isStillPlanned();
  const before = sent.length;
  assert.ok(sent.every((scopes) => scopes === 'drafts'));
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await isSaved(page);
  const { versionData } = await read(path);
  assert.deepEqual([versionData.title, versionData.status], ['Typed before and after', 'DRAFT']);
  assert.ok(sent.length > before && sent.slice(before).every((scopes) => scopes === undefined));
  checkFaults();
});

test('what was typed before the page knows that the article is scheduled is kept until somebody asks', async () => {
  const { page, path, sent, checkAccessibility, checkFaults } = await open('DRAFT');
  const { versionData: planned } = await articles.change(path, {
    status: 'SCHEDULED',
    scheduledFor: inOneHour(),
  });
  await titleOf(page).fill('Typed before');
  // Within the two seconds after the last key.
  await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
  await page.getByText(/^Not saved: it has been scheduled/).waitFor();
  await checkAccessibility('scheduled while typing');
  await page.getByRole('link', { name: 'Books' }).click();
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay on the page' })
    .click();
  assert.deepEqual([(await read(path)).versionData, sent], [planned, []]);
  assert.equal(await titleOf(page).inputValue(), 'Typed before');
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await isSaved(page);
  const { versionData } = await read(path);
  assert.deepEqual([versionData.title, versionData.status], ['Typed before', 'DRAFT']);
  assert.deepEqual(sent, [undefined]);
  checkFaults();
});
