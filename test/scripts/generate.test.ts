/**
 * `npm run generate -- --check` finds outdated generated files, and contract changes that are missing in the
 * changelog. Runs in a folder with its own commits.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const generated = [
  'openapi.json',
  'asyncapi.json',
  'errors.md',
  'permissions.md',
  'limits.md',
  'configuration.md',
];

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-generate-'));
  await mkdir(join(folder, 'scripts'));
  for (const script of ['generate.ts', 'describe-schema.ts']) {
    await cp(join(root, 'scripts', script), join(folder, 'scripts', script));
  }
  for (const linked of ['node_modules', 'package.json'])
    await symlink(join(root, linked), join(folder, linked));
  await writeFile(join(folder, 'CHANGELOG.md'), '# Changelog\n');
});
after(() => rm(folder, { recursive: true, force: true }));

function generate(...words: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(folder, 'scripts', 'generate.ts'), ...words],
    { cwd: folder, encoding: 'utf8' },
  );
  return { code: status, output: stdout + stderr };
}

function commit(): void {
  const git = (...words: string[]) => {
    const names = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...names, ...words], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  git('init', '--quiet');
  git('add', 'docs', 'CHANGELOG.md');
  git('commit', '--quiet', '--message', 'A state');
}

const file = (name: string) => join(folder, 'docs', 'generated', name);
const passes = { code: 0, output: '' };

test('what is generated passes the check, without git too; it is written once', async () => {
  const first = generate();
  assert.equal(first.code, 0, first.output);
  for (const name of [...generated, 'schema.sql']) assert.ok(first.output.includes(`${name} written`), name);
  assert.match(await readFile(file('schema.sql'), 'utf8'), /CREATE TABLE trellis\.articles/);
  assert.deepEqual(generate('--check'), passes);
  assert.deepEqual(generate(), passes);
});

test('files that are missing or not what the code says are found, each by name', async () => {
  const right = await Promise.all(generated.map((name) => readFile(file(name))));
  const spoil = [(name: string) => appendFile(file(name), ' '), (name: string) => rm(file(name))];
  for (const spoilOne of spoil) {
    await Promise.all(generated.map(spoilOne));
    const { code, output } = generate('--check');
    assert.equal(code, 1);
    for (const name of generated) assert.ok(output.includes(`${name} is not what the code says`), output);
  }
  await Promise.all(generated.map((name, index) => writeFile(file(name), right[index] ?? '')));
  assert.deepEqual(generate('--check'), passes);
});

test('a document that differs from the last commit must be told in the changelog', async () => {
  const right = await readFile(file('openapi.json'));
  commit();
  assert.deepEqual(generate('--check'), passes);
  await writeFile(file('openapi.json'), '{}\n');
  commit();
  await writeFile(file('openapi.json'), right);
  const silent = generate('--check');
  assert.equal(silent.code, 1);
  assert.match(silent.output, /openapi\.json has changed, but CHANGELOG\.md does not say so/);
  await appendFile(join(folder, 'CHANGELOG.md'), '\n- The document is complete.\n');
  assert.deepEqual(generate('--check'), passes);
});

test('a document that was never committed is no change', async () => {
  await rm(file('openapi.json'));
  await rm(join(folder, '.git'), { recursive: true });
  commit();
  assert.equal(generate().code, 0);
  assert.deepEqual(generate('--check'), passes);
});
