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
import { type PassResult, runFiles } from './tests/run-files.ts';
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
if (options.soak) process.env.TRELLIS_SOAK = '1';
const first = await runFiles({ pass: 'PostgreSQL 18', files });
results.push(first);
if (!options.soak && !options['only-embedded'] && !first.interrupted) {
  const binaries = findOldestPostgresql();
  const dependent = files.filter((file) => dependsOnPostgresql.includes(file));
  if (binaries === undefined) {
    process.stdout.write(
      `\n# PostgreSQL ${oldestSupported} is not on this machine: its pass did not run (apt-get install postgresql-${oldestSupported})\n`,
    );
  } else if (dependent.length > 0) {
    results.push(await runFiles({ pass: `PostgreSQL ${oldestSupported}`, files: dependent, binaries }));
  }
}
report(results);

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
