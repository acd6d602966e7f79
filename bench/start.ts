/**
 * The part `start` of the benchmark: from the start of a process to its event `ready`, in a clone and in the published package, with
 * an external and with the embedded database, beside the smallest server. They are started in turns; printed are the medians. On a
 * shared machine the processor time is the figure to compare.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTestDatabase } from '../test/support/database.ts';
import { makeDataDirectory } from '../test/support/folders.ts';
import { awaitReady, cleanEnvironment } from '../test/support/program.ts';
import { installPackage } from '../test/support/published-package.ts';
import { median } from './median.ts';
import { nodeSettings } from './node-settings.ts';
import type { Environment } from './processes.ts';
import { processorTimeOf, residentMegabytes } from './processor-time.ts';

const help = `Measures the start of a server until it is ready, beside a bare one.

  npm run bench -- start

  --turns N     starts of each (9)
  --help        this text
`;

const { values: options } = parseArgs({
  options: { turns: { type: 'string', default: '9' }, help: { type: 'boolean', default: false } },
});
const turns = Number(options.turns);
if (options.help || !Number.isInteger(turns) || turns < 1) {
  process.stdout.write(help);
  process.exit(options.help ? 0 : 2);
}

/** What is started. */
interface Case {
  readonly name: string;
  readonly program: string;
  readonly environment: Environment;
}

interface Start {
  readonly elapsedMs: number;
  /** Of the process, without that of an embedded database. */
  readonly processorMs: number;
  readonly megabytes: number;
}

await using opened = new AsyncDisposableStack();
const folder = await makeDataDirectory('bench-start');
opened.defer(() => rm(folder, { recursive: true, force: true }));
const installed = await installPackage();
opened.defer(() => installed.remove());
const database = await createTestDatabase();
opened.defer(() => database.drop());

const external = { ...nodeSettings(database.urls), TRELLIS_DATABASE_AUTH_URL: database.urls.auth };
const embedded = { NODE_ENV: 'production', TRELLIS_LOG_LEVEL: 'warn' };
const bare = fileURLToPath(new URL('bare-start.mjs', import.meta.url));
const clone = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url));
const published = join(installed.folder, 'node_modules/trellis/dist/main.js');
const cases: readonly Case[] = [
  { name: 'bare', program: bare, environment: external },
  { name: 'package', program: published, environment: external },
  { name: 'clone', program: clone, environment: external },
  { name: 'package, embedded', program: published, environment: embedded },
  { name: 'clone, embedded', program: clone, environment: embedded },
];

/** Starts it as the launcher does, which keeps compiled code, and stops it. */
async function measureStart({ name, program, environment }: Case): Promise<Start> {
  const place = join(folder, name.replaceAll(/\W+/g, '-'));
  const words = ['serve', '--json', '--port', '0', '--data-dir', place];
  const begun = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...words], {
    env: cleanEnvironment({ ...environment, NODE_COMPILE_CACHE: `${place}-cache` }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = await awaitReady(child);
  const elapsedMs = performance.now() - begun;
  const start = {
    elapsedMs,
    processorMs: processorTimeOf(server.pid),
    megabytes: residentMegabytes(server.pid),
  };
  await server.end('SIGTERM');
  return start;
}

const results = new Map(cases.map(({ name }) => [name, [] as Start[]]));
// The first one creates the database, the cache of compiled code and, in the clone, the console.
for (let turn = 0; turn <= turns; turn += 1) {
  for (const measured of cases) {
    const start = await measureStart(measured);
    if (turn > 0) results.get(measured.name)?.push(start);
  }
}

const lines = [...results].map(([name, starts]) => {
  const middle = (of: keyof Start) => median(starts.map((start) => start[of])).toFixed(0);
  return `| ${name} | ${middle('processorMs')} | ${middle('elapsedMs')} | ${middle('megabytes')} |`;
});
process.stdout.write(
  `${cpus()[0]?.model ?? ''}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${turns} turns\n\n` +
    `| started | processor time, ms | elapsed, ms | memory, MB |\n| --- | --: | --: | --: |\n${lines.join('\n')}\n`,
);
