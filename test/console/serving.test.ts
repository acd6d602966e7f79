/** How the console is built and served: once for each state of its sources, with immutable files and a strict policy. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { prepareConsole } from '@trellis/server/console/prepare.ts';
import { launchChromium } from '../support/chromium.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let folder: string;
let server: TestServer;
let built: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-serving-'));
  const build = await prepareConsole(folder);
  await build.done;
  built = build.folder;
  server = await startTestServer({ console: build });
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('every path below /console is the page, with a nonce of its own', async () => {
  const nonces = new Set<string>();
  for (const path of ['/console', '/console/', '/console/sign-in', '/console/crm/contacts/con_1']) {
    const response = await fetch(`${server.url}${path}`);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.doesNotMatch(policy, /unsafe/);
    assert.match(policy, /default-src 'none'/);
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1] ?? '';
    const html = await response.text();
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    assert.ok(scripts.length >= 2);
    for (const script of scripts) assert.ok(script.includes(`nonce="${nonce}"`), script);
    assert.ok(!html.includes('__CONSOLE_NONCE__'));
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 4);
});

test('files are immutable and compressed as the browser accepts it', async () => {
  const html = await (await fetch(`${server.url}/console`)).text();
  const path = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const read = async (coding: string) => {
    const response = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': coding } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('content-encoding'), coding === 'identity' ? null : coding);
    return Buffer.from(await response.arrayBuffer()).length;
  };
  const lengths = [await read('identity'), await read('gzip'), await read('br')];
  assert.equal(new Set(lengths).size, 1, 'fetch decodes all to the same text');
  const name = path.slice(path.lastIndexOf('/') + 1);
  const content = await readFile(join(built, 'assets', name));
  assert.ok(gunzipSync(await readFile(join(built, 'assets', `${name}.gz`))).equals(content));
  assert.ok(brotliDecompressSync(await readFile(join(built, 'assets', `${name}.br`))).equals(content));
});

test('a file that there is not is 404, and no path leaves the folder', async () => {
  for (const name of ['nothing.js', '..%2Findex.html', '%2e%2e%2findex.html']) {
    assert.equal((await fetch(`${server.url}/console/assets/${name}`)).status, 404, name);
  }
});

test('the console is built once for each state of its sources', async () => {
  const list = () => readdir(join(built, '..'));
  const before = await list();
  const again = await prepareConsole(folder);
  await again.done;
  assert.equal(again.folder, built);
  assert.deepEqual(await list(), before);
});

test('while it is built, /console says so and loads itself again', async () => {
  const waiting = await startTestServer({ console: { folder: join(folder, 'not-there') } });
  try {
    const response = await fetch(`${waiting.url}/console/sign-in`);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.match(await response.text(), /<meta http-equiv="refresh" content="1">[\s\S]*Building the console/);
    // Also at an address with a fragment, as links for signing in have.
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${waiting.url}/console/link#secret`);
      await until('it has loaded itself twice', async () => requests.length >= 3);
      assert.equal(page.url(), `${waiting.url}/console/link#secret`);
    } finally {
      await browser.close();
    }
  } finally {
    await waiting.close();
  }
});

test('the page and its files get a response also when the server is overloaded', async () => {
  const busy = await startTestServer({ console: { folder: built }, maxLagMs: 250 });
  try {
    const html = await (await fetch(`${busy.url}/console`)).text();
    const file = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    await until('a request is refused', async () => {
      const requests = ['/console', file, '/auth/methods'].map((path) => fetch(`${busy.url}${path}`));
      blockFor(600);
      const [page, script, other] = (await Promise.all(requests)).map(({ status }) => status);
      assert.deepEqual([page, script], [200, 200]);
      return other === 503;
    });
  } finally {
    await busy.close();
  }
});

test('an overloaded server whose console is still being built says so on a page', async () => {
  const busy = await startTestServer({ console: { folder: join(folder, 'not-there') }, maxLagMs: 250 });
  try {
    await until('a request is refused', async () => {
      const requests = ['/console/sign-in', '/auth/methods'].map((path) => fetch(`${busy.url}${path}`));
      blockFor(600);
      const [page, other] = await Promise.all(requests);
      assert.match((await page?.text()) ?? '', /Building the console/);
      return other?.status === 503;
    });
  } finally {
    await busy.close();
  }
});

/** Keeps the process, and so the server, from doing anything. */
function blockFor(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

test('without the console there is no such path', async () => {
  const bare = await startTestServer();
  try {
    assert.equal((await fetch(`${bare.url}/console`)).status, 404);
  } finally {
    await bare.close();
  }
});
