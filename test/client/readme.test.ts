/**
 * Runs the examples of the client's README as a user's program would: compiled against the built package, in an own
 * process, against a server. What they print is compared with their comments.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startTestRelay } from '../support/places.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
let folder: string;
let server: TestServer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-client-readme-'));
  server = await startTestServer();
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Builds the package into node_modules of the folder, as JavaScript with declarations: what would be published. */
async function buildPackage(): Promise<void> {
  const target = join(folder, 'node_modules', '@trellis', 'client');
  await mkdir(target, { recursive: true });
  await run(process.execPath, [
    tsc,
    '-p',
    join(root, 'packages/client/src/tsconfig.build.json'),
    '--outDir',
    target,
  ]);
  const { name, version, type } = JSON.parse(
    await readFile(join(root, 'packages/client/package.json'), 'utf8'),
  );
  const exports = { '.': { types: './index.d.ts', default: './index.js' } };
  await writeFile(join(target, 'package.json'), JSON.stringify({ name, version, type, exports }));
}

/** The program in the README: its blocks, with the imports at the beginning. */
async function readProgram(): Promise<string> {
  const text = await readFile(join(root, 'packages/client/README.md'), 'utf8');
  const program = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block).join('\n');
  assert.ok(program.includes('client.events'), 'the blocks were found');
  return program.replace('http://localhost:3000', server.url);
}

test('the examples compile against the built package, and print what their comments say', async (context) => {
  const relay = await startTestRelay(server.database);
  context.after(() => relay.stop());
  await buildPackage();
  const program = await readProgram();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
  await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'dir');
  await symlink(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'), 'dir');
  await writeFile(join(folder, 'program.ts'), program);
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    types: ['node'],
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) =>
    assert.fail(error.stdout),
  );
  const { stdout } = await run(process.execPath, [join(folder, 'program.js')], {
    env: { ...process.env, TRELLIS_TOKEN: server.token },
    timeout: 180_000,
  });
  const expected = [...program.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].flatMap(
    ([, text]) => text?.split(', article.') ?? [],
  );
  const lines = expected.map((line) => (line.startsWith('updated') ? `article.${line}` : line));
  assert.deepEqual(stdout.trim().split('\n'), lines);
});
