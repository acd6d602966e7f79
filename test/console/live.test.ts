/** What others change while a page is open, and the undo of one's own changes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Relay } from '@trellis/server/kernel/events/relay.ts';
import type { Route } from 'playwright-core';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { createMember, createToken } from '../support/identities.ts';
import { startTestRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let relay: Relay;
let colleague: { readonly id: string; readonly token: string };

before(async () => {
  console = await startTestConsole({ streamLifetimeMs: 600_000 });
  const { worker } = console.server.database;
  relay = startTestRelay(console.server.database);
  const id = await createMember(worker, console.server.organization, 'EDITOR');
  colleague = { id, token: (await createToken(worker, console.server.organization, id)).token };
});
after(async () => {
  await relay.stop();
  await console.close();
});

const createBook = (title: string) => create(console.server, '/v1/books', { title });
const byColleague = (method: string, path: string, body?: object) =>
  console.server.call(method, path, { token: colleague.token, ...(body === undefined ? {} : { body }) });

test('rows of a list change where they stand, new ones are announced, and deleted ones marked', async () => {
  const [first, second] = [await createBook('Sense'), await createBook('Sensibility')];
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const streaming = page.waitForRequest((request) => request.url().includes('/v1/events/stream'));
  await open('/books');
  await page.getByRole('link', { name: 'Sensibility' }).waitFor();
  await (await streaming).response();
  await byColleague('PATCH', `/v1/books/${first.id}`, { title: 'Sense, revised' });
  await page.getByRole('link', { name: 'Sense, revised' }).waitFor();
  const titles = page.locator('[role="row"] a');
  assert.deepEqual(await titles.allTextContents(), ['Sensibility', 'Sense, revised'], 'in their order');
  await byColleague('POST', '/v1/books', { title: 'Lesley Castle' });
  const announcement = page.getByRole('button', { name: 'Show one new record' });
  await announcement.waitFor();
  assert.deepEqual(await titles.allTextContents(), ['Sensibility', 'Sense, revised'], 'nothing moved');
  await byColleague('DELETE', `/v1/books/${second.id}`);
  await page.getByRole('row', { name: /Sensibility Deleted/ }).waitFor();
  await checkAccessibility('live list');
  await announcement.click();
  await page.getByRole('link', { name: 'Lesley Castle' }).waitFor();
  assert.deepEqual(await titles.allTextContents(), ['Lesley Castle', 'Sense, revised']);
  checkFaults();
});

test('what was changed while the stream of events was refused is shown as well', async () => {
  const book = await createBook('Evelyn');
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const detail = 'The session has ended.';
  const problem = { type: 'about:blank', title: 'Unauthorized', status: 401, code: 'token_invalid', detail };
  const refuse = async (route: Route) => {
    await page.getByRole('link', { name: 'Evelyn' }).waitFor();
    await byColleague('PATCH', `/v1/books/${book.id}`, { title: 'Evelyn, revised' });
    await until('the event is in the log', async () => {
      const { json } = await console.server.call('GET', `/v1/events?subject=${book.id}&type=book.updated`);
      return json.items.length > 0;
    });
    const body = JSON.stringify(problem);
    await route.fulfill({ status: 401, contentType: 'application/problem+json', body });
  };
  await page.route('**/v1/events/stream*', refuse, { times: 1 });
  await open('/books');
  await page.getByRole('link', { name: 'Evelyn, revised' }).waitFor();
  checkFaults();
});

test('a record says who has changed it, takes it over, and keeps what is being typed', async () => {
  const book = await createBook('The Watsons');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const streaming = page.waitForRequest((request) => request.url().includes('/v1/events/stream'));
  await open(`/books/${book.id}`);
  await (await streaming).response();
  await page.getByLabel('Subtitle').fill('A Fragment');
  await byColleague('PATCH', `/v1/books/${book.id}`, { edition: '2nd' });
  await page.locator('input[value="2nd"]').waitFor();
  await page.getByText(/^Changed by .+ ago$/).waitFor();
  assert.equal(await page.getByLabel('Subtitle').inputValue(), 'A Fragment');
  await byColleague('PATCH', `/v1/books/${book.id}`, { subtitle: 'An Abandoned Novel' });
  await page.getByText(/ changed Subtitle, which you are also editing\./).waitFor();
  assert.equal(await page.getByLabel('Subtitle').inputValue(), 'A Fragment');
  await checkAccessibility('contested field');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Resolve the conflict' }).click();
  await page.getByRole('dialog').getByText('An Abandoned Novel').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('complementary').getByText('4', { exact: true }).waitFor({ state: 'attached' });
  const { json } = await console.server.call('GET', `/v1/books/${book.id}`);
  assert.deepEqual([json.subtitle, json.edition, json.version], ['A Fragment', '2nd', 4]);
  checkFaults();
});

test('an open article takes over what a colleague saves, says who it was, and keeps the cursor', async () => {
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const lines = ['First line.', 'Second line.', 'Third line.'];
  const article = await create(console.server, `/v1/sites/${site.id}/articles`, {
    versionData: { title: 'Lady Susan', body: lines.join('\n') },
  });
  const path = `/sites/${site.id}/articles/${article.id}`;
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  const streaming = page.waitForRequest((request) => request.url().includes('/v1/events/stream'));
  await open(path);
  await (await streaming).response();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.getByText('Third line.').click();
  await page.keyboard.press('End');
  const revised = ['First line, revised.', ...lines.slice(1)].join('\n');
  const saved = await byColleague('PATCH', `/v1${path}`, { versionData: { body: revised } });
  assert.equal(saved.status, 200, saved.text);
  await body.getByText('First line, revised.').waitFor();
  await page.getByText(/^Changed by .+ ago$/).waitFor();
  await page.keyboard.type(' More.');
  await page.getByText(/^Saved · /).waitFor();
  const { json } = await console.server.call('GET', `/v1${path}`);
  assert.equal(json.versionData.body, `${revised} More.`);
  await checkAccessibility('article changed by a colleague');
  checkFaults();
});

test('a change is undone, unless somebody has changed the record since', async () => {
  const book = await createBook('Love and Freindship');
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await open(`/books/${book.id}`);
  const change = async (subtitle: string) => {
    await page.getByLabel('Subtitle').fill(subtitle);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await change('Letters');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await checkAccessibility('undo');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await until('the subtitle', async () => (await page.getByLabel('Subtitle').inputValue()) === '');
  await change('Novel');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await byColleague('PATCH', `/v1/books/${book.id}`, { subtitle: 'In Letters' });
  await undo.click();
  await page.getByText(/^Not undone: .+ has changed Subtitle since\.$/).waitFor();
  const { json } = await console.server.call('GET', `/v1/books/${book.id}`);
  assert.deepEqual([json.subtitle, json.version], ['In Letters', 5]);
  checkFaults();
});
