/** Why: whoever generates a client from the document must get one that compiles and works, without options or tricks. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A client program, ready to run. */
export interface GeneratedClient {
  /** Runs the program against a server; fails with its output when it fails. */
  run(options: { url: string; token: string; siteId: string }): Promise<void>;
  close(): Promise<void>;
}

/** Generates types from the document and compiles the program in `client-program` with them. */
export async function generateClient(document: string): Promise<GeneratedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-client-'));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(join(folder, 'openapi.json'), document);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    await cp(join(import.meta.dirname, 'client-program'), folder, { recursive: true });
    await runNode(folder, [toolPath('openapi-typescript'), 'openapi.json', '--output', 'schema.d.ts']);
    await runNode(folder, [toolPath('tsc'), '--project', folder]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    run: ({ url, token, siteId }) => runNode(folder, ['main.ts', url, token, siteId]),
  };
}

function toolPath(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

async function runNode(folder: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  assert.equal(code, 0, `${words.join(' ')}\n${output}`);
}
