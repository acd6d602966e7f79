/** What a page asks for by itself after its session has ended, and what stays of it when nothing can be asked, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { until } from '../support/until.ts';
import { create } from '../support/writes.ts';

let console: TestConsole;
let account: TestAccount;

before(async () => {
  console = await startTestConsole({ streamLifetimeMs: 1_000 });
  account = await givePassword(console.server.database.auth, console.server.ownerId);
});
after(() => console.close());

async function endSessions(): Promise<void> {
  for (const [table, condition] of [
    ['sessions', 'true'],
    ['tokens', 'session_id IS NOT NULL'],
  ]) {
    await console.server.database.auth.run(
      `UPDATE trellis.${table} SET last_used_at = now() - interval '61 minutes' WHERE ${condition}`,
    );
  }
}

async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(account.password);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
}

test('a page whose session has ended asks for nothing until the same person signs in again, and then follows events', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  const underWay = new Set<Request>();
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  const opened = page.waitForResponse((response) => response.url().includes('/v1/events/stream'));
  await open('/sites');
  assert.equal((await opened).status(), 200);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await endSessions();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).waitFor();
  // What was under way, and what follows it.
  await page.waitForTimeout(1_000);
  await until('nothing is under way', () => underWay.size === 0);
  requests.length = 0;
  await page.waitForTimeout(3_000);
  assert.deepEqual(requests, []);
  const followed = page.waitForResponse(
    (response) => response.url().includes('/v1/events/stream') && response.status() === 200,
  );
  await signInAgain(page);
  await followed;
  checkFaults();
});

test('a form and an article that stay open over another sign-in are saved', async () => {
  const { server } = console;
  const book = await create(server, '/v1/books', { title: 'Emma' });
  const site = await create(server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const versionData = { title: 'Before' };
  const article = await create(server, `/v1/sites/${site.id}/articles`, { versionData });
  const { page, open, checkFaults } = await console.openAs(server.ownerId);
  await open(`/books/${book.id}`);
  // The first key tells the server that somebody is there; arriving later, it would keep the session alive.
  const noted = page.waitForResponse((response) => response.url().endsWith('/auth/session/use'));
  await page.getByLabel('Subtitle').fill('A Novel');
  await noted;
  await endSessions();
  await signInAgain(page);
  assert.equal(await page.getByLabel('Subtitle').inputValue(), 'A Novel');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('complementary').getByText('2', { exact: true }).waitFor({ state: 'attached' });
  assert.equal((await server.call('GET', `/v1/books/${book.id}`)).json.subtitle, 'A Novel');

  await open(`/sites/${site.id}/articles/${article.id}`);
  await page.getByPlaceholder('Title').waitFor();
  await endSessions();
  await signInAgain(page);
  await page.getByPlaceholder('Title').fill('After');
  await page.getByText(/^Saved · /).waitFor();
  const saved = await server.call('GET', `/v1/sites/${site.id}/articles/${article.id}`);
  assert.equal(saved.json.versionData.title, 'After');
  checkFaults();
});

test('what is open stays when it cannot be asked who is signed in', async () => {
  const { page, open, checkFaults } = await console.openAs(console.server.ownerId);
  await page.clock.install();
  await open('/sites/new');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Half a na');
  const refuse = /\/auth\/(?:session|organizations)$/;
  await page.route(refuse, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'overloaded', status: 503, title: 'Busy', detail: 'Busy.', errors: [] }),
    }),
  );
  const responses = ['session', 'organizations'].map((what) =>
    page.waitForResponse((response) => response.url().endsWith(`/auth/${what}`) && response.status() === 503),
  );
  await page.clock.fastForward(61_000);
  // Somebody looks at the tab again.
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  await Promise.all(responses);
  await page.clock.runFor(1_000);
  assert.equal(await name.inputValue(), 'Half a na');
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  await page.unroute(refuse);
  checkFaults();
});
