/**
 * `npm test` and `npm run soak`.
 *
 * `npm test` runs every test on the embedded PostgreSQL, and what depends on the version of PostgreSQL again on the oldest
 * one that is supported, where this machine has it. `npm run soak` runs the long tests whole, on the embedded one: those
 * in `test/soak`, and those that `npm test` runs at about a tenth (`test/support/soak.ts`).
 *
 * Usage: npm test -- [FILE…] [--only-embedded]
 *        npm run soak -- [FILE…]
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { dependsOnPostgresql, findOldestPostgresql, oldestSupported } from './tests/oldest-postgresql.ts';
import { type PassOptions, type PassResult, runFiles } from './tests/run-files.ts';
import { describeTimes } from './tests/usage-table.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'only-embedded': { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
  },
});

const files = await chooseFiles();
const results: PassResult[] = [];
if (options.soak) await runSoak();
else await runTests();
report(results);

async function runTests(): Promise<void> {
  await addPass({ pass: 'PostgreSQL 18', files });
  if (options['only-embedded']) return;
  const binaries = findOldestPostgresql();
  if (binaries === undefined) {
    process.stdout.write(
      `\n# PostgreSQL ${oldestSupported} is not on this machine: its pass did not run (apt-get install postgresql-${oldestSupported})\n`,
    );
    return;
  }
  const dependent = files.filter((file) => dependsOnPostgresql.includes(file));
  await addPass({ pass: `PostgreSQL ${oldestSupported}`, files: dependent, binaries });
}

async function runSoak(): Promise<void> {
  process.env.TRELLIS_SOAK = '1';
  await addPass({ pass: 'soak', files: files.filter((file) => !isForSoakOnly(file)) });
  // They compare times, which others would disturb.
  await addPass({ pass: 'soak, one at a time', files: files.filter(isForSoakOnly), atOnce: 1 });
}

/** Runs a pass, unless it has no files or the run was interrupted before it. */
async function addPass(pass: PassOptions): Promise<void> {
  const wasInterrupted = results.some(({ interrupted }) => interrupted);
  if (pass.files.length > 0 && !wasInterrupted) results.push(await runFiles(pass));
}

async function chooseFiles(): Promise<string[]> {
  if (positionals.length > 0) return positionals;
  const files: string[] = [];
  for await (const file of glob('test/**/*.test.ts')) files.push(file);
  const chosen = files.sort().filter((file) => (options.soak ? isLong(file) : !isForSoakOnly(file)));
  // The long ones first: one that begins last would be waited for alone.
  return [...chosen.filter(isLong), ...chosen.filter((file) => !isLong(file))];
}

function isForSoakOnly(file: string): boolean {
  return file.startsWith('test/soak/');
}

/** Whether a soak does more of a test file than `npm test`: the file asks for it by the import of `soak.ts`. */
function isLong(file: string): boolean {
  return isForSoakOnly(file) || readFileSync(file, 'utf8').includes('/support/soak.ts');
}

function report(passes: readonly PassResult[]): void {
  const sum = (count: (pass: PassResult) => number) => passes.reduce((total, pass) => total + count(pass), 0);
  const [passed, failed, skipped] = [
    sum((pass) => pass.passed),
    sum((pass) => pass.failed),
    sum((pass) => pass.skipped),
  ];
  process.stdout.write(`\n${describeTimes(passes)}\n`);
  if (skipped > 0) process.stdout.write(`\n${skipped} skipped, for the reasons above\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  const isComplete = passes.every(({ interrupted }) => !interrupted);
  process.exitCode = isComplete && failed === 0 && passed > 0 ? 0 : 1;
}
