/**
 * Reads from replicas: callers see what they have written through every node, nobody sees rows that are older than the bound, and whatever
 * happens to a replica is not an error of a request.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { EmbeddedDatabase } from '@trellis/embedded-postgres/embedded.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import type { ReplicaRead, ReplicaTiming } from '@trellis/server/kernel/database/replicas.ts';
import { anyPosition } from '@trellis/server/kernel/database/wal-position.ts';
import pg from 'pg';
import {
  createMember,
  createOrganization,
  createToken,
  type TestOrganization,
} from '../support/identities.ts';
import { recordMessages } from '../support/messages.ts';
import { startNode, type TestNode } from '../support/nodes.ts';
import { countRunningTime } from '../support/running-time.ts';
import { amount } from '../support/soak.ts';
import { openOne, type ServerPair, startServerPair } from '../support/standby.ts';
import { whileStopped } from '../support/stopped-cluster.ts';
import { until } from '../support/until.ts';

const header = 'trellis-read-after';
const maxAgeMs = 2_000;
const cursorKey = randomBytes(32);
/** The primary is asked for its position once, and rows of that time are new enough. */
const once: Partial<ReplicaTiming> = {
  checkMs: 3_600_000,
  graceMs: 0,
  maxAgeMs: 3_600_000,
  deadlineMs: 60_000,
};

let pair: ServerPair;
let organization: TestOrganization;
let token: string;
let readOnlyToken: string;
let nodes: readonly [TestNode, TestNode];
let siteId: string;

before(async () => {
  pair = await startServerPair(2, { max_standby_streaming_delay: '100ms' });
  const worker = openOne(pair.urls.worker);
  organization = await createOrganization(worker, 'replicas');
  const owner = await createMember(worker, organization, 'OWNER');
  token = (await createToken(worker, organization, owner)).token;
  readOnlyToken = (await createToken(worker, organization, owner, { scopes: ['sites:read'] })).token;
  await worker.close();
  nodes = [await start(pair.standbys), await start(pair.standbys)];
  siteId = (await call(nodes[0], 'POST', '/v1/sites', { body: { name: 'First', key: 'first' } })).json.id;
});
after(async () => {
  for (const node of nodes ?? []) await node.close();
  await pair?.stop();
});

function start(
  standbys: readonly EmbeddedDatabase[],
  timing: Partial<ReplicaTiming> = {},
  urls = pair.urls,
): Promise<TestNode> {
  const url = pair.over(pair.urls.api, ...standbys);
  return startNode(
    { urls },
    { replicas: { url, timing }, silenceMs: 6_000, acquireTimeoutMs: 1_000, cursorKey },
  );
}

interface Options {
  readonly body?: object;
  readonly readAfter?: string | undefined;
  readonly bearer?: string;
}

async function call(node: TestNode, method: string, path: string, options: Options = {}) {
  const { body, readAfter, bearer = token } = options;
  const response = await fetch(`${node.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() }),
      ...(readAfter === undefined ? {} : { [header]: readAfter }),
    },
  });
  const json = JSON.parse((await response.text()) || 'null');
  return { status: response.status, json, readAfter: response.headers.get(header) ?? undefined };
}

async function readName(node: TestNode, options: Options): Promise<string> {
  const { status, json } = await call(node, 'GET', `/v1/sites/${siteId}`, options);
  assert.equal(status, 200, JSON.stringify(json));
  return json.name;
}

/** Renames the site. @returns the position of the write */
async function rename(node: TestNode, name: string): Promise<string> {
  const { status, json, readAfter } = await call(node, 'PATCH', `/v1/sites/${siteId}`, { body: { name } });
  assert.equal(status, 200, JSON.stringify(json));
  assert.ok(readAfter !== undefined);
  return readAfter;
}

/** What reads of a node were served by, since the last call. */
function countReads(node: TestNode): () => Partial<Record<ReplicaRead, number>> {
  const counts = () => node.database.replicasState()?.reads;
  let before = counts();
  return () => {
    const now = counts();
    const entries = Object.entries(now ?? {}) as [ReplicaRead, number][];
    const changed = entries.map(([read, count]) => [read, count - (before?.[read] ?? 0)] as const);
    before = now;
    return Object.fromEntries(changed.filter(([, count]) => count > 0));
  };
}

function conditions(node: TestNode): string[] {
  return node.database.replicasState()?.replicas.map(({ condition }) => condition) ?? [];
}

/** Waits until a node reads from a replica. */
async function untilServed(node: TestNode): Promise<void> {
  const counted = countReads(node);
  await until('a replica serves reads', async () => {
    await readName(node, { readAfter: 'none' });
    return counted().replica === 1;
  });
}

async function runOn(server: EmbeddedDatabase, ...texts: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.adminUrl('trellis') });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}

async function whilePaused(work: () => Promise<void>): Promise<void> {
  for (const standby of pair.standbys) await runOn(standby, 'SELECT pg_wal_replay_pause()');
  try {
    for (const standby of pair.standbys) {
      await until('replay is paused', async () => {
        const client = new pg.Client({ connectionString: standby.adminUrl() });
        await client.connect();
        const { rows } = await client.query('SELECT pg_get_wal_replay_pause_state() AS state');
        await client.end();
        return rows[0].state === 'paused';
      });
    }
    await work();
  } finally {
    for (const standby of pair.standbys) await runOn(standby, 'SELECT pg_wal_replay_resume()');
  }
}

test('all replicas serve reads of callers who ask for no write, and of tokens that cannot write', async () => {
  for (const node of nodes) {
    const counted = countReads(node);
    for (const path of [`/v1/sites/${siteId}`, '/v1/sites', '/v1/sites/search?query=first', '/v1/trash']) {
      await until(`a replica serves ${path}`, async () => {
        counted();
        assert.equal((await call(node, 'GET', path, { readAfter: 'none' })).status, 200);
        const { replica = 0, ...others } = counted();
        // Whether the token is still valid is asked of the primary.
        return replica > 0 && Object.keys(others).every((read) => read === 'current');
      });
    }
    await until('a replica serves a token that cannot write', async () => {
      counted();
      await readName(node, { bearer: readOnlyToken });
      return counted().replica === 1;
    });
    await until('both are usable', () => conditions(node).every((condition) => condition === 'usable'));
  }
});

test('a token that can write reads from the primary if it does not say what it has written', async () => {
  const [node] = nodes;
  const counted = countReads(node);
  await readName(node, {});
  await readName(node, { readAfter: 'now' });
  assert.equal(counted().replica, undefined);
});

test('members, roles and tokens are read from the primary', async () => {
  const [node] = nodes;
  const counted = countReads(node);
  for (const path of ['/v1/members', '/v1/roles', '/v1/tokens'])
    assert.equal((await call(node, 'GET', path, { readAfter: 'none' })).status, 200, path);
  assert.equal(counted().replica, undefined);
});

test('what a caller has written is read through the other node at once, whatever the replicas have replayed', async () => {
  const rounds = amount(40, 400);
  const counted = countReads(nodes[1]);
  for (let round = 0; round < rounds; round += 1) {
    const name = `Round ${round}`;
    const readAfter = await rename(nodes[0], name);
    assert.equal(await readName(nodes[1], { readAfter }), name);
    const { json } = await call(nodes[1], 'GET', '/v1/sites', { readAfter });
    assert.equal(json.items[0].name, name);
  }
  const { replica = 0 } = counted();
  assert.ok(replica > 0, 'replicas have served some of them');
});

test('while replicas do not replay, the position of a write leads to the primary, and only that', async () => {
  // Its only check may come before the replicas have replayed what was written just now.
  const other = await until('a check finds that they have replayed all', async () => {
    const node = await start(pair.standbys, once);
    await until('they are checked', () => conditions(node).every((condition) => condition !== 'unreachable'));
    if (conditions(node).every((condition) => condition === 'usable')) return node;
    await node.close();
    return null;
  });
  try {
    await untilServed(other);
    const before = await readName(other, { readAfter: 'none' });
    await whilePaused(async () => {
      const readAfter = await rename(other, 'While paused');
      const counted = countReads(other);
      assert.equal(await readName(other, { readAfter: 'none' }), before);
      assert.equal(counted().replica, 1);
      assert.equal(await readName(other, { readAfter }), 'While paused');
      const { behind, replica } = counted();
      assert.deepEqual({ behind, replica }, { behind: 1, replica: undefined });
      const { json } = await call(other, 'GET', '/v1/sites/search?query=paused', { readAfter });
      assert.deepEqual(
        json.items.map(({ id }: { id: string }) => id),
        [siteId],
      );
      // Of several positions the latest counts, in any order.
      const later = await rename(other, 'Later');
      assert.equal(await readName(other, { readAfter: `${later}, ${readAfter}, none` }), 'Later');
      assert.equal(await readName(other, { readAfter: `none,${readAfter},${later}` }), 'Later');
    });
    await until('a replica has replayed it', async () => {
      return (await readName(other, { readAfter: 'none' })) === 'Later';
    });
  } finally {
    await other.close();
  }
});

test('rows are at most two seconds old, and while replicas do not replay, the primary serves everything', async () => {
  const [node] = nodes;
  await untilServed(node);
  await whilePaused(async () => {
    await rename(nodes[1], 'By a colleague');
    const writtenAt = performance.now();
    for (;;) {
      const askedAt = performance.now();
      const name = await readName(node, { bearer: readOnlyToken });
      if (name === 'By a colleague' && askedAt > writtenAt + maxAgeMs) break;
      assert.ok(askedAt < writtenAt + maxAgeMs, `an old row ${askedAt - writtenAt} ms after the write`);
    }
    await until('they are behind', () => conditions(node).every((condition) => condition === 'behind'));
    const response = await fetch(`${node.url}/readyz`);
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { status: 'ready', replicas: ['behind', 'behind'] });
  });
  await untilServed(node);
});

test('a revoked token is refused within two seconds although replicas do not replay', async () => {
  const worker = openOne(pair.urls.worker);
  const member = await createMember(worker, organization, 'VIEWER');
  const { token: bearer, id } = await createToken(worker, organization, member, { scopes: ['sites:read'] });
  const [node] = nodes;
  await untilServed(node);
  await readName(node, { bearer });
  await whilePaused(async () => {
    await worker.run('UPDATE trellis.tokens SET revoked_at = now() WHERE id = $1', [id]);
    const revokedAt = performance.now();
    for (;;) {
      const askedAt = performance.now();
      const { status } = await call(node, 'GET', `/v1/sites/${siteId}`, { bearer });
      if (status === 401) break;
      assert.ok(askedAt < revokedAt + maxAgeMs);
    }
  });
  await worker.close();
});

test('pages follow each other wherever they are read', async () => {
  let last: string | undefined;
  for (let number = 0; number < 7; number += 1) {
    const body = { name: `Page ${number}`, key: `page-${number}` };
    last = (await call(nodes[0], 'POST', '/v1/sites', { body })).readAfter;
  }
  assert.ok(last !== undefined);
  await untilServed(nodes[1]);
  const expected = (await call(nodes[0], 'GET', '/v1/sites?limit=100')).json.items.map(
    (item: { id: string }) => item.id,
  );
  const found: string[] = [];
  let cursor = '';
  for (let page = 0; ; page += 1) {
    const path = `/v1/sites?limit=2${cursor}`;
    const readAfter = page % 2 === 0 ? last : 'now';
    const { json } = await call(nodes[page % 2] ?? nodes[0], 'GET', path, { readAfter });
    found.push(...json.items.map((item: { id: string }) => item.id));
    if (json.pageInfo.nextCursor === null) break;
    cursor = `&cursor=${json.pageInfo.nextCursor}`;
  }
  assert.deepEqual(found, expected);
});

test('a header that was not made for the organization leads to the primary', async () => {
  const worker = openOne(pair.urls.worker);
  const other = await createOrganization(worker, 'other');
  const owner = await createMember(worker, other, 'OWNER');
  const bearer = (await createToken(worker, other, owner)).token;
  await worker.close();
  const body = { name: 'Other', key: 'other' };
  const { readAfter: foreign = '' } = await call(nodes[0], 'POST', '/v1/sites', { body, bearer });
  const own = await rename(nodes[0], 'Hostile');
  assert.match(own, /^[A-Za-z0-9+/]{70,72}=*$/);
  await untilServed(nodes[0]);
  const counted = countReads(nodes[0]);
  const forged = `${own.slice(0, 40)}${own[40] === 'A' ? 'B' : 'A'}${own.slice(41)}`;
  const many = Array(9).fill(own).join();
  for (const readAfter of [
    foreign,
    forged,
    many,
    own.slice(1),
    '',
    'FFFFFFFF/FFFFFFFF',
    'x'.repeat(8_000),
    `none,${forged}`,
  ]) {
    assert.equal(await readName(nodes[0], { readAfter }), 'Hostile');
    const { replica } = counted();
    assert.equal(replica, undefined, readAfter.slice(0, 80));
  }
});

test('what a replica cancels because of what it replays is read from the primary', async () => {
  const [node] = nodes;
  await untilServed(node);
  const counted = countReads(node);
  const scope = { organizationId: organization.id, userId: null, readAfter: anyPosition };
  const slow = step({ name: 'slow_count', text: 'SELECT count(*), pg_sleep(2) FROM trellis.sites' });
  const reading = node.database.query(scope, [slow]);
  // Until the statement has the lock of the table on the replica.
  await until('it reads', async () => {
    const states = await Promise.all(
      pair.standbys.map(async (standby) => {
        const client = new pg.Client({ connectionString: standby.adminUrl('trellis') });
        await client.connect();
        const { rows } = await client.query(
          `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT count(*), pg_sleep%' AND wait_event = 'PgSleep'`,
        );
        await client.end();
        return rows.length;
      }),
    );
    return states.some((rows) => rows > 0);
  });
  await runOn(pair.primary, 'BEGIN', 'LOCK TABLE trellis.sites IN ACCESS EXCLUSIVE MODE', 'COMMIT');
  const [result] = await reading;
  assert.ok(Number(result?.rows[0]?.[0]) > 0);
  assert.equal(counted().conflict, 1);
});

test('a replica that is frozen delays reads once and for less than four seconds', async () => {
  const single = await start([pair.standby]);
  try {
    await untilServed(single);
    await whileStopped(pair.standby, async () => {
      const stop = countRunningTime();
      const names = await Promise.all(
        Array.from({ length: 8 }, () => readName(single, { readAfter: 'none' })),
      );
      assert.equal(new Set(names).size, 1);
      const seconds = stop();
      assert.ok(seconds < 4, `${seconds} s`);
      assert.deepEqual(conditions(single), ['unreachable']);
      const counted = countReads(single);
      await readName(single, { readAfter: 'none' });
      assert.equal(counted().unavailable, 1);
    });
    await untilServed(single);
  } finally {
    await single.close();
  }
});

test('no read fails while a replica stops, and the other one goes on', async () => {
  const [node] = nodes;
  const [, other] = pair.standbys;
  assert.ok(other !== undefined);
  await until('both are usable', () => conditions(node).every((condition) => condition === 'usable'));
  const statuses = new Set<number>();
  let isReading = true;
  const reader = (async () => {
    while (isReading) statuses.add((await call(node, 'GET', '/v1/sites', { readAfter: 'none' })).status);
  })();
  await runOn(other, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'trellis_api'`);
  await whileStopped(other, async () => {
    await until('it is noticed', () => conditions(node)[1] === 'unreachable');
    await untilServed(node);
  });
  await until('it is used again', () => conditions(node)[1] === 'usable');
  isReading = false;
  await reader;
  assert.deepEqual([...statuses], [200]);
});

test('a standby is not used as another role, which might bypass row-level security', async () => {
  const { standby, urls } = pair;
  const wrong = [pair.over(urls.worker, standby), pair.over(standby.adminUrl('trellis'), standby)];
  for (const one of wrong) {
    const node = await startNode(pair, { replicas: { url: one }, cursorKey });
    try {
      await until('it is checked', () => conditions(node)[0] === 'other_source');
      assert.equal(await readName(node, { readAfter: 'none' }), await readName(nodes[0], {}));
    } finally {
      await node.close();
    }
  }
});

test('a write asks for its position in the batch of its COMMIT', async () => {
  const { roundTrips, stop } = recordMessages();
  try {
    await rename(nodes[0], 'Counted');
    await rename(nodes[0], 'Counted again');
    const last = roundTrips.findLast((messages) =>
      messages.some(({ statement }) => statement === 'trellis_commit'),
    );
    const names = last?.filter(({ type }) => type === 'E').map(({ statement }) => statement) ?? [];
    assert.deepEqual(names.slice(-2), ['trellis_commit', 'commit_wal_position']);
  } finally {
    stop();
  }
});

test('a replica that was promoted serves nothing', async () => {
  const single = await start([pair.standby]);
  try {
    await untilServed(single);
    await pair.promote();
    await rename(nodes[0], 'After the promotion');
    const counted = countReads(single);
    const served = await until('it is noticed', async () => {
      await readName(single, { readAfter: 'none' });
      return conditions(single)[0] === 'promoted' && counted();
    });
    assert.equal(served.replica, undefined);
  } finally {
    await single.close();
  }
});

test('a standby that does not follow the new primary serves nothing, and one that is stopped fails no request', async () => {
  const [, other] = pair.standbys;
  assert.ok(other !== undefined);
  const urls = { ...pair.urls, api: pair.over(pair.urls.api, pair.primary, pair.standby) };
  const node = await start([other], {}, urls);
  try {
    await untilServed(node);
    await pair.primary.stop('fast');
    const readAfter = await until('the promoted one takes writes', async () => {
      const body = { name: 'After the failover' };
      return (await call(node, 'PATCH', `/v1/sites/${siteId}`, { body })).readAfter;
    });
    assert.equal(await readName(node, { readAfter }), 'After the failover');
    await until('it is noticed', () => conditions(node)[0] === 'other_timeline');
    const counted = countReads(node);
    assert.equal(await readName(node, { readAfter: 'none' }), 'After the failover');
    assert.equal(counted().unavailable, 1);
    await other.stop('immediate');
    assert.equal(await readName(node, { readAfter: 'none' }), 'After the failover');
    await until('it is noticed', () => conditions(node)[0] === 'unreachable');
    assert.equal(await readName(node, { readAfter: 'none' }), 'After the failover');
  } finally {
    await node.close();
  }
});
