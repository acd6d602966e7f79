/** A node whose replicas cannot be used, and one without any: what clients and operators see, and what is sent to the primary. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  anyPosition,
  isPosition,
  laterPosition,
  lsnOf,
  positionOf,
  timelineOf,
} from '@trellis/server/kernel/database/wal-position.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { recordMessages } from '../support/messages.ts';
import { startNode, type TestNode } from '../support/nodes.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
/** Whose replica is the primary, one that nothing listens for, and none. */
let promoted: TestNode;
let alone: TestNode;
let token: string;

before(async () => {
  database = await createTestDatabase();
  const organization = await createOrganization(database.worker, 'replicas');
  const owner = await createMember(database.worker, organization, 'OWNER');
  token = (await createToken(database.worker, organization, owner)).token;
  const url = database.urls.api.replace(/(?<=@)([^/]+)/, '$1,127.0.0.1:1');
  promoted = await startNode(database, { replicas: { url } });
  alone = await startNode(database);
});
after(async () => {
  await promoted.close();
  await alone.close();
  await database.drop();
});

async function call(node: TestNode, method: string, path: string, body?: object, headers = {}) {
  const response = await fetch(`${node.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      ...headers,
    },
  });
  const json = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, json };
}

async function createSite(node: TestNode, headers = {}) {
  const body = { name: 'Site', key: `site-${randomUUID()}` };
  const response = await call(node, 'POST', '/v1/sites', body, headers);
  assert.equal(response.status, 201, JSON.stringify(response.json));
  return response;
}

test('without a usable replica the primary serves every read', async () => {
  const { json, headers } = await createSite(promoted);
  for (const readAfter of ['none', 'now', headers.get('trellis-read-after') ?? '']) {
    const read = await call(promoted, 'GET', `/v1/sites/${json.id}`, undefined, {
      'trellis-read-after': readAfter,
    });
    assert.equal(read.status, 200);
    assert.deepEqual(read.json, json);
  }
  assert.equal(promoted.database.replicasState()?.reads.replica, 0);
});

test('the probe says what was found of each replica, and the node is ready', async () => {
  await until('both are checked', async () => {
    const { status, json } = await call(promoted, 'GET', '/readyz');
    assert.equal(status, 200);
    assert.equal(json.status, 'ready');
    return json.replicas[0] === 'promoted' && json.replicas[1] === 'unreachable';
  });
  assert.deepEqual((await call(alone, 'GET', '/readyz')).json, { status: 'ready' });
});

test('a write returns its position, a replay of it none, and without replicas nothing is returned', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const body = { name: 'Once', key: 'once' };
  const first = await call(promoted, 'POST', '/v1/sites', body, key);
  assert.equal(first.headers.get('trellis-read-after')?.length, 72);
  const again = await call(promoted, 'POST', '/v1/sites', body, key);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(again.headers.get('trellis-read-after'), 'now');
  assert.equal((await createSite(alone)).headers.get('trellis-read-after'), null);
  const read = await call(promoted, 'GET', '/v1/sites');
  assert.equal(read.headers.get('trellis-read-after'), null);
});

test('a write whose position cannot be read succeeds, and its caller reads from the primary', async () => {
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  const positions = 'FUNCTION pg_walfile_name(pg_lsn)';
  try {
    await admin.query(`REVOKE EXECUTE ON ${positions} FROM PUBLIC`);
    const { json, headers } = await createSite(promoted);
    assert.equal(headers.get('trellis-read-after'), 'now');
    assert.deepEqual((await call(promoted, 'GET', `/v1/sites/${json.id}`)).json, json);
  } finally {
    await admin.query(`GRANT EXECUTE ON ${positions} TO PUBLIC`);
    await admin.end();
  }
  assert.equal((await createSite(promoted)).headers.get('trellis-read-after')?.length, 72);
});

test('with replicas a write sends one statement more, in the batch of its COMMIT', async () => {
  const { roundTrips, stop } = recordMessages();
  try {
    const commits = async (node: TestNode) => {
      await createSite(node);
      roundTrips.length = 0;
      await createSite(node);
      const sent = roundTrips.map((messages) =>
        messages.filter(({ type }) => type === 'E').map(({ statement }) => statement),
      );
      // The replicas are checked meanwhile.
      const ofWrite = sent.filter((names) => names.some((name) => /^trellis_(begin|commit)$/.test(name)));
      return ofWrite.map(({ length }) => length);
    };
    const [first = 0, second = 0, ...others] = await commits(alone);
    assert.deepEqual(others, []);
    assert.deepEqual(await commits(promoted), [first, second + 1]);
  } finally {
    stop();
  }
});

test('positions compare like their numbers, on a later timeline behind all of an earlier one', () => {
  const positions = [
    anyPosition,
    positionOf('1', '0/1'),
    positionOf('1', '0/FFFFFFFF'),
    positionOf('1', '1/0'),
    positionOf('1', 'A/0'),
    positionOf('00000002', '0/5'),
    positionOf('1f', '0/5'),
  ];
  assert.deepEqual([...positions].sort(), positions);
  for (const [index, later] of positions.entries()) {
    for (const earlier of positions.slice(0, index)) assert.equal(laterPosition(earlier, later), later);
    assert.equal(isPosition(later), index > 0);
  }
  const position = positionOf('a', '12/3456789A');
  assert.equal(timelineOf(position), '0000000A');
  assert.equal(lsnOf(position), '00000012/3456789A');
});
