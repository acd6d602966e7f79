/**
 * `trellis webhooks listen` reports truthfully which calls a receiver would accept, and leaves no endpoint behind.
 */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, afterEach, before, test } from 'node:test';
import { makeSecret, signatureHeaders } from '@trellis/server/features/webhooks/signatures.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import {
  callServed,
  type RunningProgram,
  runCommand,
  type ServingProgram,
  settingsOf,
  startRunning,
  startServing,
} from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let organization: TestOrganization;
let owner: string;
let token: string;
let siteId: string;
let server: ServingProgram;
let dataDir: string;
/** What a test that fails leaves running would keep its process alive. */
const running: Pick<RunningProgram, 'end'>[] = [];

before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  organization = await createOrganization(database.worker, 'listen');
  owner = await createMember(database.worker, organization, 'OWNER');
  token = (await createToken(database.worker, organization, owner)).token;
  dataDir = await makeDataDirectory('listen');
  server = await serve({ TRELLIS_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });
  siteId = (await call('POST', '/v1/sites', { name: 'Listen', key: 'listen' })).id;
});
afterEach(async () => {
  for (const program of running.splice(0)) await program.end('SIGKILL');
  for (const { id } of await endpoints()) await call('DELETE', `/v1/webhook-endpoints/${id}`);
});
after(async () => {
  await server.end('SIGTERM');
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const serve = (more: Record<string, string>, folder = dataDir): Promise<ServingProgram> =>
  startServing(['--port', '0', '--data-dir', folder], {
    ...settingsOf(database),
    TRELLIS_LOG_LEVEL: 'silent',
    ...more,
  });

const call = (method: string, path: string, body?: object): Promise<Json> =>
  callServed(server.url, token, method, path, body);

const createArticle = async (): Promise<string> =>
  (await call('POST', `/v1/sites/${siteId}/articles`, { versionData: { title: 'Heard', body: '.' } })).id;

const environment = () => ({ TRELLIS_URL: server.url, TRELLIS_TOKEN: token });

/** Starts it, and waits until it listens. Returns it with its address. */
async function listen(...words: string[]): Promise<{ program: RunningProgram; url: string }> {
  const program = startRunning(['webhooks', 'listen', ...words], environment());
  running.push(program);
  const url = await until('it listens', () => /^Listening on (\S+)\. /m.exec(program.said())?.[1]);
  return { program, url };
}

const endpoints = async (): Promise<Json[]> => (await call('GET', '/v1/webhook-endpoints')).items;
const deliveries = (program: RunningProgram): Json[] => program.lines.map((line) => JSON.parse(line));

/** Sends a call as an endpoint with the secret is sent one; returns the status of the response. */
async function send(url: string, secret: string, body: string, ageSeconds = 0): Promise<number> {
  const timestampSeconds = Math.floor(Date.now() / 1_000) - ageSeconds;
  const signed = signatureHeaders({ id: 'evt_one', timestampSeconds, body }, [secret]);
  const headers = { ...signed, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

test('an article is created, and its delivery printed as verified; SIGINT deletes the endpoint', async () => {
  const { program } = await listen('--types', 'article.*');
  const [endpoint] = await endpoints();
  assert.deepEqual(endpoint.eventTypes, ['article.*']);
  await call('POST', '/v1/books', { title: 'Not asked for' });
  const article = await createArticle();
  await until('it is printed', () => program.lines.length > 0);
  const [line = ''] = program.lines;
  assert.match(
    line,
    new RegExp(`^\\S+Z  verified  article\\.created  ${article}  evt_\\w{26}  responded with 200$`),
  );
  await until('the delivery is recorded', async () => {
    const { items } = await call('GET', `/v1/webhook-endpoints/${endpoint.id}/deliveries`);
    return items.length === 1 && items[0].status === 'SUCCEEDED';
  });
  assert.equal(await program.end('SIGINT'), 0);
  assert.deepEqual(await endpoints(), []);
  assert.match(program.said(), new RegExp(`Endpoint ${endpoint.id} was deleted\\.\\n$`));
  assert.equal(program.lines.length, 1);
});

test('a delivery that got a failure is repeated, and shown as a repetition', async () => {
  const { program } = await listen('--types', 'article.created', '--status', '500', '--json');
  const article = await createArticle();
  const [first] = await until('it has come', () => program.lines.length > 0 && deliveries(program));
  assert.equal(first.status, 500);
  // The retry is due 5 s after the failure: asked for, it comes at once.
  const [endpoint] = await endpoints();
  const path = `/v1/webhook-endpoints/${endpoint.id}/deliveries`;
  const [delivery] = await until('the failure is recorded', async () => {
    const { items } = await call('GET', path);
    return items[0]?.attempts.length === 1 && items;
  });
  await call('POST', `${path}/${delivery.id}/retry`);
  const [, second] = await until('it has come again', () => program.lines.length > 1 && deliveries(program));
  assert.deepEqual([first.verified, first.times], [true, 1]);
  assert.deepEqual([second.verified, second.times], [true, 2]);
  assert.equal(second.id, first.id);
  assert.deepEqual(second.event, first.event);
  assert.equal(first.event.subject, article);
  assert.equal(await program.end('SIGTERM'), 0);
  assert.deepEqual(await endpoints(), []);
});

test('with the secret of another endpoint nothing is verified, and no endpoint is made or deleted', async () => {
  const { program, url } = await listen('--secret', makeSecret(), '--json');
  const created = await call('POST', '/v1/webhook-endpoints', { url, eventTypes: ['article.created'] });
  await createArticle();
  const [delivery] = await until('it has come', () => program.lines.length > 0 && deliveries(program));
  assert.equal(delivery.verified, false);
  assert.match(delivery.reason, /signature/);
  assert.equal(delivery.event.type, 'article.created');
  assert.equal(await program.end('SIGINT'), 0);
  assert.deepEqual(
    (await endpoints()).map(({ id }) => id),
    [created.id],
  );
});

test('old, changed, unsigned, too long and malformed calls are shown as not verified', async () => {
  const secret = makeSecret();
  const { program, url } = await listen('--secret', secret);
  assert.equal(await send(url, secret, '{"type":"a\\u001b[2Jb"}'), 200);
  assert.equal(await send(url, secret, '{}', 3_600), 200);
  assert.equal(await send(url, makeSecret(), 'no JSON'), 200);
  assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 200);
  assert.equal((await fetch(url)).status, 405);
  assert.equal(await send(url, secret, 'x'.repeat(262_145)), 413);
  assert.equal(await send(url, secret, '{}'), 200);
  await until('all are printed', () => program.lines.length === 5);
  const expectations = [
    / {2}verified {2}a\?\[2Jb /,
    /too old/,
    /No matching signature/,
    /Missing/,
    /again, time 2/,
  ];
  for (const [index, expected] of expectations.entries()) {
    const line = program.lines[index] ?? '';
    assert.match(line, expected);
    assert.equal(line.includes('not verified'), index > 0 && index < 4, line);
    assert.ok(!line.includes('\u001b'));
  }
  assert.equal(await program.end('SIGINT'), 0);
});

test('closing the output ends it and deletes the endpoint', async () => {
  const { program } = await listen();
  program.stopReading();
  await createArticle();
  assert.equal(await program.ended, 0, program.said());
  assert.deepEqual(await endpoints(), []);
});

test('when the server may not call this machine, the message names the setting, and no endpoint remains', async () => {
  const folder = await makeDataDirectory('listen');
  const strict = await serve({}, folder);
  try {
    const result = await runCommand(['webhooks', 'listen'], { ...environment(), TRELLIS_URL: strict.url });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /is not public\. .*TRELLIS_WEBHOOK_ALLOW_PRIVATE=127\.0\.0\.0\/8/);
    assert.deepEqual(await endpoints(), []);
  } finally {
    await strict.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
});

test('wrong options, a refusal and a port in use are reported in one sentence', async () => {
  const reader = await createToken(database.worker, organization, owner, { scopes: ['articles:read'] });
  const { port } = new URL(server.url);
  const faults: [readonly string[], Record<string, string>, number, RegExp][] = [
    [['--status', 'teapot'], {}, 2, /^--status must be/],
    [['--secret', 'whsec_'], {}, 2, /^--secret must be/],
    [['--types', 'artikel.*'], {}, 1, /article\.\*/],
    [[], { TRELLIS_TOKEN: reader.token }, 1, /webhooks:manage/],
    [['--port', port], {}, 1, /already/],
  ];
  await Promise.all(
    faults.map(async ([words, more, code, sentence]) => {
      const result = await runCommand(['webhooks', 'listen', ...words], { ...environment(), ...more });
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, sentence);
    }),
  );
  const help = await runCommand(['webhooks', 'listen', '--help']);
  assert.match(help.stdout, /Example:\n {2}trellis webhooks listen/);
});
