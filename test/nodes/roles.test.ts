/** Roles of a node: it does what it was assigned, reports what it cannot do, and serves nothing else. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { roles } from '@trellis/server/kernel/config/roles.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeDataDirectory } from '../support/folders.ts';
import { readMetrics, runCommand, settingsOf, startServing } from '../support/program.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let dataDir: string;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  dataDir = await makeDataDirectory('roles');
});
after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const place = () => ['--port', '0', '--data-dir', dataDir];
const serveWith = (names: string, more: Readonly<Record<string, string>> = {}) =>
  startServing(['--roles', names, ...place()], { ...settingsOf(database), ...more });

test('an unknown role suggests the nearest one; no role, and a demo without the API, are refused', async () => {
  const refused = async (words: readonly string[]) => {
    const { code, stderr } = await runCommand(['serve', ...words, ...place()], settingsOf(database));
    assert.equal(code, 2, stderr);
    return stderr;
  };
  const [unknown, none, blank, demo] = await Promise.all([
    refused(['--roles', 'api,relais,sheduler,cook']),
    refused(['--roles', '']),
    refused(['--roles', ' , ']),
    refused(['--roles', 'relay', '--demo']),
  ]);
  assert.match(
    unknown,
    /--roles .*"relais" \(did you mean relay\?\), "sheduler" \(did you mean scheduler\?\), "cook"\./,
  );
  assert.match(none, /--roles must name one of api, relay/);
  assert.match(blank, /--roles must name one of/);
  assert.match(demo, /--demo .* needs the role api/);
});

test('a node without the API responds to the probes, and with 404 to everything else', async () => {
  const node = await serveWith('relay, delivery', { TRELLIS_LOG_LEVEL: 'info' });
  try {
    for (const path of ['/healthz', '/readyz']) {
      assert.equal((await fetch(`${node.url}${path}`)).status, 200, path);
    }
    for (const path of ['/metrics', '/v1/sites', '/v1/openapi', '/docs', '/agent.js', '/']) {
      const response = await fetch(`${node.url}${path}`);
      assert.equal(response.status, 404, path);
      assert.equal(response.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      const body = (await response.json()) as Record<string, unknown>;
      assert.equal(body.code, 'not_found');
      assert.equal(body.requestId, response.headers.get('x-request-id'));
    }
    const metrics = await readMetrics(node);
    assert.match(metrics, /^trellis_outbox_events 0$/m);
    assert.match(metrics, /^trellis_outbox_oldest_age_seconds 0$/m);
    assert.match(metrics, /^trellis_webhook_deliveries_total\{outcome="succeeded"\} 0$/m);
    const line = await until('it is the relay', () => node.log.find(({ msg }) => /is the relay$/.test(msg)));
    // 30 is pino's number of info: nothing is wrong.
    assert.equal(line.level, 30);
    // That address is not the API's.
    assert.ok(node.log.some(({ msg }) => /^TRELLIS_BASE_URL is not set/.test(msg)));
  } finally {
    assert.equal(await node.end('SIGTERM'), 0);
  }
});

test('a node without the relay does not measure the outbox', async () => {
  const node = await serveWith('api', { TRELLIS_LOG_LEVEL: 'info' });
  try {
    const metrics = await readMetrics(node);
    assert.doesNotMatch(metrics, /trellis_outbox/);
    assert.match(metrics, /^trellis_database_connections \d+$/m);
    assert.deepEqual(
      node.log.filter(({ level }) => level > 30),
      [],
    );
  } finally {
    assert.equal(await node.end('SIGTERM'), 0);
  }
});

test('without the worker role a node logs what its own roles do not do', async () => {
  const words: Readonly<Record<string, RegExp>> = {
    relay: /does not move events to the log/,
    delivery: /does not send webhooks/,
    scheduler: /does not delete old events/,
    extractor: /does not extract text/,
    indexer: /does not index long texts/,
  };
  const tell = async (chosen: readonly string[]) => {
    const node = await serveWith(chosen.join(','), {
      TRELLIS_DATABASE_WORKER_URL: '',
      TRELLIS_BASE_URL: 'https://api.example.com',
      TRELLIS_LOG_LEVEL: 'warn',
    });
    assert.equal(await node.end('SIGTERM'), 0);
    const said = node.log.map(({ msg }) => msg).join('\n');
    for (const [role, sentence] of Object.entries(words)) {
      assert.equal(sentence.test(said), chosen.includes(role), `${chosen}: ${said}`);
    }
  };
  await Promise.all([['api'], ['api', 'relay'], ['delivery', 'extractor'], roles].map(tell));
});
