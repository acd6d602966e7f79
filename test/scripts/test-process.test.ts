/** Test files that share a process: each is a suite of its own, and one that fails does not hide or disturb the next. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { groupFiles } from '../../scripts/tests/groups.ts';
import { seededNumbers } from '../support/seed.ts';

const program = new URL('../../scripts/tests/test-process.ts', import.meta.url).href;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-test-process-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Runs files with these texts in one process. Returns what they printed, and the files with a report. */
async function run(
  texts: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string; lines: string[]; reported: string[] }> {
  const reports = await mkdtemp(join(folder, 'run-'));
  const files: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const file = join(reports, `${name}.mjs`);
    await writeFile(file, `import { after, before, test } from 'node:test';\n${text}`);
    files.push(file);
  }
  const order = { pass: 'pass', files, environment: { TRELLIS_TEST_GIVEN: 'given' }, reports };
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const source = `import { runTestFiles } from '${program}'; await runTestFiles(${JSON.stringify(order)});`;
  const words = ['--test-reporter=tap', '--input-type=module', '--eval', source];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  const reported: string[] = [];
  for (const name of (await readdir(reports)).filter((entry) => entry.endsWith('.json'))) {
    const report = JSON.parse(await readFile(join(reports, name), 'utf8'));
    assert.equal(report.pass, 'pass');
    assert.ok(report.wallMs > 0 && report.cpuMs > 0, JSON.stringify(report));
    reported.push(report.file.slice(reports.length + 1, -'.mjs'.length));
  }
  const lines = [...stdout.matchAll(/said: (.*)/g)].map(([, line = '']) => line);
  return { code: status, output: stdout + stderr, lines, reported: reported.sort() };
}

const say = (text: string) => `console.log('said: ${text}');`;
const quiet = (name: string) => `
  before(() => { ${say(`before ${name}`)} });
  after(() => { ${say(`after ${name}`)} });
  await new Promise((resolve) => setTimeout(resolve, 10));
  test('${name}', () => { ${say(name)} });`;

test('hooks run around the tests of their own file only, also after a wait at the top level', async () => {
  const { code, output, lines, reported } = await run({ one: quiet('one'), two: quiet('two') });
  assert.equal(code, 0, output);
  assert.deepEqual(lines, ['before one', 'one', 'after one', 'before two', 'two', 'after two']);
  assert.deepEqual(reported, ['one', 'two']);
});

test('the environment of the pass is given', async () => {
  const { code, lines } = await run({ one: `console.log('said: ' + process.env.TRELLIS_TEST_GIVEN);` });
  assert.equal(code, 0);
  assert.deepEqual(lines, ['given']);
});

for (const [what, text, message] of [
  ['cannot be loaded', `throw new Error('broken');`, /broken/],
  ['has a test that fails', `test('bad', () => { throw new Error('wrong'); });`, /wrong/],
  [
    'has a hook that fails',
    `before(() => { throw new Error('unready'); }); test('bad', () => {});`,
    /unready/,
  ],
  ['cannot clean up', `after(() => { throw new Error('stuck'); }); test('good', () => {});`, /stuck/],
  ['leaves a variable', `test('good', () => { process.env.LEFT = '1'; });`, /variables of the environment/],
  ['leaves another folder', `test('good', () => process.chdir('/'));`, /another current folder/],
] as const) {
  test(`a file that ${what} has failed, and the next one runs`, async () => {
    const { code, output, lines, reported } = await run({ bad: text, good: quiet('good') });
    assert.equal(code, 1, output);
    assert.match(output, message);
    assert.match(output, /^ok 2 - .*good/m);
    assert.deepEqual(lines, ['before good', 'good', 'after good']);
    assert.deepEqual(reported, ['bad', 'good']);
  });
}

test('a file that ends the process has no report, nor have those after it', async () => {
  const { reported } = await run({
    good: quiet('good'),
    bad: `test('bad', () => { process.exit(0); });`,
    late: quiet('late'),
  });
  assert.deepEqual(reported, ['good']);
});

test('every file is in one group, and the same seed makes the same groups', () => {
  const files = Array.from({ length: 100 }, (_, index) => `test/${index}.test.ts`);
  const alone = 'test/resources/new-resource.test.ts';
  const make = (seed: number) =>
    groupFiles([...files, alone], { draw: seededNumbers(seed), largest: 16, atOnce: 4 });
  const groups = make(1);
  assert.deepEqual(groups.flat().sort(), [...files, alone].sort());
  assert.deepEqual(groups[0], [alone]);
  assert.ok(groups.every(({ length }) => length <= 16));
  assert.deepEqual(make(1), groups);
  assert.notDeepEqual(make(2), groups);
  const few = groupFiles(files.slice(0, 4), { draw: seededNumbers(1), largest: 16, atOnce: 4 });
  assert.equal(few.length, 4, 'all processes have work');
});
