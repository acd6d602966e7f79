/** `trellis serve`: the first start, a second start, stopping and dying. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import {
  cleanEnvironment,
  runCommand,
  runProgram,
  type ServingProgram,
  settingsOf,
  startServing,
} from '../support/program.ts';
import type { Json } from '../support/server.ts';

let dataDir: string;
let database: TestDatabase;
before(async () => {
  dataDir = await makeDataDirectory('serve');
  database = await createTestDatabase({ poolSize: 2 });
});
after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const readDemo = async (): Promise<Json> => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));

async function get(url: string, token: string): Promise<{ status: number; json: Json }> {
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const json = (await response.json()) as Json;
    // The server refuses calls when the machine is busy with other tests; a client retries.
    if (response.status !== 503) return { status: response.status, json };
    await sleep(100);
  }
}

async function serveDemo(): Promise<ServingProgram> {
  return startServing(['--demo', '--port', '0', '--data-dir', dataDir], { TRELLIS_LOG_LEVEL: 'warn' });
}

test('the first start creates a demo; a second start on the same folder is refused; commands work meanwhile', async () => {
  const server = await serveDemo();
  try {
    const demo = await readDemo();
    assert.deepEqual(Object.keys(demo), [
      'baseUrl',
      'sandboxUrl',
      'organization',
      'user',
      'siteId',
      'token',
      'sandboxToken',
      'publishableKey',
    ]);
    assert.equal((await stat(join(dataDir, 'demo.json'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, 'secrets.json'))).mode & 0o777, 0o600);
    assert.equal(demo.baseUrl, server.url);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);

    const articles = await get(`${demo.baseUrl}/v1/sites/${demo.siteId}/articles`, demo.token);
    const states = articles.json.items.map((article: Json) => article.state).sort();
    assert.deepEqual([...new Set(states)], ['PUBLISHED', 'UNPUBLISHED']);
    assert.ok(states.length >= 5);
    const plants = await get(`${demo.sandboxUrl}/plants`, demo.sandboxToken);
    assert.equal(plants.json.length, 3);
    assert.equal((await get(`${demo.baseUrl}/v1/sites`, demo.sandboxToken)).status, 401);

    const second = await runProgram(['serve', '--port', '0', '--data-dir', dataDir]);
    assert.equal(second.code, 1);
    assert.match(second.stderr, new RegExp(`in use by process ${server.pid}`));

    const words = ['token', 'create', '--organization', demo.organization, '--user', demo.user];
    const made = await runCommand([...words, '--scopes', 'articles:read', '--json', '--data-dir', dataDir]);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(
      (await get(`${demo.baseUrl}/v1/sites/${demo.siteId}/articles`, made.json().token)).status,
      200,
    );
  } finally {
    assert.equal(await server.end('SIGTERM'), 0);
  }
  assert.deepEqual(
    server.events.map(({ event }) => event),
    ['starting', 'ready', 'stopping', 'stopped'],
  );
});

test('the printed curl command works when pasted', async () => {
  const server = await serveDemo();
  try {
    const { stdout } = await runCommand(['demo', '--data-dir', dataDir]);
    const line = /^ *(curl .*)$/m.exec(stdout)?.[1] ?? '';
    const response = await promisify(execFile)('sh', ['-c', `${line} --silent --show-error`]);
    assert.equal(JSON.parse(response.stdout).items.length, 3);
  } finally {
    await server.end('SIGTERM');
  }
});

test('it stops in order when its launcher was killed', async () => {
  const launcher = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url)),
      ...['serve', '--json', '--port', '0', '--data-dir', dataDir],
    ],
    { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const events: Json[] = [];
  // Closed when the server has ended too, which writes to it.
  const closed = once(launcher.stdout, 'close');
  launcher.stdout.setEncoding('utf8').on('data', (lines: string) => {
    for (const line of lines.trim().split('\n')) events.push(JSON.parse(line));
    if (events.at(-1).event === 'ready') launcher.kill('SIGKILL');
  });
  await closed;
  assert.deepEqual(
    events.map(({ event, signal }) => signal ?? event),
    ['starting', 'ready', 'the end of the launcher', 'stopped'],
  );
});

test('after kill -9 the next start continues, and nothing is created twice', async () => {
  const killed = await serveDemo();
  const before = await readDemo();
  const list = async () => {
    const demo = await readDemo();
    return (await get(`${demo.baseUrl}/v1/sites/${demo.siteId}/articles?limit=100`, demo.token)).json.items;
  };
  const articles = await list();
  await killed.end('SIGKILL');
  const server = await serveDemo();
  try {
    const current = await readDemo();
    assert.deepEqual({ ...current, baseUrl: '', sandboxUrl: '' }, { ...before, baseUrl: '', sandboxUrl: '' });
    assert.equal(current.baseUrl, server.url);
    assert.deepEqual(await list(), articles);
    assert.equal((await get(`${server.url}/v1/sites`, current.token)).json.items.length, 1);
  } finally {
    assert.equal(await server.end('SIGTERM'), 0);
  }
});

test('a start that was killed before demo.json was written is completed by the next one', async () => {
  const first = await serveDemo();
  await first.end('SIGKILL');
  await rm(join(dataDir, 'demo.json'));
  const second = await serveDemo();
  try {
    const demo = await readDemo();
    const sites = await get(`${second.url}/v1/sites`, demo.token);
    assert.deepEqual(
      sites.json.items.map(({ id }: Json) => id),
      [demo.siteId],
    );
    const articles = await get(`${second.url}/v1/sites/${demo.siteId}/articles?limit=100`, demo.token);
    assert.equal(articles.json.items.length, 9);
  } finally {
    await second.end('SIGTERM');
  }
});

test('SIGTERM: not ready at once, current requests finish, and nothing fails', async () => {
  const server = await serveDemo();
  const { token } = await readDemo();
  // Clients behind a load balancer: calls continue until it notices that this server is not ready.
  let stopped = false;
  let responded = 0;
  const clients = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const { status } = await get(`${server.url}/v1/sites`, token);
      assert.equal(status, 200);
      responded += 1;
    }
  });
  await sleep(300);
  const ended = server.end('SIGTERM');
  let ready = await fetch(`${server.url}/readyz`);
  // The signal takes a moment to arrive; after that no call may find it ready.
  while (ready.status === 200) ready = await fetch(`${server.url}/readyz`);
  assert.equal(ready.status, 503);
  assert.equal(ready.headers.get('connection'), 'close');
  stopped = true;
  await Promise.all(clients);
  assert.ok(responded > 0);
  assert.equal(await ended, 0);
});

test('roles that bypass row-level security are refused', async () => {
  for (const [url, reason] of [
    [database.adminUrl, /is a superuser/],
    [database.urls.owner, /owns the tables/],
  ] as const) {
    const result = await runProgram(['serve', '--port', '0', '--data-dir', join(dataDir, 'own')], {
      ...settingsOf(database),
      TRELLIS_DATABASE_URL: url,
    });
    assert.equal(result.code, 1);
    assert.match(result.stderr, reason);
    assert.match(result.stderr, /trellis_api/);
  }
});

test('a role with BYPASSRLS, and one that may become such a role, are refused', async () => {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const role = `trellis_test_${database.name.slice(-8)}`;
  try {
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret' BYPASSRLS`);
    await admin.query(`GRANT CONNECT ON DATABASE ${database.name} TO ${role}`);
    const url = new URL(database.urls.api);
    url.username = role;
    url.password = 'secret';
    const serve = () =>
      runProgram(['serve', '--port', '0', '--data-dir', join(dataDir, 'own')], {
        ...settingsOf(database),
        TRELLIS_DATABASE_URL: url.href,
      });
    const bypassing = await serve();
    assert.equal(bypassing.code, 1);
    assert.match(bypassing.stderr, /BYPASSRLS/);
    await admin.query(`ALTER ROLE ${role} NOBYPASSRLS`);
    await admin.query(`GRANT trellis_owner TO ${role}`);
    const member = await serve();
    assert.equal(member.code, 1);
    assert.match(member.stderr, /may act as their owner/);
  } finally {
    await admin.query(`REVOKE CONNECT ON DATABASE ${database.name} FROM ${role}`);
    await admin.query(`DROP ROLE ${role}`);
    await admin.end();
  }
});

test('it serves on an external database, with the demo when the installation is empty', async () => {
  const own = await createTestDatabase({ poolSize: 2 });
  const folder = await makeDataDirectory('serve');
  try {
    const words = ['--demo', '--port', '0', '--data-dir', folder];
    const server = await startServing(words, { ...settingsOf(own), TRELLIS_LOG_LEVEL: 'silent' });
    const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    assert.equal((await get(`${server.url}/v1/sites`, demo.token)).json.items.length, 1);
    assert.equal(await server.end('SIGTERM'), 0);
  } finally {
    await own.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a port in use, an unreachable database and a missing key are reported in one sentence', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const serve = (more: Record<string, string>) =>
    runProgram(['serve', '--port', String(port), '--data-dir', join(dataDir, 'own')], {
      ...settingsOf(database),
      TRELLIS_LOG_LEVEL: 'silent',
      ...more,
    });
  try {
    const taken = await serve({});
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^127\.0\.0\.1:\d+ is already in use\..*\n$/);
    const away = await serve({
      TRELLIS_DATABASE_URL: `postgres://trellis_api:x@127.0.0.1:${port + 1}/trellis`,
    });
    assert.equal(away.code, 1);
    assert.match(away.stderr, /^The database cannot be reached: .*\n$/);
    const keyless = await serve({ TRELLIS_CURSOR_KEY: '' });
    assert.equal(keyless.code, 2);
    assert.match(keyless.stderr, /TRELLIS_CURSOR_KEY is missing/);
    assert.match((await serve({ TRELLIS_VISITOR_KEY: '' })).stderr, /TRELLIS_VISITOR_KEY is missing/);
  } finally {
    listener.close();
  }
});
