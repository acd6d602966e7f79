/** Guessing: what it costs, and that it tells nothing. */
import assert from 'node:assert/strict';
import { type Argon2Parameters, argon2Sync, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Problem } from '@trellis/schema/problem.ts';
import { createSignInContext, type SignInContext } from '@trellis/server/features/sign-in/context.ts';
import { type DelaySubject, Delays } from '@trellis/server/features/sign-in/delays.ts';
import { FailedAttempts } from '@trellis/server/features/sign-in/failed-attempts.ts';
import { HashThread } from '@trellis/server/features/sign-in/hash-thread.ts';
import { KnownBrowsers } from '@trellis/server/features/sign-in/known-browsers.ts';
import { signInByPassword } from '@trellis/server/features/sign-in/sign-in.ts';
import type { Step } from '@trellis/server/kernel/database/batch.ts';
import { SessionCookie } from '@trellis/server/kernel/identity/session-cookie.ts';
import { givePassword, type TestAccount } from '../support/browser-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { noting } from '../support/round-trips.ts';

let database: TestDatabase;
let organization: TestOrganization;
let context: SignInContext;
/** What is logged of failed attempts. */
const lines: Record<string, unknown>[] = [];
let known: TestAccount;
before(async () => {
  database = await createTestDatabase({ poolSize: 8 });
  organization = await createOrganization(database.worker, 'acme');
  known = await givePassword(database.auth, await createMember(database.worker, organization, 'OWNER'));
  const key = Buffer.alloc(32, 1);
  const cookie = new SessionCookie(key, () => 'https://trellis.test');
  context = createSignInContext(
    database.auth,
    cookie,
    key,
    {
      idleSeconds: 3_600,
      callsPerNetwork: 0,
      mail: null,
      external: null,
    },
    { warn: (detail, message) => lines.push({ ...detail, message }) },
  );
});
after(() => database.drop());

let networks = 0;
function newNetwork(): string {
  networks += 1;
  return `network ${networks}`;
}

/**
 * Tries a password from a network; a new one unless given.
 * @param browser cookie by which the browser is known
 * @returns the code of the refusal, or `signed in`
 */
async function tryPassword(
  email: string,
  password: string,
  network = newNetwork(),
  browser: string | null = null,
): Promise<string> {
  try {
    await signInByPassword(
      context,
      { email, password },
      {
        network,
        browser,
        device: '',
        staySignedIn: false,
        requestId: randomUUID(),
      },
    );
    return 'signed in';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

/** How often an address has failed and has to wait. */
async function forgetDelays(): Promise<void> {
  await database.auth.run('DELETE FROM trellis.sign_in_delays');
}

/** Everybody who has to wait has waited long enough. */
async function letTimePass(): Promise<void> {
  await database.auth.run(`UPDATE trellis.sign_in_delays SET blocked_until = '-infinity'`);
}

/** Whoever has to wait has to wait for long: this machine may take a second for what the test does next. */
async function stopTheClock(): Promise<void> {
  await database.auth.run(
    `UPDATE trellis.sign_in_delays SET blocked_until = blocked_until + interval '1 hour' WHERE blocked_until > updated_at`,
  );
}

/** Nothing has passed of the minute after which a failure is forgotten. */
async function stopForgetting(): Promise<void> {
  await database.auth.run('UPDATE trellis.sign_in_delays SET updated_at = clock_timestamp()');
}

test('one hash is computed for each attempt, whoever it is for', async () => {
  const bare = await createMember(database.worker, organization, 'VIEWER');
  const disabled = await givePassword(
    database.auth,
    await createMember(database.worker, organization, 'VIEWER'),
  );
  await database.worker.run(`UPDATE trellis.users SET status = 'DISABLED' WHERE id = $1`, [disabled.userId]);
  const attempts = [
    [known.email, 'wrong'],
    [known.email, known.password],
    ['nobody@example.com', known.password],
    [`${bare}@example.com`, known.password],
    [disabled.email, known.password],
    ['no address at all', known.password],
  ] as const;
  for (const [email, password] of attempts) {
    const before = context.hasher.counts().computed;
    const outcome = await tryPassword(email, password);
    assert.equal(
      outcome,
      password === known.password && email === known.email ? 'signed in' : 'sign_in_failed',
      email,
    );
    assert.equal(context.hasher.counts().computed - before, 1, email);
  }
  await forgetDelays();
});

/** Records what is sent to the database and which hashes are computed, in their order: all of an attempt that takes time. */
function recordWork({ mock }: TestContext): string[] {
  const work: string[] = [];
  const note = (steps: readonly Step[]) => work.push(...steps.map(({ statement }) => statement.name));
  const { auth } = database;
  for (const method of ['queryInBackground', 'executeInBackground'] as const) {
    const send = auth[method].bind(auth);
    mock.method(auth, method, (steps: readonly Step[]) => {
      note(steps);
      return send(steps);
    });
  }
  const transact = auth.backgroundTransaction.bind(auth);
  const recorded: typeof transact = (first, decide) => {
    note(first);
    return transact(first, (rows, opened) => decide(rows, noting(opened, note)));
  };
  mock.method(auth, 'backgroundTransaction', recorded);
  const { compute } = HashThread.prototype;
  mock.method(HashThread.prototype, 'compute', function (this: HashThread, asked: Argon2Parameters) {
    work.push(`hash of ${asked.memory} KiB, ${asked.passes} passes, ${asked.tagLength} bytes`);
    return compute.call(this, asked);
  });
  return work;
}

test('known and unknown accounts, right and wrong passwords cost the same work until they are refused', async (context) => {
  const disabled = await givePassword(
    database.auth,
    await createMember(database.worker, organization, 'VIEWER'),
  );
  await database.worker.run(`UPDATE trellis.users SET status = 'DISABLED' WHERE id = $1`, [disabled.userId]);
  const work = recordWork(context);
  const workOf = async (email: string, password: string) => {
    await forgetDelays();
    work.length = 0;
    assert.equal(await tryPassword(email, password), 'sign_in_failed', email);
    return [...work];
  };
  const usual = await workOf(known.email, 'not the password');
  assert.equal(usual.filter((what) => what.startsWith('hash of 19456 KiB')).length, 1);
  assert.ok(usual.length > 2, 'statements are recorded');
  for (const [email, password] of [
    ['nobody@example.com', 'not the password'],
    [disabled.email, disabled.password],
    [disabled.email, 'not the password'],
  ] as const) {
    assert.deepEqual(await workOf(email, password), usual, email);
  }
});

const cheapHash = {
  message: 'a',
  nonce: Buffer.alloc(16),
  parallelism: 1,
  tagLength: 32,
  memory: 64,
  passes: 1,
};

if (process.platform === 'linux') {
  test('hashes are computed by a thread that gives way to all others', async () => {
    const niceness = async (thread: string) => {
      const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8');
      // After the name in parentheses, the 17th is nice; proc_pid_stat(5).
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    };
    const readAll = async () => {
      const all = await Promise.all((await readdir('/proc/self/task')).map(niceness));
      return all.filter((nice) => nice !== getPriority());
    };
    const before = await readAll();
    await new HashThread().compute(cheapHash);
    // Whoever runs the tests at a lower priority has no thread of a higher one.
    assert.deepEqual(await readAll(), [...before, ...(getPriority() < 10 ? [10] : [])]);
  });
}

test('a hash that cannot be computed fails alone', async () => {
  const thread = new HashThread();
  const [good, bad, next] = await Promise.allSettled([
    thread.compute(cheapHash),
    thread.compute({ ...cheapHash, memory: 1 }),
    thread.compute(cheapHash),
  ]);
  assert.equal(bad.status, 'rejected');
  assert.ok(good.status === 'fulfilled' && next.status === 'fulfilled');
  assert.deepEqual(good.value, argon2Sync('argon2id', cheapHash));
  assert.deepEqual(next.value, good.value);
});

test('hashes that wait for a thread that ends are refused, and the next one starts another thread', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-hash-thread-'));
  try {
    const program = join(folder, 'ending.mjs');
    await writeFile(
      program,
      `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => process.exit(1));`,
    );
    const thread = new HashThread(pathToFileURL(program));
    const ended = await Promise.allSettled([thread.compute(cheapHash), thread.compute(cheapHash)]);
    for (const { status } of ended) assert.equal(status, 'rejected');
    await writeFile(
      program,
      `import ${JSON.stringify(import.meta.resolve('@trellis/server/features/sign-in/hash-worker.ts'))};`,
    );
    assert.deepEqual(await thread.compute(cheapHash), argon2Sync('argon2id', cheapHash));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('two attempts are looked at at once, and a few wait for them; the others are refused unlooked', async () => {
  await forgetDelays();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, index) => tryPassword(`person${index}@example.com`, 'not the password')),
  );
  const looked = outcomes.filter((code) => code === 'sign_in_failed').length;
  // Two at once and forty that wait, of whom some may have waited for too long.
  assert.ok(looked > 2 && looked <= 42, `${looked} were looked at`);
  assert.equal(outcomes.filter((code) => code === 'overloaded').length, 60 - looked);
  assert.equal(context.hasher.counts().mostAtOnce, 2);
  const [row] = await database.auth.run('SELECT count(*) FROM trellis.sign_in_delays');
  // Account from a network, account and network of each that was looked at.
  assert.equal(row?.[0], String(3 * looked));
});

test('attempts of the same millisecond are not refused before there are too many', async () => {
  await forgetDelays();
  const delays = new Delays(database.auth, Buffer.alloc(32, 2));
  for (let index = 0; index < 200; index += 1) {
    const account: DelaySubject[] = [{ kind: 'account', value: `quick ${index}` }];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      assert.equal(await delays.tryTake(account), true, `attempt ${attempt} of account ${index}`);
    }
    const [row] = await database.auth.run(
      'SELECT count(*) FROM trellis.sign_in_delays WHERE blocked_until > clock_timestamp()',
    );
    assert.equal(row?.[0], '0', 'nobody has to wait');
  }
});

for (const [whose, email] of [
  ['a known account', () => known.email],
  ['an unknown account', () => 'nobody@example.com'],
] as const) {
  test(`after five failures of ${whose} from a network each further attempt from there waits longer`, async () => {
    await forgetDelays();
    for (let failure = 1; failure <= 5; failure += 1) {
      assert.equal(
        await tryPassword(email(), 'not the password', 'theirs'),
        'sign_in_failed',
        `attempt ${failure}`,
      );
    }
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      await letTimePass();
      await stopForgetting();
      assert.equal(
        await tryPassword(email(), 'not the password', 'theirs'),
        'sign_in_failed',
        `round ${round}`,
      );
      const [row] = await database.auth.run(
        // Before PostgreSQL 17, infinite instants cannot be subtracted.
        `SELECT round(extract(epoch FROM max(blocked_until - updated_at))) FROM trellis.sign_in_delays WHERE isfinite(blocked_until)`,
      );
      waits.push(Number(row?.[0]));
      await stopTheClock();
      const before = context.hasher.counts().computed;
      assert.equal(await tryPassword(email(), known.password, 'theirs'), 'rate_limited', `round ${round}`);
      assert.equal(context.hasher.counts().computed, before, 'it was looked at');
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });
}

test('whoever guesses from one network keeps nobody out elsewhere, however often', async () => {
  await forgetDelays();
  for (let attempt = 0; attempt < 300; attempt += 1)
    await tryPassword(known.email, 'not the password', 'theirs');
  // On a slow machine the last wait may be over.
  await tryPassword(known.email, 'not the password', 'theirs');
  // The longest wait is that of the network.
  await database.auth.run(
    `UPDATE trellis.sign_in_delays SET blocked_until = blocked_until + interval '1 hour'
     WHERE blocked_until = (SELECT max(blocked_until) FROM trellis.sign_in_delays WHERE isfinite(blocked_until))`,
  );
  assert.equal(await tryPassword(known.email, known.password, 'theirs'), 'rate_limited');
  const [row] = await database.auth.run('SELECT max(failures), count(*) FROM trellis.sign_in_delays');
  assert.ok(Number(row?.[0]) < 15, `attempts that were refused are counted: ${row?.[0]}`);
  assert.equal(row?.[1], '3');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    assert.equal(await tryPassword(known.email, known.password), 'signed in');
    await tryPassword(known.email, 'not the password', 'theirs');
  }
});

test('from however many networks, an account is guessed at a hundred times and then once a minute', async () => {
  await forgetDelays();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await stopForgetting();
    assert.equal(await tryPassword(known.email, 'not the password'), 'sign_in_failed', `attempt ${attempt}`);
  }
  const waits: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    await letTimePass();
    await stopForgetting();
    assert.equal(await tryPassword(known.email, 'not the password'), 'sign_in_failed', `round ${round}`);
    const [row] = await database.auth.run(
      // Before PostgreSQL 17, infinite instants cannot be subtracted.
      `SELECT round(extract(epoch FROM max(blocked_until - updated_at))) FROM trellis.sign_in_delays WHERE isfinite(blocked_until)`,
    );
    waits.push(Number(row?.[0]));
    await stopTheClock();
    assert.equal(await tryPassword(known.email, 'not the password'), 'rate_limited');
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);

  // A browser that has signed in before does not notice.
  const browser = context.browsers.add(null, { key: known.email, version: 0 });
  assert.equal(await tryPassword(known.email, known.password, newNetwork(), browser), 'signed in');
  // Its own failures delay it, and nobody else.
  await stopTheClock();
  for (let attempt = 0; attempt < 11; attempt += 1) {
    assert.equal(
      await tryPassword(known.email, 'not the password', newNetwork(), browser),
      'sign_in_failed',
      `attempt ${attempt}`,
    );
  }
  await stopTheClock();
  assert.equal(await tryPassword(known.email, known.password, newNetwork(), browser), 'rate_limited');
  const another = context.browsers.add(null, { key: known.email, version: 0 });
  assert.equal(await tryPassword(known.email, known.password, newNetwork(), another), 'signed in');
});

test('one of the failures of an account is forgotten every minute, and no more', async () => {
  await forgetDelays();
  const delays = new Delays(database.auth, Buffer.alloc(32, 3));
  const account: DelaySubject[] = [{ kind: 'account', value: 'slow' }];
  for (let attempt = 0; attempt < 50; attempt += 1) assert.ok(await delays.tryTake(account));
  const failures = async () =>
    Number((await database.auth.run('SELECT failures FROM trellis.sign_in_delays'))[0]?.[0]);
  // Half a minute more than one, because the clock of a virtual machine can be set back.
  for (const expected of [50, 50, 50]) {
    await database.auth.run(
      `UPDATE trellis.sign_in_delays SET updated_at = clock_timestamp() - interval '90 seconds'`,
    );
    assert.ok(await delays.tryTake(account));
    assert.equal(await failures(), expected);
  }
  // What has passed of a minute is kept: 30 seconds are left, and after another 50 it is over.
  await database.auth.run(
    `UPDATE trellis.sign_in_delays SET updated_at = updated_at - interval '10 seconds'`,
  );
  assert.ok(await delays.tryTake(account));
  assert.equal(await failures(), 51);
  await database.auth.run(
    `UPDATE trellis.sign_in_delays SET updated_at = updated_at - interval '40 seconds'`,
  );
  assert.ok(await delays.tryTake(account));
  assert.equal(await failures(), 51);
  await database.auth.run(`UPDATE trellis.sign_in_delays SET updated_at = updated_at - interval '5 hours'`);
  assert.ok(await delays.tryTake(account));
  assert.equal(await failures(), 1);
});

test('the cookie of a known browser is good for its account, this installation and this version, for a year', () => {
  const { browsers } = context;
  const dayMs = 86_400_000;
  const cookie = browsers.add(null, { key: 'ada@example.com', version: 3 }, 20_000 * dayMs);
  const find = (value: string | null, key = 'ada@example.com', day = 20_000) =>
    browsers.find(value, key, day * dayMs)?.version;
  assert.equal(find(cookie), 3);
  assert.equal(find(cookie, 'ada@example.com', 20_365), 3);
  assert.equal(find(cookie, 'ada@example.com', 20_366), undefined);
  assert.equal(find(cookie, 'eve@example.com'), undefined);
  assert.equal(find(cookie.replace(/^3/, '4')), undefined, 'another version');
  assert.equal(find(cookie.replace('.20000.', '.20001.')), undefined, 'another day');
  assert.equal(find(`${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`), undefined);
  const elsewhere = new KnownBrowsers(Buffer.alloc(32, 9)).add(null, { key: 'ada@example.com', version: 3 });
  assert.equal(find(elsewhere), undefined);
  assert.equal(find('~'.repeat(100_000)), undefined);

  // Of several people at one computer, the last five are known, each once.
  let shared = cookie;
  for (const name of ['bea', 'cy', 'dan', 'eve', 'eve', 'fay']) {
    shared = browsers.add(shared, { key: `${name}@example.com`, version: 0 }, 20_000 * dayMs);
  }
  assert.equal(shared.split('~').length, 5);
  assert.equal(find(shared), undefined);
  for (const name of ['bea', 'fay']) assert.equal(find(shared, `${name}@example.com`), 0);
  assert.ok(shared.length < 500);
});

test('a cookie of before a change of the password makes no browser known', async () => {
  await forgetDelays();
  const browser = context.browsers.add(null, { key: known.email, version: 0 });
  for (let attempt = 0; attempt < 101; attempt += 1) await tryPassword(known.email, 'not the password');
  await stopTheClock();
  assert.equal(await tryPassword(known.email, known.password, newNetwork(), browser), 'signed in');
  await database.auth.run(
    `INSERT INTO trellis.credential_versions AS v (user_id, version) VALUES ($1, 1)
     ON CONFLICT (user_id) DO UPDATE SET version = v.version + 1`,
    [known.userId],
  );
  // With the new version all counts begin anew.
  for (let attempt = 0; attempt < 101; attempt += 1) {
    assert.equal(await tryPassword(known.email, 'not the password'), 'sign_in_failed', `attempt ${attempt}`);
  }
  await stopTheClock();
  assert.equal(await tryPassword(known.email, known.password, newNetwork(), browser), 'rate_limited');
  await forgetDelays();
});

test('a failed attempt is one line of the log, without an address; many are summed up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const written: Record<string, unknown>[] = [];
  const log = { warn: (detail: object, message: string) => void written.push({ ...detail, message }) };
  const failed = new FailedAttempts(log, Buffer.alloc(32, 4));
  const fail = (index: number) =>
    assert.rejects(
      failed.watch(
        {
          method: 'PASSWORD',
          network: `192.0.${index}.0/24`,
          requestId: `request ${index}`,
          account: 'ada@example.com',
        },
        () => Promise.reject(new Problem(index === 0 ? 'sign_in_failed' : 'rate_limited')),
      ),
      Problem,
    );
  for (let index = 0; index < 1_000; index += 1) await fail(index);
  assert.equal(written.length, 60);
  const [first] = written;
  assert.match(String(first?.account), /^[0-9a-f]{16}$/);
  assert.deepEqual(first, {
    message: 'sign-in failed',
    requestId: 'request 0',
    method: 'PASSWORD',
    reason: 'sign_in_failed',
    network: '192.0.0.0/24',
    account: first?.account,
  });
  assert.doesNotMatch(JSON.stringify(written), /ada/);
  t.mock.timers.tick(60_000);
  assert.deepEqual(written.slice(60), [
    {
      message: 'further sign-ins failed within a minute',
      failed: { 'PASSWORD rate_limited': 940 },
      networks: 940,
    },
  ]);
  await fail(0);
  assert.equal(written.length, 62, 'the next minute begins with lines again');
  t.mock.timers.tick(60_000);
  assert.equal(written.length, 62);
});

test('what the log says of sign-ins here names networks and reasons, and no address', async () => {
  await forgetDelays();
  // Of this test alone: that of the others sums up what it has counted after a minute.
  const lines: Record<string, unknown>[] = [];
  context = {
    ...context,
    failed: new FailedAttempts({ warn: (detail) => lines.push({ ...detail }) }, Buffer.alloc(32, 5)),
  };
  await tryPassword(known.email, 'not the password', 'theirs');
  await tryPassword('nobody@example.com', 'not the password', 'theirs');
  await tryPassword(known.email, known.password, 'theirs');
  assert.deepEqual(
    lines.map(({ method, reason, network }) => [method, reason, network]),
    [
      ['PASSWORD', 'sign_in_failed', 'theirs'],
      ['PASSWORD', 'sign_in_failed', 'theirs'],
    ],
  );
  assert.notEqual(lines[0]?.account, lines[1]?.account);
  assert.doesNotMatch(JSON.stringify(lines), /@/);
});

test('nobody is locked out: after the wait the right password signs in, and the failures are forgotten', async () => {
  await forgetDelays();
  for (let attempt = 0; attempt < 6; attempt += 1) await tryPassword(known.email, 'not the password', 'home');
  await stopTheClock();
  assert.equal(await tryPassword(known.email, known.password, 'home'), 'rate_limited');
  await letTimePass();
  assert.equal(await tryPassword(known.email, known.password, 'home'), 'signed in');
  assert.equal(await tryPassword(known.email, 'not the password', 'home'), 'sign_in_failed');
  assert.equal(await tryPassword(known.email, known.password, 'home'), 'signed in');
});

test('a network that tries many accounts has to wait too', async () => {
  await forgetDelays();
  const tryNext = (index: number) =>
    tryPassword(`person${index}@example.com`, 'not the password', 'one network');
  for (let index = 0; index < 2; index += 1) assert.equal(await tryNext(index), 'sign_in_failed');
  // As if others had tried from there too.
  await database.auth.run('UPDATE trellis.sign_in_delays SET failures = 99 WHERE failures > 1');
  assert.equal(await tryNext(2), 'sign_in_failed', 'the 100th');
  assert.equal(await tryNext(3), 'sign_in_failed', 'the 101st');
  await stopTheClock();
  assert.equal(await tryNext(4), 'rate_limited');
  assert.equal(
    await tryPassword('person5@example.com', 'not the password'),
    'sign_in_failed',
    'from elsewhere',
  );
});

test('the table of delays names nobody', async () => {
  const rows = await database.auth.run('SELECT d::text FROM trellis.sign_in_delays d');
  assert.ok(rows.length > 0);
  assert.doesNotMatch(JSON.stringify(rows), /person|network|example/);
});
