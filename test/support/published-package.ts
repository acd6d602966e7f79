/** The published package, built from this clone and installed with npm in an empty folder outside it. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDataDirectory } from './folders.ts';

const execute = promisify(execFile);
const script = fileURLToPath(new URL('../../scripts/package.ts', import.meta.url));

export interface PublishedPackage {
  /** The folder in which it was installed; its name has a space. */
  readonly folder: string;
  /** Starts `npx trellis` in a folder, by default in `folder`, as a user if given. */
  start(
    words: readonly string[],
    options?: { readonly cwd?: string; readonly uid?: number; readonly environment?: NodeJS.ProcessEnv },
  ): ChildProcessByStdio<null, Readable, Readable>;
  /** Runs `npx trellis` to its end. @throws Error when it fails */
  run(words: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  remove(): Promise<void>;
}

/** The environment of somebody who has no clone: the Node.js and npm of the machine, and nothing of this process's launcher. */
export function foreignEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|TRELLIS_|NODE_(?!EXTRA))|^PORT$/.test(name),
  );
  const path = (process.env.PATH ?? '').split(delimiter);
  return {
    ...Object.fromEntries(kept),
    PATH: path.filter((folder) => !folder.includes('node_modules')).join(delimiter),
  };
}

/** Builds the packages into a folder. @returns the path of the one with the server, which is the first */
async function buildPackage(folder: string): Promise<string> {
  const { stdout } = await execute(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    script,
    folder,
  ]);
  return stdout.slice(0, stdout.indexOf('\n'));
}

/** Builds and installs it. */
export async function installPackage(): Promise<PublishedPackage> {
  const parent = await makeDataDirectory('package');
  const folder = join(parent, 'without a clone');
  await mkdir(folder);
  await chmod(folder, 0o755);
  const env = foreignEnvironment();
  const tarball = await buildPackage(parent);
  await execute('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder, env });
  return {
    folder,
    start: (words, { cwd = folder, uid, environment = {} } = {}) =>
      spawn('npx', ['trellis', ...words], {
        cwd,
        env: { ...env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(uid === undefined ? {} : { uid, gid: uid }),
      }),
    run: (words) => execute('npx', ['trellis', ...words], { cwd: folder, env, maxBuffer: 10_000_000 }),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
