/**
 * Why: `npm test` is the one test command. It runs every test on the embedded PostgreSQL, then every test that uses a
 * database again on the oldest PostgreSQL that is supported, where this machine has it.
 *
 * Usage: npm test -- [FILE…] [--only-embedded]
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, rm } from 'node:fs/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/database/embedded.ts';
import { makeDataDirectory } from '../test/support/folders.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'only-embedded': { type: 'boolean', default: false } },
});

/** How long one test, and one pass over all of them, may take before it has failed, in ms. */
const testLimitMs = 15 * 60_000;
const passLimitMs = 40 * 60_000;

/** Tests that do not depend on which PostgreSQL there is, and need not run twice. */
const independent =
  /^test\/(lib|scripts|resources|objects|visitors|browser|cli\/parse|knowledge\/(extraction|hostile|large|s3)|pipeline\/formats)|^test\/database\/embedded|^test\/http\/(openapi|documentation)/;
const oldestSupported = 15;

async function findFiles(): Promise<string[]> {
  if (positionals.length > 0) return positionals;
  const files: string[] = [];
  for await (const file of glob('test/**/*.test.ts')) {
    // Those that take minutes are run by their names.
    if (!file.startsWith('test/soak/')) files.push(file);
  }
  return files.sort();
}

/** Runs test files against one cluster and adds to the counts. */
async function runOn(
  label: string,
  files: readonly string[],
  binaries: string | undefined,
  counts: Counts,
): Promise<void> {
  process.stdout.write(`\n# ${label}: ${files.length} files\n`);
  const dataDirectory = await makeDataDirectory('run');
  const cluster = await startEmbedded({
    dataDirectory,
    log: () => undefined,
    settings: { max_connections: '200' },
    ...(binaries === undefined ? {} : { binaries }),
  });
  try {
    process.env.TRELLIS_TEST_ADMIN_URL = cluster.adminUrl();
    if (binaries !== undefined) process.env.TRELLIS_TEST_BINARIES = binaries;
    const stream = run({
      files: [...files],
      concurrency: 2,
      timeout: testLimitMs,
      // A file whose process does not end after its tests would be waited for without an end.
      signal: AbortSignal.timeout(passLimitMs),
    });
    stream.on('test:pass', (event) => {
      if (event.details.type === 'suite') return;
      if (event.skip !== undefined) counts.skipped += 1;
      else counts.passed += 1;
    });
    stream.on('test:fail', (event) => {
      if (event.details.type !== 'suite') counts.failed += 1;
    });
    for await (const chunk of stream.compose(new spec())) process.stdout.write(String(chunk));
  } finally {
    delete process.env.TRELLIS_TEST_ADMIN_URL;
    delete process.env.TRELLIS_TEST_BINARIES;
    await cluster.stop('immediate');
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** Folder of the oldest supported PostgreSQL's programs; on a Debian machine of CI it is installed when missing. */
function findOldest(): string | undefined {
  const folder = `/usr/lib/postgresql/${oldestSupported}`;
  if (existsSync(`${folder}/bin/postgres`)) return folder;
  if (process.env.CI === undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return undefined;
  process.stdout.write(`installing PostgreSQL ${oldestSupported}\n`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { stdio: 'ignore', env: environment } as const;
  try {
    execFileSync('apt-get', ['update'], quiet);
    // Only the programs are wanted: Debian would otherwise create and start a cluster of its own.
    execFileSync(
      'sh',
      [
        '-c',
        'mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf',
      ],
      quiet,
    );
    execFileSync(
      'apt-get',
      ['install', '-y', '--no-install-recommends', `postgresql-${oldestSupported}`],
      quiet,
    );
  } catch (error) {
    process.stdout.write(
      `PostgreSQL ${oldestSupported} could not be installed: ${(error as Error).message}\n`,
    );
  }
  return existsSync(`${folder}/bin/postgres`) ? folder : undefined;
}

const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
const files = await findFiles();
await runOn('PostgreSQL 18, embedded', files, undefined, counts);
if (!options['only-embedded']) {
  const oldest = findOldest();
  if (oldest === undefined) {
    process.stdout.write(
      `\n# PostgreSQL ${oldestSupported} is not on this machine: its pass did not run (apt-get install postgresql-${oldestSupported})\n`,
    );
  } else {
    const dependent = files.filter((file) => !independent.test(file));
    await runOn(`PostgreSQL ${oldestSupported}`, dependent, oldest, counts);
  }
}
if (counts.skipped > 0) process.stdout.write(`\n${counts.skipped} skipped, for the reasons above\n`);
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
