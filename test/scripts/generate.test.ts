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
import { describeNewSchema } from '../../scripts/describe-schema.ts';
import { checkGeneratedFiles, writeGeneratedFiles } from '../../scripts/generated-files.ts';

const root = join(import.meta.dirname, '..', '..');
const generated = [
  ...['openapi.json', 'asyncapi.json', 'errors.md', 'permissions.md', 'limits.md', 'configuration.md'].map(
    (name) => `docs/generated/${name}`,
  ),
  ...['types.ts', 'operations.ts'].map((name) => `packages/client/src/generated/${name}`),
  'packages/schema/src/values/country-names.ts',
];

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-generate-'));
  await writeFile(join(folder, 'CHANGELOG.md'), '# Changelog\n');
});
after(() => rm(folder, { recursive: true, force: true }));

let schema: Promise<string> | undefined;
/** Starts a database for it once. */
function describeSchema(): Promise<string> {
  schema ??= describeNewSchema();
  return schema;
}

/** Writes the files. Returns the paths of those that changed. */
async function generate(): Promise<readonly string[]> {
  const { written, withoutSchema } = await writeGeneratedFiles(folder, describeSchema);
  assert.equal(withoutSchema, null);
  return written;
}

const check = () => checkGeneratedFiles(folder);

/** Runs the check as `npm run generate -- --check` does, in a process. */
function checkByProcess(): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(folder, 'scripts', 'generate.ts'), '--check'],
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

const file = (name: string) => join(folder, name);

test('what is generated passes the check, without git too; it is written once', async () => {
  const first = await generate();
  assert.deepEqual(first.toSorted(), [...generated, 'docs/generated/schema.sql'].toSorted());
  assert.match(await readFile(file('docs/generated/schema.sql'), 'utf8'), /CREATE TABLE trellis\.articles/);
  assert.deepEqual(check(), []);
  assert.deepEqual(await generate(), []);
});

test('without a database the other files are written all the same', async () => {
  await rm(file('docs/generated/errors.md'));
  const failing = () => Promise.reject(new Error('no database here'));
  assert.deepEqual(await writeGeneratedFiles(folder, failing), {
    written: ['docs/generated/errors.md'],
    withoutSchema: 'no database here',
  });
  assert.deepEqual(check(), []);
});

test('files that are missing or not what the code says are found, each by name', async () => {
  const right = await Promise.all(generated.map((name) => readFile(file(name))));
  const spoil = [(name: string) => appendFile(file(name), ' '), (name: string) => rm(file(name))];
  for (const spoilOne of spoil) {
    await Promise.all(generated.map(spoilOne));
    const faults = check();
    assert.equal(faults.length, generated.length);
    for (const name of generated) {
      assert.ok(
        faults.some((fault) => fault.includes(`${name} is not what the code says`)),
        faults.join('\n'),
      );
    }
  }
  await Promise.all(generated.map((name, index) => writeFile(file(name), right[index] ?? '')));
  assert.deepEqual(check(), []);
});

test('a document that differs from the last commit must be told in the changelog', async () => {
  const right = await readFile(file('docs/generated/openapi.json'));
  commit();
  assert.deepEqual(check(), []);
  await writeFile(file('docs/generated/openapi.json'), '{}\n');
  commit();
  await writeFile(file('docs/generated/openapi.json'), right);
  const silent = check();
  assert.equal(silent.length, 1);
  assert.match(silent.join('\n'), /openapi\.json has changed, but CHANGELOG\.md does not say so/);
  await appendFile(join(folder, 'CHANGELOG.md'), '\n- The document is complete.\n');
  assert.deepEqual(check(), []);
});

test('a document that was never committed is no change', async () => {
  await rm(file('docs/generated/openapi.json'));
  await rm(join(folder, '.git'), { recursive: true });
  commit();
  assert.deepEqual(await generate(), ['docs/generated/openapi.json']);
  assert.deepEqual(check(), []);
});

test('the script prints the faults and fails', async () => {
  // It works on the folder that it stands in.
  await mkdir(join(folder, 'scripts'));
  const scripts = ['generate', 'generated-files', 'client-types', 'country-names', 'describe-schema'];
  for (const script of scripts.map((name) => `${name}.ts`)) {
    await cp(join(root, 'scripts', script), join(folder, 'scripts', script));
  }
  for (const linked of ['node_modules', 'package.json'])
    await symlink(join(root, linked), join(folder, linked));
  assert.deepEqual(checkByProcess(), { code: 0, output: '' });
  await rm(file('docs/generated/limits.md'));
  const faults = check();
  assert.equal(faults.length, 1);
  assert.deepEqual(checkByProcess(), { code: 1, output: `${faults.join('\n')}\n` });
});
