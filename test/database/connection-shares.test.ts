/** The sharing of connections among organizations: one that requests all of them leaves some to the others. */
import assert from 'node:assert/strict';
import { after, afterEach, before, mock, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { step } from '@trellis/server/kernel/database/batch.ts';
import { ConnectionShares } from '@trellis/server/kernel/database/connection-shares.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const hostile = '01890000-0000-7000-8000-00000000000a';
const other = '01890000-0000-7000-8000-00000000000b';
const third = '01890000-0000-7000-8000-00000000000c';

/** Stops the clock, so that no waiting request times out before the test says so. */
const stopTime = () => mock.timers.enable({ apis: ['setTimeout'] });
afterEach(() => mock.timers.reset());

/** Takes a connection and records whose request began, in order. */
function begin(shares: ConnectionShares, started: string[], organization: string | null): void {
  const note = () => started.push(organization ?? 'server');
  const turn = shares.take(organization);
  if (turn === undefined) note();
  else turn.then(note);
}

/** Lets the callbacks of resolved promises run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one organization gets half of the connections, two get a third each, and some stay free', () => {
  stopTime();
  const shares = new ConnectionShares({ connections: 12, maxWaitMs: 1_000 });
  const countOf = (organization: string) => {
    let count = 0;
    while (shares.take(organization) === undefined) count += 1;
    return count;
  };
  assert.equal(countOf(hostile), 6);
  assert.equal(countOf(other), 3);
  assert.equal(countOf(third), 2);
  // The server itself gets the last one, so that probes get a response.
  assert.equal(shares.take(null), undefined);
  assert.notEqual(shares.take(null), undefined);
});

test('a pool of one connection serves all organizations in turn', async () => {
  stopTime();
  const shares = new ConnectionShares({ connections: 1, maxWaitMs: 1_000 });
  const started: string[] = [];
  for (let number = 0; number < 4; number += 1) begin(shares, started, hostile);
  begin(shares, started, other);
  begin(shares, started, third);
  begin(shares, started, other);
  for (const expected of [hostile, hostile, other, third, hostile, other, hostile]) {
    await settle();
    assert.equal(started.at(-1), expected);
    shares.giveBack(expected);
  }
  assert.equal(shares.waitingCount(), 0);
});

test('a request does not wait behind forty of another organization', async () => {
  stopTime();
  const shares = new ConnectionShares({ connections: 4, maxWaitMs: 1_000 });
  const started: string[] = [];
  for (let number = 0; number < 40; number += 1) begin(shares, started, hostile);
  assert.equal(started.length, 2);
  begin(shares, started, other);
  assert.equal(started.at(-1), other);
  begin(shares, started, third);
  assert.equal(started.at(-1), third);
  // No connection is free now. The next one goes to an organization without one, not to the longest waiting request.
  const fourth = '01890000-0000-7000-8000-00000000000d';
  begin(shares, started, fourth);
  assert.equal(started.length, 4);
  shares.giveBack(hostile);
  await settle();
  assert.deepEqual(started.slice(4), [fourth]);
});

test('a request that waits too long is refused as overloaded and takes no connection', async () => {
  stopTime();
  const shares = new ConnectionShares({ connections: 1, maxWaitMs: 1_000 });
  assert.equal(shares.take(hostile), undefined);
  const overloaded = (error: unknown) => error instanceof Problem && error.code === 'overloaded';
  const refused = assert.rejects(async () => shares.take(other), overloaded);
  mock.timers.tick(999);
  assert.equal(shares.waitingCount(), 1);
  mock.timers.tick(1);
  await refused;
  assert.equal(shares.waitingCount(), 0);
  shares.giveBack(hostile);
  assert.equal(shares.take(other), undefined);
});

test('an organization with too many waiting requests is refused, others are not', async () => {
  stopTime();
  const shares = new ConnectionShares({ connections: 2, maxWaitMs: 1_000 });
  const refusals: unknown[] = [];
  for (let number = 0; number < 1_010; number += 1) {
    shares.take(hostile)?.catch((error: unknown) => refusals.push(error));
  }
  await settle();
  // One has a connection, a thousand wait.
  assert.equal(refusals.length, 9);
  assert.equal(shares.take(other), undefined);
  for (let left = 1_001; left > 0; left -= 1) {
    shares.giveBack(hostile);
    await settle();
  }
  assert.equal(shares.waitingCount(), 0);
});

/** Shares under the test's own clock. `use`: one connection after the other, each held for so many ms. */
function createShares(connections: number) {
  let now = 0;
  const shares = new ConnectionShares({ connections, maxWaitMs: 60_000, now: () => now });
  const use = (organization: string, milliseconds: number, times: number) => {
    for (let time = 0; time < times; time += 1) {
      assert.equal(shares.take(organization), undefined);
      now += milliseconds;
      shares.giveBack(organization);
    }
  };
  /** Takes as many connections as the organization gets, and counts them. */
  const mostOf = (organization: string) => {
    let count = 0;
    while (shares.take(organization) === undefined) count += 1;
    return count;
  };
  return { use, mostOf };
}

test('beside others, an organization with slow queries gets an eighth of the connections', () => {
  stopTime();
  const { use, mostOf } = createShares(16);
  use(hostile, 100, 10);
  use(other, 1, 10);
  assert.equal(mostOf(hostile), 2);
  assert.equal(mostOf(other), 7);
});

test('alone, an organization with slow queries gets half of the connections', () => {
  stopTime();
  const { use, mostOf } = createShares(16);
  use(other, 1, 10);
  // Longer than others are remembered.
  use(hostile, 100, 20);
  assert.equal(mostOf(hostile), 8);
});

test('many quick queries are not slow ones', () => {
  stopTime();
  const { use, mostOf } = createShares(16);
  use(hostile, 2, 500);
  use(other, 1, 10);
  assert.equal(mostOf(hostile), 8);
});

test('reads that use a connection together count as so many', () => {
  stopTime();
  const count = (reads: number) => {
    let now = 0;
    const shares = new ConnectionShares({ connections: 16, maxWaitMs: 60_000, now: () => now });
    for (let use = 0; use < 50; use += 1) {
      shares.take(hostile, reads);
      now += 10;
      shares.giveBack(hostile);
      shares.take(other);
      now += 1;
      shares.giveBack(other);
    }
    let most = 0;
    while (shares.take(hostile, reads) === undefined) most += 1;
    return most;
  };
  assert.deepEqual([count(1), count(4)], [2, 8]);
});

test('queries that take long because of others are not slow ones', () => {
  stopTime();
  let now = 0;
  const shares = new ConnectionShares({ connections: 16, maxWaitMs: 60_000, now: () => now });
  for (let count = 0; count < 7; count += 1) shares.take(hostile);
  // While the other one holds seven connections, each query of this one takes 20 ms.
  for (let count = 0; count < 50; count += 1) {
    shares.take(other);
    now += 20;
    shares.giveBack(other);
  }
  let most = 0;
  while (shares.take(other) === undefined) most += 1;
  assert.equal(most, 5);
});

/**
 * Two seconds in which organizations hold connections all the time, each for so many ms and none more than an eighth, so that
 * nobody waits. Returns which of them get more than an eighth afterwards.
 */
function unlimitedAfter(
  uses: readonly { organization: string; connections: number; milliseconds: number }[],
) {
  let now = 0;
  const shares = new ConnectionShares({ connections: 40, maxWaitMs: 60_000, now: () => now });
  const takeAll = (organization: string, connections: number) =>
    Array.from({ length: connections }, () => assert.equal(shares.take(organization), undefined));
  const giveAllBack = (organization: string, connections: number) => {
    for (let count = 0; count < connections; count += 1) shares.giveBack(organization);
  };
  for (const { organization, connections } of uses) takeAll(organization, connections);
  for (now = 1; now <= 2_000; now += 1) {
    for (const { organization, connections, milliseconds } of uses) {
      if (now % milliseconds !== 0) continue;
      giveAllBack(organization, connections);
      takeAll(organization, connections);
    }
  }
  for (const { organization, connections } of uses) giveAllBack(organization, connections);
  const isUnlimited = (organization: string) => {
    const taken = Array.from({ length: 6 }, () => shares.take(organization)).filter(
      (turn) => turn === undefined,
    );
    giveAllBack(organization, taken.length);
    return taken.length === 6;
  };
  return uses.map(({ organization }) => organization).filter(isUnlimited);
}

test('of two organizations that cost as much, the one with the slower queries gives way', () => {
  stopTime();
  const free = unlimitedAfter([
    { organization: hostile, connections: 2, milliseconds: 100 },
    { organization: other, connections: 2, milliseconds: 25 },
  ]);
  assert.deepEqual(free, [other]);
});

test('of two organizations with queries as slow, the one that costs more than its share gives way', () => {
  stopTime();
  const free = unlimitedAfter([
    { organization: hostile, connections: 5, milliseconds: 40 },
    { organization: other, connections: 2, milliseconds: 40 },
  ]);
  assert.deepEqual(free, [other]);
});

test('all that cost more than their equal share give way to one that does not', () => {
  stopTime();
  const free = unlimitedAfter([
    { organization: hostile, connections: 3, milliseconds: 100 },
    { organization: third, connections: 3, milliseconds: 100 },
    { organization: other, connections: 1, milliseconds: 100 },
  ]);
  assert.deepEqual(free, [other]);
});

let database: TestDatabase;
let api: Database;
before(async () => {
  database = await createTestDatabase({ poolSize: 1 });
  api = new Database({
    url: database.urls.api,
    poolSize: 4,
    prepare: true,
    acquireTimeoutMs: 30_000,
    applicationName: 'trellis shares test',
    log: () => undefined,
  });
});
after(async () => {
  await api.close();
  await database.drop();
});

test('while forty requests of one organization wait for a lock, another organization gets a response', async () => {
  const lock = { name: 'wait_for_lock', text: 'SELECT pg_advisory_xact_lock(1)' };
  const patience = { name: 'wait_patiently', text: `SELECT set_config('lock_timeout', '60s', true)` };
  const holder = new pg.Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(1)');
  let responded = 0;
  const slow = Array.from({ length: 40 }, async () => {
    await api.query({ organizationId: hostile, userId: null }, [step(patience), step(lock)]);
    responded += 1;
  });
  await until('two connections wait for the lock', async () => {
    const { rowCount } = await holder.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1',
      ['Lock'],
    );
    return rowCount === 2;
  });
  assert.equal(api.poolState().waiting, 38);
  const current = { name: 'current', text: 'SELECT trellis.current_organization()' };
  const [result] = await api.query({ organizationId: other, userId: null }, [step(current)]);
  assert.equal(result?.rows[0]?.[0], other);
  assert.equal(responded, 0);
  await holder.end();
  await Promise.all(slow);
  assert.equal(responded, 40);
});
