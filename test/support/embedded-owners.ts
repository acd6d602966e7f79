/** Data directories of embedded databases, and processes that own them, for tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const moduleUrl = new URL('../../packages/embedded-postgres/src/embedded.ts', import.meta.url).href;
const folders: string[] = [];
const children: ChildProcess[] = [];

/** Creates a folder that other users can read. `removeFolders` removes it. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trellis-embedded-')));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** Removes all folders of `makeFolder`. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Lets `killOwners` kill another process too. */
export function killAtEnd(child: ChildProcess): void {
  children.push(child);
}

/** Kills all processes of `runOwner` and `killAtEnd`. */
export function killOwners(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Starts a Node.js process with `code`, which has this module as `embedded`; resolves with its first line of output. */
export async function runOwner(
  code: string,
): Promise<{ child: ChildProcess; firstLine: string; ended: Promise<unknown> }> {
  const program = `import * as embedded from ${JSON.stringify(moduleUrl)};\n${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      hasEnded = true;
      resolve();
    });
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await until('first line', () => output.includes('\n') || hasEnded);
  return { child, firstLine: output.split('\n')[0] ?? '', ended };
}
