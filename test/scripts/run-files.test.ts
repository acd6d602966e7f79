/** What `npm test` says of a run: the last line counts each test once, and what has not ended has failed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../scripts/test.ts', import.meta.url));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-run-files-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs files with these texts as `npm test -- FILE…` does. */
async function run(texts: Readonly<Record<string, string>>) {
  const files = await Promise.all(
    Object.entries(texts).map(async ([name, text]) => {
      const file = join(folder, `${name}.mjs`);
      await writeFile(
        file,
        `import { after, before, describe, test } from 'node:test';\nconst fail = () => { throw new Error('wrong'); };\n${text}`,
      );
      return file;
    }),
  );
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...files], {
    env,
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

test('tests in suites, failures, hooks and skipped tests are counted once', async () => {
  const { code, output, lastLine } = await run({
    passing: `test('one', () => {}); describe('some', () => { test('two', () => {}); test('three', { skip: 'why' }, fail); });`,
    failing: `test('four', fail); describe('others', () => { test('five', fail); test('six', () => {}); });`,
    broken: `before(fail); test('seven', () => {});`,
  });
  // One, two and six; four, five and seven, and the hook.
  assert.equal(lastLine, '3 passed, 4 failed', output);
  assert.match(output, /1 skipped/);
  assert.equal(code, 1);
});

test('a file whose process ends before its tests has failed', async () => {
  const { code, output, lastLine } = await run({
    ending: `test('one', () => process.exit(0));`,
  });
  assert.equal(lastLine, '0 passed, 1 failed', output);
  assert.match(output, /✖ \S+ending\.mjs \(PostgreSQL 18\) has not ended/);
  assert.equal(code, 1);
});

test('how a process ended unexpectedly is told, with the last that it wrote', async () => {
  const { code, output } = await run({
    crashing: `test('one', () => { console.error('the reason'); process.kill(process.pid, 'SIGABRT'); });`,
    exiting: `test('two', () => process.exit(3));`,
  });
  assert.match(output, /A process ended by SIGABRT\.[^\n]*\n(.*\n)*the reason\n/);
  assert.match(output, /A process ended with exit code 3\./);
  assert.equal(code, 1);
});

test('a run without failures ends with 0', async () => {
  const { code, output, lastLine } = await run({ good: `test('one', () => {});` });
  assert.equal(lastLine, '1 passed, 0 failed', output);
  assert.equal(code, 0);
});

test('a run without tests has failed', async () => {
  const { code, output, lastLine } = await run({ empty: '' });
  assert.equal(lastLine, '0 passed, 0 failed', output);
  assert.equal(code, 1);
});
