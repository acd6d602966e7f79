/**
 * `npm test` and `npm run soak`.
 *
 * `npm test` runs the tests on the embedded PostgreSQL, the long ones at about a tenth of their length (`test/support/soak.ts`).
 * `npm run soak` runs the long ones whole, those that `npm test` leaves out (`tests/soak-files.ts`), and what depends on the
 * version of PostgreSQL on the oldest one that is supported, where this machine has it.
 *
 * Usage: npm test -- [FILE…] [--oldest-postgresql]
 *        npm run soak -- [FILE…] [--turn]
 *
 * With `--turn`, as CI runs it, a soak has a sixth of its files, and those that were changed lately (`tests/soak-files.ts`).
 */
import { glob } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSeed } from '../test/support/seed.ts';
import { dependsOnPostgresql, findOldestPostgresql, oldestSupported } from './tests/oldest-postgresql.ts';
import { type Pass, type RunOptions, type RunResult, runFiles } from './tests/run-files.ts';
import { chooseScreenshotFolder, describeScreenshots, screenshotsVariable } from './tests/screenshots.ts';
import { chooseTurn, isLongerInSoak, isOnlyInSoak, runsAlone } from './tests/soak-files.ts';
import { describeTimes } from './tests/usage-table.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'oldest-postgresql': { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    turn: { type: 'boolean', default: false },
  },
});

const files = await chooseFiles();
const seed = chooseSeed();
const results: RunResult[] = [];
process.stdout.write(`seed ${seed} (repeat with TRELLIS_SEED=${seed})\n`);
if (options.soak) await runSoak();
else await runTests();
report(results);

async function runTests(): Promise<void> {
  const oldest = options['oldest-postgresql'] ? passesOnOldest() : [];
  await add([{ name: 'PostgreSQL 18', files }, ...oldest], { filesPerProcess: 24 });
}

async function runSoak(): Promise<void> {
  const screenshots = chooseScreenshotFolder();
  const environment = { TRELLIS_SOAK: '1', [screenshotsVariable]: screenshots };
  // Where the time ends before the files, those are left out that come last: never the ones of failover, upgrades and load.
  const alone = { name: 'soak, one at a time', files: files.filter(runsAlone), environment };
  await add([alone], { filesPerProcess: 1, atOnce: 1 });
  const together = { name: 'soak', files: files.filter((file) => !runsAlone(file)), environment };
  await add([together, ...passesOnOldest()], { filesPerProcess: 1 });
  process.stdout.write(describeScreenshots(screenshots));
}

/** What depends on the version of PostgreSQL, at the length of `npm test`. */
function passesOnOldest(): Pass[] {
  const named = dependsOnPostgresql.filter((file) => positionals.length === 0 || files.includes(file));
  const chosen = options.turn ? chooseTurn(named) : named;
  if (chosen.length === 0) return [];
  const binaries = findOldestPostgresql();
  if (binaries !== undefined) return [{ name: `PostgreSQL ${oldestSupported}`, files: chosen, binaries }];
  const how = `apt-get install postgresql-${oldestSupported}`;
  process.stdout.write(
    `\n# PostgreSQL ${oldestSupported} is not on this machine: its pass does not run (${how})\n`,
  );
  return [];
}

/** Runs passes, unless they have no files or a run before them was interrupted. */
async function add(passes: readonly Pass[], options: Omit<RunOptions, 'seed'>): Promise<void> {
  const wanted = passes.filter((pass) => pass.files.length > 0);
  const wasInterrupted = results.some(({ interrupted }) => interrupted);
  if (wanted.length === 0 || wasInterrupted) return;
  results.push(await runFiles(wanted, { seed, ...options }));
}

async function chooseFiles(): Promise<string[]> {
  // As the lists of files name them.
  if (positionals.length > 0) return positionals.map((file) => relative('', resolve(file)));
  const files: string[] = [];
  for await (const file of glob('test/**/*.test.ts')) files.push(file);
  const all = files.sort().filter((file) => (options.soak ? isLongerInSoak(file) : !isOnlyInSoak(file)));
  return options.turn ? chooseTurn(all) : all;
}

function report(runs: readonly RunResult[]): void {
  const sum = (count: (run: RunResult) => number) => runs.reduce((total, run) => total + count(run), 0);
  const [passed, failed, skipped] = [
    sum((run) => run.passed),
    sum((run) => run.failed),
    sum((run) => run.skipped),
  ];
  process.stdout.write(`\n${describeTimes(runs)}\n`);
  if (skipped > 0) process.stdout.write(`\n${skipped} skipped, for the reasons above\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  const isComplete = runs.every(({ interrupted }) => !interrupted);
  process.exitCode = isComplete && failed === 0 && passed > 0 ? 0 : 1;
}
