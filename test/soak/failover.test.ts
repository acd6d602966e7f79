/**
 * A cluster with Patroni in synchronous mode, set up as `deploy` says, under 20 writes a second that are repeated until they
 * are acknowledged: twenty failovers, then everything else of docs/failover.md that may fail. No acknowledged write is lost or done
 * twice, and no `trellis serve` is restarted, whether it reaches PostgreSQL by a URL with several hosts, by HAProxy or by pgbouncer.
 * Times are reported and not tested, except that nothing may need a minute.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, type RoleUrls, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import {
  FailoverTrial,
  findTrialPrograms,
  type TrialEntry,
  type TrialNode,
} from '../support/failover-trial.ts';
import { createMember, createOrganization, createToken } from '../support/identities.ts';
import { callServed, runCommand, type ServingProgram, startServing } from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { openOne } from '../support/standby.ts';
import { until } from '../support/until.ts';
import {
  checkAccounts,
  checkReplays,
  startWorkload,
  type Workload,
  type WorkloadResult,
} from '../support/workload.ts';

/** After this long, an operator would have to do something. */
const deadlineMs = 60_000;
/** Two workers for each server: together some 20 writes a second. */
const workers = 2;
const pauseMs = 250;

interface Node {
  readonly entry: TrialEntry;
  readonly serving: ServingProgram;
}

let trial: FailoverTrial;
let urls: RoleUrls;
let token: string;
let siteId: string;
let dataDir: string;
const servers: Node[] = [];
/** Of all workloads that have ended; the database has the records of all. */
const results: WorkloadResult[] = [];

const programs = await findTrialPrograms();
const skip = 'missing' in programs ? programs.missing : false;

before(async () => {
  if ('missing' in programs) return;
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-failover-'));
  trial = await FailoverTrial.start(programs.environment);
  urls = await setUpDatabase(trial.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  trial.run('pgbouncer');
  const worker = openOne(urls.worker);
  const organization = await createOrganization(worker, 'failover');
  token = (await createToken(worker, organization, await createMember(worker, organization, 'OWNER'))).token;
  await worker.close();
  for (const entry of ['nodes', 'haproxy', 'pgbouncer'] as const) {
    const settings = { ...settingsFor(entry), TRELLIS_RATE_LIMIT_TOKEN: '0', TRELLIS_LOG_LEVEL: 'fatal' };
    servers.push({ entry, serving: await startServing(['--port', '0'], settings) });
  }
  const [first] = servers;
  assert.ok(first !== undefined);
  siteId = (
    await callServed(first.serving.url, token, 'POST', '/v1/sites', { name: 'Failover', key: 'failover' })
  ).id;
});
after(async () => {
  for (const { serving } of servers) await serving.end('SIGKILL');
  await trial?.stop();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

function settingsFor(entry: TrialEntry): Record<string, string> {
  return {
    TRELLIS_DATA_DIR: dataDir,
    TRELLIS_DATABASE_URL: trial.over(urls.api, entry),
    TRELLIS_DATABASE_WORKER_URL: trial.over(urls.worker, entry),
    TRELLIS_DATABASE_AUTH_URL: trial.over(urls.auth, entry),
    TRELLIS_CURSOR_KEY: '07'.repeat(32),
    TRELLIS_VISITOR_KEY: '08'.repeat(32),
    ...(entry === 'pgbouncer' ? { TRELLIS_DATABASE_PREPARE: 'off' } : {}),
  };
}

/** Writes through all servers at once. */
class Load {
  private readonly context: TestContext;
  private readonly workloads: readonly (Node & { workload: Workload })[];

  constructor(context: TestContext) {
    this.context = context;
    this.workloads = servers.map((node) => ({
      ...node,
      workload: startWorkload(context, node.serving.url, token, siteId, workers, pauseMs),
    }));
  }

  /** Waits until each server acknowledges writes again, of which the first may have been on their way. */
  async untilAcknowledged(count = 5): Promise<void> {
    const counts = this.workloads.map(({ workload }) => workload.acknowledged());
    await until('each server acknowledges writes', () =>
      this.workloads.every(({ workload }, index) => workload.acknowledged() >= (counts[index] ?? 0) + count),
    );
  }

  /** Lets a fault happen, and reports how long no write was acknowledged. */
  async measure(what: string, happen: () => Promise<void>): Promise<void> {
    await this.untilAcknowledged();
    for (const { workload } of this.workloads) workload.takeInterruption();
    await happen();
    await this.untilAcknowledged();
    const times = this.workloads.map(({ entry, workload }) => ({ entry, ms: workload.takeInterruption() }));
    const shown = times.map(({ entry, ms }) => `${entry} ${(ms / 1_000).toFixed(1)} s`).join(', ');
    this.context.diagnostic(`${what}: ${shown}`);
    for (const { entry, ms } of times)
      assert.ok(ms < deadlineMs, `${what}: no write by ${entry} for ${ms} ms`);
  }

  /** Ends the writes, and compares what was acknowledged with what is stored, by the primary. */
  async check(): Promise<void> {
    for (const { workload } of this.workloads) results.push(await workload.finish());
    const all: WorkloadResult = {
      accounts: results.flatMap(({ accounts }) => accounts),
      acknowledged: results.flatMap(({ acknowledged }) => acknowledged),
      retries: results.reduce((sum, { retries }) => sum + retries, 0),
      replays: results.reduce((sum, { replays }) => sum + replays, 0),
    };
    this.context.diagnostic(
      `${all.acknowledged.length} writes acknowledged so far, ${all.replays} of them by a repetition that found them done`,
    );
    const worker = openOne(urls.worker);
    const admin = openOne(trial.adminUrl('trellis'));
    try {
      await checkAccounts(worker, admin, all);
    } finally {
      await worker.close();
      await admin.close();
    }
    await checkReplays(servers[0]?.serving.url ?? '', token, all, 100);
    for (const { serving } of servers) {
      assert.deepEqual(
        serving.events.map(({ event }) => event),
        ['starting', 'ready'],
        'it has served all the time',
      );
    }
  }
}

/** What happens to the cluster, and when it is over; each is reported with the times that no write was acknowledged. */
type Fault = readonly [name: string, cause: () => Promise<void>];

const switchover: Fault = ['switchover', () => moveTo(() => trial.switchOver())];
const crash: Fault = [
  'PostgreSQL of the primary killed',
  () => moveTo(async (primary) => trial.killPostgres(primary)),
];
const loss: Fault = [
  'PostgreSQL and Patroni of the primary killed',
  () =>
    moveTo(async (primary) => {
      await trial.kill(primary);
      trial.killPostgres(primary);
    }),
];

/** Causes a failover, and starts again what was killed. */
async function moveTo(
  cause: (primary: TrialNode) => Promise<void>,
  beforeReturn = async () => {},
): Promise<void> {
  const primary = await trial.leader();
  await cause(primary);
  await until('another node is the primary', async () => (await trial.leader()) !== primary);
  await beforeReturn();
  trial.restart(primary);
}

test('doctor says whether prepared statements have to be switched off', { skip }, async () => {
  // PgBouncer from 1.21 on would keep them, if configured to.
  const expected: Record<TrialEntry, string> = { nodes: 'ok', haproxy: 'ok', pgbouncer: 'failed' };
  for (const { entry } of servers) {
    const examine = async (prepare: 'on' | 'off') => {
      const settings = { ...settingsFor(entry), TRELLIS_DATABASE_PREPARE: prepare };
      const findings: Json[] = (await runCommand(['doctor', '--json'], settings)).json();
      return findings.find(({ check }) => check === 'prepared statements');
    };
    const finding = await examine('on');
    assert.equal(finding.status, expected[entry], JSON.stringify(finding));
    if (finding.status === 'failed') assert.match(finding.remedy, /TRELLIS_DATABASE_PREPARE=off/);
    assert.equal((await examine('off')).status, 'ok');
  }
});

test('twenty failovers lose and repeat no acknowledged write', { skip }, async (context) => {
  const load = new Load(context);
  const rounds = [switchover, crash, switchover, loss, switchover, crash];
  for (let round = 0; round < 20; round += 1) {
    await load.measure(...(rounds[round % rounds.length] ?? switchover));
    await trial.untilWhole();
  }
  await load.check();
});

test('whatever else of the cluster fails, no acknowledged write is lost or repeated', {
  skip,
}, async (context) => {
  const load = new Load(context);
  const faults: Fault[] = [
    [
      'Patroni of the primary killed, its PostgreSQL remains',
      // The former primary has no standby, and so acknowledges nothing.
      () =>
        moveTo(
          (primary) => trial.kill(primary),
          () => load.untilAcknowledged(),
        ),
    ],
    [
      'the synchronous standby frozen for 10 s',
      async () => {
        const standby = await trial.synchronousStandby();
        const thaw = trial.freezePostgres(standby);
        await sleep(10_000);
        thaw();
      },
    ],
    [
      'HAProxy gone for 5 s',
      async () => {
        await trial.kill('haproxy');
        await sleep(5_000);
        trial.run('haproxy');
      },
    ],
    [
      'pgbouncer gone for 5 s',
      async () => {
        await trial.kill('pgbouncer');
        await sleep(5_000);
        trial.run('pgbouncer');
      },
    ],
    [
      'etcd gone for 12 s',
      async () => {
        await trial.kill('etcd');
        // Longer than the leader's key lives.
        await sleep(12_000);
        trial.run('etcd');
      },
    ],
    switchover,
  ];
  for (const fault of faults) {
    await load.measure(...fault);
    await trial.untilWhole();
  }
  await load.check();
});
