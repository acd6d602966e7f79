/**
 * Visitor identification in a real Chromium: a website on another origin loads the agent from the server, and is
 * recognized or left alone according to what browsers disclose, store and allow.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { createOwnWorld, type World } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { TenantTables } from '../support/tenant-tables.ts';
import { createPublishableKey } from '../support/visitors.ts';

let browser: Browser;
let server: TestServer;
let world: World;
let tables: TenantTables;
let site: { readonly origin: string; close(): void };

before(async () => {
  browser = await launchChromium();
  server = await startTestServer();
  tables = await TenantTables.open(server.database);
  world = await createOwnWorld(server);
  site = await serveWebsite();
});
after(async () => {
  await browser?.close();
  site?.close();
  await tables?.close();
  await server?.close();
});

/** A customer's website: another origin than the server, with its key in its page. */
async function serveWebsite() {
  let html = '';
  const http = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(http.address() as AddressInfo).port}`;
  const { key } = await createPublishableKey(server, world.organization, siteId(), [origin]);
  html = `<!doctype html><title>Shop</title><script src="${server.url}/agent.js" data-key="${key}"></script>`;
  return {
    origin,
    close: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}

function siteId(): string {
  return world.ids.get('sites') ?? '';
}

interface Identification {
  readonly visitorId: string;
  readonly requestId: string;
  readonly confidence: { readonly score: number };
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Two people's browsers differ in more than their profiles: profiles of one browser have the same signals. */
const berlin: BrowserContextOptions = {
  timezoneId: 'Europe/Berlin',
  locale: 'de-DE',
  viewport: { width: 1280, height: 720 },
  screen: { width: 1920, height: 1080 },
};
const lima: BrowserContextOptions = {
  timezoneId: 'America/Lima',
  locale: 'es-PE',
  viewport: { width: 1024, height: 700 },
  screen: { width: 1366, height: 768 },
};

async function openProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ ...options, userAgent: userAgent() });
  context.setDefaultTimeout(30_000);
  return context;
}

function version(): string {
  return browser.version().split('.')[0] ?? '';
}

function userAgent(): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version()}.0.0.0 Safari/537.36`;
}

/** A tab of a browser as a person has it: one that runs without a screen says so, and is taken for a bot. */
async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: userAgent(),
    userAgentMetadata: {
      brands: ['Chromium', 'Google Chrome'].map((brand) => ({ brand, version: version() })),
      platform: 'Linux',
      platformVersion: '',
      architecture: 'x86',
      model: '',
      mobile: false,
    },
  });
  return page;
}

/** Opens the website in a new tab and identifies the visitor. */
async function visit(context: BrowserContext, consent = 'GRANTED'): Promise<Identification> {
  const page = await openTab(context);
  try {
    await page.goto(`${site.origin}/`);
    return await page.evaluate<Identification>(`Trellis.identify(${JSON.stringify({ consent })})`);
  } finally {
    await page.close();
  }
}

/** Everything that the website can find in the browser. */
async function readStorage(context: BrowserContext): Promise<unknown> {
  const page = await context.newPage();
  try {
    await page.goto(`${site.origin}/`);
    return await page.evaluate(`({ ...localStorage, ...sessionStorage, cookies: document.cookie })`);
  } finally {
    await page.close();
  }
}

const nothing = { cookies: '' };

test('two visits of one browser are one visitor, with browser and device known to the server', async () => {
  const context = await openProfile(berlin);
  const first = await visit(context);
  assert.equal(first.error, null);
  assert.equal(first.confidence.score, 0.5);
  const second = await visit(context);
  assert.equal(second.visitorId, first.visitorId);
  assert.equal(second.confidence.score, 0.99);
  const { json } = await server.call('GET', `/v1/visitors/${first.visitorId}`);
  assert.equal(json.requestId, second.requestId);
  assert.deepEqual(json.browser, { name: 'Chrome', version: `${version()}.0.0.0` });
  assert.deepEqual(json.device, { type: 'desktop' });
  assert.deepEqual(Object.keys((await readStorage(context)) as object), ['trellis_visitor', 'cookies']);

  // Without the stored token, the browser is still recognized by its signals.
  await context.close();
  const cleared = await openProfile(berlin);
  assert.deepEqual(await readStorage(cleared), nothing);
  const third = await visit(cleared);
  assert.equal(third.visitorId, first.visitorId);
  assert.equal(third.confidence.score, 0.6);
  await cleared.close();

  // Another person's browser is another visitor.
  const other = await openProfile(lima);
  const unknown = await visit(other);
  assert.notEqual(unknown.visitorId, first.visitorId);
  assert.equal(unknown.confidence.score, 0.5);
  await other.close();

  // And an erased one is new, whatever it has stored.
  const back = await openProfile(berlin);
  assert.equal((await visit(back)).visitorId, first.visitorId);
  assert.equal((await server.call('DELETE', `/v1/visitors/${first.visitorId}`)).status, 204);
  const fresh = await visit(back);
  assert.notEqual(fresh.visitorId, first.visitorId);
  assert.equal(fresh.confidence.score, 0.5);
  await back.close();
});

test('after DENIED nobody is recognized and nothing is stored in the browser', async () => {
  const context = await openProfile({ ...lima, timezoneId: 'Asia/Tokyo' });
  const known = await visit(context);
  assert.notDeepEqual(await readStorage(context), nothing);
  const refused = await visit(context, 'DENIED');
  assert.equal(refused.error, null);
  assert.notEqual(refused.visitorId, known.visitorId);
  assert.deepEqual(await readStorage(context), nothing);
  await expectTransient(refused.visitorId);
  await context.close();
});

test('Global Privacy Control overrides the consent that a page states', async () => {
  const context = await openProfile({ ...lima, timezoneId: 'Asia/Kolkata' });
  await context.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`,
  );
  const first = await visit(context);
  const second = await visit(context);
  assert.equal(first.error, null);
  assert.notEqual(first.visitorId, second.visitorId);
  assert.deepEqual(await readStorage(context), nothing);
  await expectTransient(first.visitorId);
  await context.close();
});

async function expectTransient(visitorId: string): Promise<void> {
  const rows = await tables.run(
    `SELECT transient, signals_hash, expires_at - first_seen_at = interval '24 hours' AS a_day
     FROM trellis.visitors WHERE id = $1`,
    [decodeId('vis', visitorId)],
  );
  assert.deepEqual(rows, [{ transient: true, signals_hash: null, a_day: true }]);
}

test('an automated browser gets the score 0', async () => {
  const context = await browser.newContext(berlin);
  const page = await context.newPage();
  await page.goto(`${site.origin}/`);
  const found = await page.evaluate<Identification>(`Trellis.identify({ consent: 'GRANTED' })`);
  assert.equal(found.confidence.score, 0);
  await context.close();
});

test('a page of another origin gets no response', async () => {
  const context = await openProfile(berlin);
  const page = await openTab(context);
  // The same pages under another name: the browser sends a preflight request, which is refused.
  await page.goto(`${site.origin.replace('localhost', '127.0.0.1')}/`);
  const found = await page.evaluate<Identification>(`Trellis.identify({ consent: 'GRANTED' })`);
  assert.equal(found.visitorId, null);
  assert.equal(found.error?.code, 'network');
  await context.close();
});

test('the documentation page identifies this browser and calls no other server', async () => {
  const { key } = await createPublishableKey(server, world.organization, siteId(), [server.url]);
  const context = await openProfile({ ...berlin, timezoneId: 'Europe/Lisbon' });
  const page = await openTab(context);
  const complaints: string[] = [];
  const requested = new Set<string>();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requested.add(new URL(request.url()).origin));
  await page.goto(`${server.url}/docs/visitors?key=${key}`);
  const status = page.locator('#status', { hasText: 'You are vis_' });
  await status.waitFor();
  const response = JSON.parse((await page.locator('#response').textContent()) ?? '');
  assert.equal(response.confidence.score, 0.5);
  assert.equal(await status.textContent(), `You are ${response.visitorId}.`);
  await page.getByRole('button', { name: 'Forget the stored token' }).click();
  await page.locator('#status', { hasText: 'was removed' }).waitFor();
  await page.getByRole('button', { name: 'Identify this browser' }).click();
  await status.waitFor();
  const again = JSON.parse((await page.locator('#response').textContent()) ?? '');
  assert.equal(again.visitorId, response.visitorId);
  assert.equal(again.confidence.score, 0.6);
  assert.deepEqual(complaints, []);
  assert.deepEqual([...requested], [server.url]);
  await context.close();
});
