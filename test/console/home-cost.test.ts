/**
 * What the first page costs after an import and a bulk change, in a session whose sign-in is no longer recent: a few small requests, which
 * lock nobody out; and the way on where a recent sign-in is missing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Page, Request } from 'playwright-core';
import { givePassword } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { startTestRelay } from '../support/relay.ts';
import { makeOlder } from '../support/sign-in-age.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

const imported = 1_200;
const changed = 120;
/** How many contacts a session reads without a recent sign-in. */
const most = 300;
/** Each with an article and, beside it, a webhook endpoint. */
const sites = 8;
const atOnce = 20;

let console: TestConsole;
let relay: { stop(): Promise<void> };
let password: string;

before(async () => {
  console = await startTestConsole({ recordsPerDay: most });
  const { server } = console;
  ({ password } = await givePassword(server.database.auth, server.ownerId));
  relay = startTestRelay(server.database);
  await inTurns(sites, async (number) => {
    const site = await create(server, '/v1/sites', { name: `Site ${number}`, key: `site-${number}` });
    await create(server, `/v1/sites/${site.id}/articles`, { versionData: { title: `Draft ${number}` } });
    await create(server, '/v1/webhook-endpoints', {
      url: `https://hooks.example.com/${number}`,
      eventTypes: ['book.*'],
    });
  });
  const ids: string[] = [];
  await inTurns(imported, async (number) => {
    const body = { firstName: 'Person', lastName: `Number ${number}`, notes: 'Met at the fair.' };
    const { status, json, text } = await server.call('POST', '/v1/crm/contacts', { body });
    assert.equal(status, 201, text);
    ids.push(json.id);
  });
  await inTurns(changed, async (number) => {
    const path = `/v1/crm/contacts/${ids[number]}`;
    const { status } = await server.call('PATCH', path, { body: { leadStatus: 'OPEN' } });
    assert.equal(status, 200);
  });
  await until('all is logged', async () => {
    const rows = await server.database.worker.run('SELECT FROM trellis.outbox LIMIT 1');
    return rows.length === 0;
  });
});
after(async () => {
  await relay.stop();
  await console.close();
});

async function inTurns(count: number, work: (number: number) => Promise<void>): Promise<void> {
  for (let begin = 0; begin < count; begin += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - begin) }, (_, index) => begin + index);
    await Promise.all(numbers.map(work));
  }
}

/** Lets 20 minutes pass since everybody signed in. */
async function age(): Promise<void> {
  await makeOlder(console.server.database, 'authenticated_at', 20 * 60);
  // Reads may use what was known two seconds ago.
  await sleep(2_100);
}

/** Reads contacts with the session until the guard of exports refuses whatever it has not read yet. */
async function readMuch(page: Page): Promise<void> {
  const headers = {
    'trellis-organization': encodeId('org', console.server.organization.id),
    'trellis-user': encodeId('user', console.server.ownerId),
  };
  const status = await page.evaluate<number>(`(async () => {
    for (let skipped = 0; skipped < 10; skipped += 1) {
      const path = '/v1/crm/contacts?sort=createdAt&limit=50&fields=version&search=' + encodeURIComponent('Number ' + skipped);
      const { status } = await fetch(path, { headers: ${JSON.stringify(headers)} });
      if (status !== 200) return status;
    }
    return 200;
  })()`);
  assert.equal(status, 401);
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm your identity' });

async function confirm(page: Page): Promise<void> {
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(password);
  await dialogOf(page).getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** Counts what a page asks of the API. */
function watch(page: Page) {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (/^\/(v1|auth)\//.test(new URL(request.url()).pathname)) requests.push(request);
  });
  return {
    take: () => requests.splice(0),
    bytesOf: async (made: readonly Request[]) => {
      const sizes = made
        .filter((request) => !request.url().includes('/v1/events/stream'))
        .map(async (request) => (await request.sizes()).responseBodySize);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
  };
}

test('home asks little after an import and a bulk change, also while it stays open, and locks nobody out', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await age();
  const watched = watch(page);
  const changes = page.getByRole('region', { name: 'Recent changes' });
  const kind = `${imported.toLocaleString('en-GB')} Contacts`;
  await open('/');
  await changes.getByRole('link', { name: kind }).waitFor();
  await changes.getByRole('listitem').filter({ hasText: kind }).getByText('Created').waitFor();
  await changes.getByRole('link', { name: `${sites} Sites` }).waitFor();
  const drafts = page.getByRole('region', { name: 'Your drafts' });
  await drafts.getByRole('link', { name: 'Draft ' }).nth(5).waitFor();
  await page.getByRole('region', { name: 'Scheduled' }).getByText('Nothing is scheduled.').waitFor();
  const first = watched.take().filter((request) => new URL(request.url()).pathname.startsWith('/v1/'));
  const paths = first.map((request) => request.url().replace(console.origin, ''));
  assert.ok(first.length <= 12, `${first.length} requests: ${paths.join(' ')}`);
  const bytes = await watched.bytesOf(first);
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
  await sleep(35_000);
  const later: Request[] = [];
  await until('it asks again', () => later.push(...watched.take()) > 0);
  assert.ok(later.length <= 3, `${later.length} requests while it stays open`);
  for (let visit = 0; visit < 10; visit += 1) {
    await page.reload();
    await changes.getByRole('link', { name: kind }).waitFor();
  }
  await open('/crm/contacts');
  await page
    .getByRole('row', { name: /Person Number/ })
    .first()
    .waitFor();
  checkFaults();
});

test('a list that needs a recent sign-in asks for it, and is shown after it', async () => {
  const { page, open, checkAccessibility, checkFaults } = await console.openAs(console.server.ownerId);
  await age();
  await readMuch(page);
  await open('/crm/contacts');
  await dialogOf(page).getByText('as many contacts within a day as an export').waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  const main = page.getByRole('main');
  await main.getByText('within the last 15 minutes').waitFor();
  await checkAccessibility('list without a recent sign-in');
  await open('/');
  await page
    .getByRole('region', { name: 'Recent changes' })
    .getByRole('link', { name: 'Contacts' })
    .first()
    .waitFor();
  assert.equal(await dialogOf(page).count(), 0);
  await page.goBack();
  await dialogOf(page).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  await main.getByRole('button', { name: 'Confirm your identity' }).first().click();
  await confirm(page);
  await page
    .getByRole('row', { name: /Person Number/ })
    .first()
    .waitFor();
  checkFaults();
});

test('an export that needs a recent sign-in asks for it and goes on, and what is read in the background does not ask', async () => {
  const { page, context, open, checkAccessibility, checkFaults } = await console.openAs(
    console.server.ownerId,
  );
  await open('/crm/contacts');
  await page
    .getByRole('row', { name: /Person Number/ })
    .first()
    .waitFor();
  await age();
  await readMuch(page);
  await context.setOffline(true);
  await sleep(10_500);
  await context.setOffline(false);
  await page.getByRole('alert').getByText('within the last 15 minutes').waitFor();
  assert.equal(await dialogOf(page).count(), 0);
  await page
    .getByRole('row', { name: /Person Number/ })
    .first()
    .waitFor();
  await checkAccessibility('list that was read again without a recent sign-in');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV, visible columns' }).click();
  await dialogOf(page).waitFor();
  await confirm(page);
  await download;
  await page.getByRole('alert').getByText('within the last 15 minutes').waitFor({ state: 'detached' });
  checkFaults();
});

test('an import that needs a recent sign-in asks for it and goes on', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await age();
  await open('/import?resource=contacts');
  await page.getByLabel('Choose files').setInputFiles({
    name: 'late.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('external id,first name,last name\nlate-1,Late,Guest\n'),
  });
  await page.getByText('late.csv').waitFor();
  await readMuch(page);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await confirm(page);
  await page.getByRole('button', { name: 'Import one row' }).click();
  await page.getByRole('region', { name: 'Done', exact: true }).waitFor();
  checkFaults();
});
