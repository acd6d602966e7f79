/** Rate limits that nodes share through a real Redis, which is killed, frozen, emptied and refuses. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { RedisCounts } from '@trellis/server/adapters/redis/redis-counts.ts';
import { createMetrics } from '@trellis/server/kernel/http/metrics.ts';
import { Counts } from '@trellis/server/kernel/rate-limits/counts.ts';
import { RateLimiter } from '@trellis/server/kernel/rate-limits/rate-limiter.ts';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { startNode } from '../support/nodes.ts';
import { readMetrics, runCommand, settingsOf, startServing } from '../support/program.ts';
import { createRedisServer, findRedisServer, type RedisTestServer } from '../support/redis-server.ts';
import { countRunningTime } from '../support/running-time.ts';
import { send } from '../support/send.ts';
import { until } from '../support/until.ts';

const found = await findRedisServer();
const environment = 'missing' in found ? {} : found.environment;
const skip = 'missing' in found ? found.missing : false;
const key = randomBytes(32);

let redis: RedisTestServer;
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ poolSize: 2 });
  redis = await createRedisServer(environment);
  if (skip === false) await redis.start();
});
after(async () => {
  await redis?.remove();
  await database?.drop();
});

/** A process that limits requests, with what it has logged and counted. */
async function startLimiter(
  context: TestContext,
  // A busy machine may take long for what takes a millisecond.
  { url = redis.url, clockMs = 0, deadlineMs = 30_000, toleratedMs = 500 } = {},
) {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const shared = await RedisCounts.open({ url, key, log, deadlineMs, toleratedMs });
  context.after(() => shared.close());
  if (url === redis.url) {
    await until('Redis can be used', () => shared.isReachable());
    lines.length = 0;
  }
  const metrics = createMetrics();
  metrics.watchSharedCounts(() => shared.isReachable());
  const limiter = new RateLimiter({
    scope: 'test',
    shared,
    countCheck: (where) => metrics.countRateLimitCheck(where),
    now: () => performance.now() + clockMs,
  });
  return {
    shared,
    lines,
    /** What is left of a limit; null for a refused request. */
    take: (name: string, quota: number) => take(limiter, name, quota),
    readMetric: async (name: string) => {
      const line = (await metrics.render()).split('\n').find((one) => one.startsWith(`${name} `));
      return line === undefined ? null : Number(line.split(' ')[1]);
    },
  };
}

async function take(limiter: RateLimiter, name: string, quota: number): Promise<number | null> {
  try {
    const { ratelimit = '' } = await limiter.take([{ name: 'token', key: name, quota }]);
    return Number(/;r=(\d+);/.exec(ratelimit)?.[1]);
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'rate_limited');
    assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d?$/);
    assert.match(error.headers.ratelimit ?? '', /;r=0;/);
    return null;
  }
}

const shared = 'trellis_rate_limit_shared';
const countedShared = 'trellis_rate_limit_checks_total{counted="shared"}';
const countedLocally = 'trellis_rate_limit_checks_total{counted="local"}';

test('requests of two nodes get exactly the limit', { skip }, async (context) => {
  const organization = await createOrganization(database.worker, 'shared-limits');
  const ownerId = await createMember(database.worker, organization, 'OWNER');
  const { token } = await createToken(database.worker, organization, ownerId);
  const nodes = await Promise.all(
    [1, 2].map(async () => {
      const { shared: sharedCounts } = await startLimiter(context);
      return startNode(database, {
        poolSize: 2,
        perToken: 3,
        sharedCounts,
      });
    }),
  );
  try {
    const responses = await Promise.all(
      [...Array(20).keys()].flatMap(() =>
        nodes.map(({ url }) =>
          send(`${url}/v1/sites`, {
            method: 'GET',
            body: null,
            headers: { authorization: `Bearer ${token}` },
          }),
        ),
      ),
    );
    const accepted = responses.filter(({ status }) => status === 200);
    assert.deepEqual(
      accepted.map(({ headers }) => /;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]).sort(),
      ['0', '1', '2'],
    );
    const refused = responses.filter(({ status }) => status === 429);
    assert.equal(refused.length, 37);
    for (const { headers, text } of refused) {
      assert.equal(headers.get('ratelimit-policy'), '"token";q=3;w=60');
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
      assert.match(text, /rate_limited/);
    }
  } finally {
    for (const node of nodes) await node.close();
  }
});

test('so do requests of the processes of one node', { skip }, async () => {
  const organization = await createOrganization(database.worker, 'shared-by-workers');
  const ownerId = await createMember(database.worker, organization, 'OWNER');
  const settings = { TRELLIS_REDIS_URL: redis.url, TRELLIS_RATE_LIMIT_TOKEN: '3' };
  const server = await startServing(['--workers', '2', '--port', '0'], {
    ...settingsOf(database),
    ...settings,
  });
  const counted = async (where: 'shared' | 'local') => {
    const text = await readMetrics(server);
    return Number(
      new RegExp(`^trellis_rate_limit_checks_total{counted="${where}"} (\\d+)$`, 'm').exec(text)?.[1],
    );
  };
  try {
    let checked = 0;
    let locally = 0;
    await until('Redis has counted all requests of a token', async () => {
      const { token } = await createToken(database.worker, organization, ownerId);
      // A new connection each, which may reach either process.
      const headers = { authorization: `Bearer ${token}`, connection: 'close' };
      const statuses = await Promise.all(
        [...Array(30).keys()].map(async () => (await fetch(`${server.url}/v1/sites`, { headers })).status),
      );
      checked += statuses.filter((status) => status === 200 || status === 429).length;
      await until(
        'all are counted',
        async () => (await counted('shared')) + (await counted('local')) === checked,
      );
      const before = locally;
      locally = await counted('local');
      // A busy machine may be too slow for the deadline, or overloaded.
      if (locally > before || statuses.includes(503)) return false;
      assert.equal(statuses.filter((status) => status === 200).length, 3);
      assert.equal(statuses.filter((status) => status === 429).length, 27);
      return true;
    });
    assert.match(await readMetrics(server), /^trellis_rate_limit_shared 1$/m);
  } finally {
    assert.equal(await server.end('SIGTERM'), 0);
  }
});

test('an invalid address of Redis is reported without its password', async () => {
  const wrong = ['http://:s3cret@a', 'redis://:s3cret@a/zero', 'redis://:s3cret%@a', 'redis://:s3cret@a?b=c'];
  for (const url of wrong) {
    const { code, stdout, stderr } = await runCommand(['doctor', '--json'], { TRELLIS_REDIS_URL: url });
    assert.equal(code, 1);
    assert.match(stdout, /TRELLIS_REDIS_URL must have the form redis:/);
    assert.doesNotMatch(stdout + stderr, /s3cret/);
  }
});

test('a quota that does not divide a minute evenly is reached exactly, as in memory', {
  skip,
}, async (context) => {
  const { take: takeShared } = await startLimiter(context);
  const local = new RateLimiter({ scope: 'test', shared: null, countCheck: () => undefined });
  for (const quota of [1, 7, 13]) {
    const expected = [...Array(quota).keys()].reverse();
    for (const left of [...expected, null]) {
      assert.equal(await takeShared(`odd ${quota}`, quota), left);
      assert.equal(await take(local, `odd ${quota}`, quota), left);
    }
  }
});

test('every quota is reached exactly when no time passes', async () => {
  for (let quota = 1; quota <= 300; quota += 1) {
    const counts = new Counts();
    const policies = [{ name: 'token', key: 'stopped', quota }];
    for (let index = 0; index < quota; index += 1)
      assert.ok(counts.count(policies, 1_000).accepted, `${quota}`);
    assert.ok(!counts.count(policies, 1_000).accepted, `${quota}`);
  }
});

test('a refused request counts against none of its limits', { skip }, async (context) => {
  const [one, other] = await Promise.all([startLimiter(context), startLimiter(context)]);
  const both = [
    { name: 'token', key: 'narrow', quota: 1 },
    { name: 'organization', key: 'wide', quota: 5 },
  ];
  assert.ok((await one.shared.count('test', both))?.accepted);
  for (let index = 0; index < 3; index += 1) {
    assert.equal((await other.shared.count('test', both))?.accepted, false);
  }
  const wide = await one.shared.count('test', both.slice(1));
  assert.ok(wide?.accepted);
  // Two of five requests are used.
  assert.ok(Number(wide.fullInMs[0]) <= 24_000);
});

test('the clocks of nodes do not matter', { skip }, async (context) => {
  const hour = 3_600_000;
  const [one, other] = await Promise.all([startLimiter(context), startLimiter(context, { clockMs: hour })]);
  assert.deepEqual(
    [await one.take('clock', 2), await other.take('clock', 2), await one.take('clock', 2)],
    [1, 0, null],
  );
  assert.equal(await other.take('clock', 2), null);
});

test('keys are hashes that expire within a minute', { skip }, async (context) => {
  await redis.run('FLUSHALL');
  const { take: takeOne } = await startLimiter(context);
  await takeOne('192.0.2.0/24', 1);
  await takeOne('198.51.100.0/24', 600);
  const keys = (await redis.run('KEYS', '*')) as string[];
  assert.ok(keys.length > 0 && keys.length <= 3, keys.join());
  for (const name of keys) {
    assert.match(name, /^trellis:rate:[\w-]{22}$/);
    const left = Number(await redis.run('PTTL', name));
    assert.ok(left <= 60_000 && left !== -1, `${left} ms`);
  }
});

test('requests above a limit do not reach Redis', { skip }, async (context) => {
  const { take: takeOne, readMetric } = await startLimiter(context);
  const calls = async () =>
    /cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.run('INFO', 'commandstats')))?.[1];
  assert.equal(await takeOne('flood', 1), 0);
  assert.equal(await takeOne('flood', 1), null);
  const before = await calls();
  for (let index = 0; index < 100; index += 1) assert.equal(await takeOne('flood', 1), null);
  assert.equal(await calls(), before);
  assert.equal(await readMetric(countedShared), 102);
});

test('scripts and data may be flushed', { skip }, async (context) => {
  const [one, other] = await Promise.all([startLimiter(context), startLimiter(context)]);
  assert.equal(await one.take('flush', 2), 1);
  await redis.run('SCRIPT', 'FLUSH');
  assert.equal(await other.take('flush', 2), 0);
  await redis.run('FLUSHALL');
  await redis.run('SCRIPT', 'FLUSH');
  assert.equal(await one.take('flush', 2), 1);
  assert.deepEqual([one.lines, other.lines], [[], []]);
  assert.equal(await one.readMetric(countedLocally), 0);
});

test('without Redis requests are counted in the process at once, and shared again when it is back', {
  skip,
}, async (context) => {
  const [one, other] = await Promise.all([startLimiter(context), startLimiter(context)]);
  assert.equal(await one.take('killed', 2), 1);
  assert.equal(await other.take('killed', 2), 0);
  assert.equal(await one.readMetric(shared), 1);
  await redis.stop();
  try {
    // The node continues from what it knows: it has seen one request.
    assert.equal(await one.take('killed', 2), 0);
    assert.equal(await one.take('killed', 2), null);
    assert.equal(await other.take('killed', 2), null, 'what was exhausted stays exhausted');
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => one.take('fresh', 2))), [1, 0, null]);
    assert.equal(await one.readMetric(shared), 0);
    assert.ok(Number(await one.readMetric(countedLocally)) >= 4);
    assert.equal(one.lines.length, 1);
    assert.match(one.lines[0] ?? '', /Redis cannot be used: rate limits apply per process/);
  } finally {
    await redis.start();
  }
  await until('both share again', () => one.shared.isReachable() && other.shared.isReachable());
  assert.deepEqual(
    [await one.take('back', 2), await other.take('back', 2), await one.take('back', 2)],
    [1, 0, null],
  );
  assert.equal(await one.readMetric(shared), 1);
  assert.equal(one.lines.length, 2);
  assert.match(one.lines[1] ?? '', /shared through Redis again/);
});

test('requests that a pause of Redis delays are counted in the process, and all others stay shared', {
  skip,
}, async (context) => {
  // Only the pause of a busy machine is as long as this tolerance.
  const limiter = await startLimiter(context, { deadlineMs: 100, toleratedMs: 30_000 });
  const { take: takeOne, lines, readMetric } = limiter;
  redis.signal('SIGSTOP');
  try {
    assert.equal(await takeOne('pause', 10), 9);
    assert.equal(await takeOne('pause', 10), 8);
  } finally {
    redis.signal('SIGCONT');
  }
  await until('a request is shared', async () => {
    await takeOne('pause', 100_000);
    return (await readMetric(countedShared)) === 1;
  });
  assert.equal(await readMetric(shared), 1);
  assert.deepEqual(lines, []);
});

test('a frozen Redis delays the requests that wait for it for a moment, and no others', {
  skip,
}, async (context) => {
  const limiter = await startLimiter(context, { deadlineMs: 100 });
  const { take: takeOne, shared: counts, lines, readMetric } = limiter;
  redis.signal('SIGSTOP');
  try {
    const finished: string[] = [];
    const note = (name: string) => takeOne(name, 100_000).then(() => finished.push(name));
    const stop = countRunningTime();
    const waiting = [...Array(1_000).keys()].map(() => note('waits'));
    // No more than a thousand wait.
    await Promise.all([...waiting, note('late')]);
    for (let number = 0; number < 10; number += 1) await note('later');
    const took = stop();
    assert.equal(finished[0], 'late');
    // Those that began in the first half second waited for a tenth each.
    assert.ok(took < 2, `${took} s`);
    assert.equal(counts.isReachable(), false);
    assert.equal(await readMetric(countedLocally), 1_011);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /no response within 100 ms/);
  } finally {
    redis.signal('SIGCONT');
  }
  await until('it is shared again', () => counts.isReachable());
});

test('a refused password is reported at the start and by the doctor, without the password', {
  skip,
}, async (context) => {
  const locked = await createRedisServer(environment, { password: 'correct-password' });
  try {
    await locked.start();
    const { port } = new URL(locked.url);
    for (const [login, reason] of [
      [':wrong-password@', /WRONGPASS/],
      ['', /NOAUTH/],
    ] as const) {
      const url = `redis://${login}127.0.0.1:${port}`;
      const { lines, take: takeOne } = await startLimiter(context, { url });
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', reason);
      assert.doesNotMatch(lines[0] ?? '', /wrong-password/);
      assert.equal(await takeOne('locked', 1), 0);
      const settings = { ...settingsOf(database), TRELLIS_REDIS_URL: url };
      const { code, stdout } = await runCommand(['doctor', '--json'], settings);
      assert.equal(code, 1);
      const finding = JSON.parse(stdout).find(({ check }: { check: string }) => check === 'redis');
      assert.equal(finding.status, 'failed');
      assert.match(finding.detail, reason);
      assert.match(finding.remedy, /TRELLIS_REDIS_URL/);
      assert.doesNotMatch(stdout, /wrong-password/);
    }
    const right = await runCommand(['doctor'], { ...settingsOf(database), TRELLIS_REDIS_URL: locked.url });
    assert.match(right.stdout, /^ok +redis: 127\.0\.0\.1:\d+ counts requests$/m);
  } finally {
    await locked.remove();
  }
});
