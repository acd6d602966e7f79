/**
 * Clients that do not read what they ask for: they read nothing, a little, send several requests at once, or leave. They come without a token and as
 * another tenant, from one address and from three. Every request of a tenant succeeds, the server's memory is bounded, and its console is
 * loaded from elsewhere without a cache.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginFlood,
  beTenant,
  garbageOptions,
  listRoutes,
  mebibyte,
  memoryOf,
} from '../support/beside-clients.ts';
import { requestHead } from '../support/connections.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { Flood } from '../support/flood-process.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { noise } from '../support/pictures.ts';
import { type ServingProgram, settingsOf, startServing } from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Of the server's memory, beside clients that have left. The tenant's latencies are printed, beside those with clients that read everything. */
const heldBytes = 150 * mebibyte;
const roundMs = 1_500;
const connections = 64;
/** Of the process of whoever opens the console. */
const elsewhere = '127.0.0.9';

let database: TestDatabase;
let dataDir: string;
let server: ServingProgram;
let token: string;
let neighbour: string;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  dataDir = await makeDataDirectory('unread');
  server = await startServing(['--demo', '--port', '0', '--data-dir', dataDir], {
    ...settingsOf(database),
    TRELLIS_METRICS: '127.0.0.1:0',
    TRELLIS_RATE_LIMIT_TOKEN: '0',
    TRELLIS_RATE_LIMIT_ORGANIZATION: '0',
    NODE_OPTIONS: garbageOptions,
  });
  ({ token } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')));
  const organization = await createOrganization(database.worker, 'neighbour');
  const owner = await createMember(database.worker, organization, 'OWNER');
  ({ token: neighbour } = await createToken(database.worker, organization, owner));
});
after(async () => {
  await server.end('SIGTERM');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A request of the neighbour that succeeds. */
async function ask(method: string, path: string, body?: Json | Buffer): Promise<Json> {
  const isRaw = Buffer.isBuffer(body);
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${neighbour}`,
      'idempotency-key': randomUUID(),
      'content-type': isRaw ? 'application/octet-stream' : 'application/json',
    },
    ...(body === undefined ? {} : { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const received = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${received}`);
  return JSON.parse(received);
}

async function addFile(name: string, content: Buffer): Promise<Json> {
  const { id } = await ask('POST', '/v1/knowledge-files', { name, visibility: 'ORGANIZATION' });
  await ask('PUT', `/v1/knowledge-files/${id}/content`, content);
  return until('the file has been read', async () => {
    const file = await ask('GET', `/v1/knowledge-files/${id}`);
    return file.status === 'PROCESSING' ? undefined : file;
  });
}

/** What the console loads when it is opened, as paths. A checkout makes it with the first start. */
async function listConsole(): Promise<string[]> {
  await until('the console has been made', async () => (await fetch(`${server.url}/console/`)).ok);
  const page = await fetchFresh('/console/');
  const assets = [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  assert.ok(assets.length > 2, page);
  return ['/console/', ...assets];
}

/** Loads a path from elsewhere, on a connection of its own and without a cache. */
async function fetchFresh(path: string): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}${path}`, { agent: false, localAddress: elsewhere }, resolve).on('error', reject);
  });
  const body = await text(response);
  assert.equal(response.statusCode, 200, `${path}: ${body.slice(0, 200)}`);
  return body;
}

/** Requests without a token: those with large responses first. */
async function headsWithoutToken(): Promise<string[]> {
  const picture = await addFile('A picture', await noise(900, 600));
  const { picturePath } = await ask('POST', `/v1/knowledge-files/${picture.id}/publish-picture`);
  const sizes = ['', '?w=320', '?w=640', '?w=1280', '?w=1920'].map((size) => `${picturePath}${size}`);
  const documents = ['/docs/openapi.json', '/docs/assets/scalar.js', '/docs/operations', '/agent.js'];
  const large = [...sizes, ...documents, ...(await listConsole())];
  // The first request for a size gets 503 if making it takes long.
  for (const path of sizes) {
    await until(`${path} has been made`, async () => (await fetch(`${server.url}${path}`)).ok);
  }
  const identity = ['Accept-Encoding: identity'];
  return [
    ...large.flatMap((path) => [requestHead('GET', path), requestHead('GET', path, identity)]),
    ...(await listRoutes(server.url)),
  ];
}

/** Requests of another tenant: those with large responses first. */
async function headsOfTenant(): Promise<string[]> {
  const own = [`Authorization: Bearer ${neighbour}`];
  const { id: site } = await ask('POST', '/v1/sites', { name: 'Large', key: 'large' });
  const articles = `/v1/sites/${site}/articles`;
  for (let index = 0; index < 8; index += 1) {
    await ask('POST', articles, { versionData: { title: 'Large', body: 'x'.repeat(500_000) } });
  }
  const file = await addFile('A recording', Buffer.alloc(8 * mebibyte));
  const large = [
    `${articles}?limit=100`,
    `/v1/knowledge-files/${file.id}/content`,
    '/v1/events?from=earliest&limit=100',
  ];
  for (const path of large) {
    const response = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${neighbour}` },
    });
    assert.equal(response.status, 200, path);
    await response.arrayBuffer();
  }
  // Each other request is for a large response; event streams stay open and are limited by themselves.
  const routes = await listRoutes(server.url, own);
  return routes.flatMap((head, index) => [requestHead('GET', large[index % large.length] ?? '', own), head]);
}

const manners: Readonly<Record<string, Pick<Flood, 'manner' | 'pipelined'>>> = {
  'read nothing': { manner: 'unread', pipelined: 1 },
  'read slowly': { manner: 'slow', pipelined: 1 },
  'send eight requests at once and read nothing': { manner: 'unread', pipelined: 8 },
  'leave with the first bytes': { manner: 'aborted', pipelined: 1 },
};
const places: Readonly<Record<string, readonly string[]>> = {
  'one address': ['127.0.0.2'],
  'three addresses': ['127.0.0.2', '127.0.0.3', '127.0.0.4'],
};
const clients: Readonly<Record<string, () => Promise<string[]>>> = {
  'clients without a token': headsWithoutToken,
  'clients of another tenant': headsOfTenant,
};

for (const [who, listHeads] of Object.entries(clients)) {
  test(`beside ${who} that do not read, a tenant is served and the console loads`, async (context) => {
    const heads = await listHeads();
    const consolePaths = await listConsole();
    for (const [where, addresses] of Object.entries(places)) {
      const usual: Record<number, number> = {};
      for (const [what, manner] of Object.entries(manners)) {
        await context.test(`they ${what}, from ${where}`, async (cell) => {
          const others = { heads, ...manner, addresses, connections: connections * addresses.length };
          usual[manner.pipelined] ??= await beside({ ...others, manner: 'steady' });
          const idle = await memoryOf(server);
          const p99 = await beside(others, () => loadConsole(consolePaths));
          const held = (await memoryOf(server)).resident - idle.resident;
          cell.diagnostic(
            `p99 ${p99.toFixed(0)} ms, beside clients that read all ${usual[manner.pipelined]?.toFixed(0)} ms; ${Math.round(held / mebibyte)} MiB more`,
          );
          assert.ok(held <= heldBytes, `${Math.round(held / mebibyte)} MiB more than before`);
        });
      }
    }
  });
}

type Others = Omit<Flood, 'url' | 'milliseconds' | 'mostBytes'>;

/** The 99th percentile of a tenant's latencies beside other clients, which come half a second before and stay until the end. */
async function beside(others: Others, meanwhile?: () => Promise<void>): Promise<number> {
  const flood = beginFlood({ ...others, url: server.url, milliseconds: roundMs + 1_000 });
  await sleep(500);
  const [{ p99, statuses }] = await Promise.all([beTenant(server.url, token, roundMs), meanwhile?.()]);
  assert.deepEqual(Object.keys(statuses), ['200'], JSON.stringify(statuses));
  await flood;
  return p99;
}

async function loadConsole(paths: readonly string[]): Promise<void> {
  for (const path of paths) await fetchFresh(path);
}
