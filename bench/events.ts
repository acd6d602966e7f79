/**
 * The part `events` of the benchmark: how many events per second one relay moves, how long it takes from a write to the
 * first call of a webhook, and how endpoints that hang affect the others. docs/performance.md explains the figures.
 */

import { rm } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';
import { migrate } from '@trellis/server/kernel/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/kernel/database/setup.ts';
import pg from 'pg';
import { makeDataDirectory } from '../test/support/folders.ts';
import { measureFairness, measureLatency } from './events-delivery.ts';
import { drainCases, measureClaims, measureDrain } from './events-drain.ts';
import { readNumber } from './numbers.ts';
import { stopProcesses } from './processes.ts';

const parts = ['drain', 'latency', 'fairness'] as const;
const help = `Measures the way of events from the outbox to the log and to webhook endpoints.

  npm run bench -- events               everything; some five minutes
  npm run bench -- events --quick       few events and short turns: whether it runs, not how fast
  npm run bench -- events --only PART   only one of: ${parts.join(', ')}

  --events N        rows that the relay finds in the outbox (200000; at least 1000)
  --seconds N       length of a turn of latency and fairness (20)
  --turns N         pairs of turns of fairness (3)
  --help            this text
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    events: { type: 'string' },
    seconds: { type: 'string' },
    turns: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}
if (options.only !== undefined && !parts.some((part) => part === options.only)) {
  process.stderr.write(`There is no part "${options.only}"; there are: ${parts.join(', ')}.\n`);
  process.exit(2);
}

const { quick } = options;
const events = readNumber(options, 'events', 1_000, quick ? 5_000 : 200_000);
const seconds = readNumber(options, 'seconds', 1, quick ? 3 : 20);
const turns = readNumber(options, 'turns', 1, quick ? 1 : 3);
const wanted = (part: (typeof parts)[number]) => options.only === undefined || options.only === part;
const print = (text: string) => process.stdout.write(text);
const load = () => `load ${loadavg()[0]?.toFixed(1)}`;

const dataDirectory = await makeDataDirectory('bench');
const cluster = await startEmbedded({
  dataDirectory,
  log: () => undefined,
  settings: { shared_buffers: '512MB', max_wal_size: '4GB' },
});
const databases: Database[] = [];
async function stopAll(): Promise<void> {
  await stopProcesses();
  await Promise.all(databases.map((database) => database.close()));
  await cluster.stop('immediate');
  await rm(dataDirectory, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(1)));
}

function open(url: string): Database {
  const database = new Database({
    url,
    poolSize: 2,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis bench',
    log: () => undefined,
  });
  databases.push(database);
  return database;
}

const round = (number: number) => number.toFixed(0).padStart(8);

try {
  const urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
  await migrate(urls.owner, () => undefined);
  const admin = new pg.Client({ connectionString: cluster.adminUrl('trellis') });
  admin.on('error', () => undefined); // the server is stopped under it at the end
  await admin.connect();
  const worker = open(urls.worker);
  print(`${cpus().length} cores (${cpus()[0]?.model.trim()}), ${load()}, Node.js ${process.version}, `);
  print(`PostgreSQL ${cluster.version}\n`);

  if (wanted('drain')) {
    print(`\nOne relay empties an outbox of ${events} events; aim 5000 events/s\n\n`);
    print(
      '| case                                          | events/s | bare r/s | ratio | CPU ms/1000 | deliveries |\n',
    );
    print(
      '| --------------------------------------------- | -------- | -------- | ----- | ----------- | ---------- |\n',
    );
    const claims: { ms: number; endpoints: number }[] = [];
    for (const one of drainCases) {
      const drain = await measureDrain({ admin, workerUrl: urls.worker }, one, events);
      const ratio = (drain.eventsPerSecond / drain.baselinePerSecond).toFixed(2);
      print(
        `| ${one.name.padEnd(45)} | ${round(drain.eventsPerSecond)} | ${round(drain.baselinePerSecond)} |  ${ratio} | `,
      );
      print(`${drain.cpuMs.toFixed(1).padStart(11)} | ${String(drain.deliveries).padStart(10)} |\n`);
      if (drain.deliveries > 0) claims.push(await measureClaims(worker));
    }
    print(
      '\nClaims of 128 deliveries of 64 endpoints\n\n| endpoints that have deliveries | ms |\n| --- | --- |\n',
    );
    for (const { endpoints, ms } of claims) print(`| ${endpoints} | ${ms.toFixed(1)} |\n`);
    print(`${load()}\n`);
  }
  if (wanted('latency')) {
    const { rate, latency } = await measureLatency({ urls, worker }, seconds);
    print(
      `\nFrom the instant of a change to the arrival of its first call, ${rate} writes/s, ${latency.calls} calls; aim p95 300 ms\n`,
    );
    print(`p50 ${latency.p50} ms, p95 ${latency.p95} ms, p99 ${latency.p99} ms; ${load()}\n`);
  }
  if (wanted('fairness')) {
    print(
      '\nThe same for healthy endpoints, alone and beside a fifth that hangs, in turns; aim ratio of p99 at most 2\n\n',
    );
    print('| alone p50 | alone p99 | beside p50 | beside p99 | ratio p99 | delivered |\n');
    print('| --------- | --------- | ---------- | ---------- | --------- | --------- |\n');
    for (const { alone, beside } of await measureFairness({ urls, worker }, seconds, turns)) {
      const cells = [alone.p50, alone.p99, beside.p50, beside.p99].map((ms) => String(ms).padStart(9));
      print(
        `| ${cells.join(' | ')} | ${(beside.p99 / alone.p99).toFixed(2).padStart(9)} | ${beside.calls} of ${beside.expected} |\n`,
      );
    }
    print(`${load()}\n`);
  }
} finally {
  await stopAll();
}
