/**
 * Finds the built console. The published package contains it. In a clone it is built from the present sources: no output of a build is
 * committed, it lies in a folder that is named by the hash of the sources, so an unchanged clone only computes the hash.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, constants, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Where the published package has the console; a clone has no such folder. */
const published = join(root, 'console');
/** What the build depends on: folders and files of the clone. */
const sources = [
  'packages/console/build',
  'packages/console/index.html',
  'packages/console/src',
  'packages/schema/src',
  'packages/client/src',
  'packages/importer/src',
  'package-lock.json',
];
/** Ends the name of the folder of a finished build. */
const lockSuffix = '.building';
const failureSuffix = '.failed';
const pollMs = 100;

/** Where the console is, or will be when it is built. */
export interface ConsolePlace {
  /** The folder appears when the build is complete. */
  readonly folder: string;
}

/** A build that may still be running. */
export interface ConsoleBuild extends ConsolePlace {
  /** Resolves when the folder is complete. @throws Error with the output of a build that failed */
  readonly done: Promise<void>;
  /** Ends a running build. */
  stop(): void;
}

/**
 * Begins to prepare the console.
 * @param dataDir where it is built when node_modules cannot be written
 */
export async function prepareConsole(dataDir: string): Promise<ConsoleBuild> {
  if (await isThere(published)) return finished(published);
  const hash = await hashSources();
  const shared = join(root, 'node_modules', '.cache', 'trellis-console');
  for (const cache of [shared, join(dataDir, 'console')]) {
    if (await isThere(join(cache, hash))) return finished(join(cache, hash));
  }
  const cache = (await isWritable(shared)) ? shared : join(dataDir, 'console');
  const stopping = new AbortController();
  const done = buildOnce(cache, hash, stopping.signal);
  // The failure reaches whoever awaits it; unhandled, it must not end the process.
  done.catch(nothing);
  return { folder: join(cache, hash), done, stop: () => stopping.abort() };
}

function finished(folder: string): ConsoleBuild {
  return { folder, done: Promise.resolve(), stop: nothing };
}

/** The output of the build that failed, for a page that says so; null when none did. */
export async function readFailure({ folder }: ConsolePlace): Promise<string | null> {
  return readFile(`${folder}${failureSuffix}`, 'utf8').catch(() => null);
}

function nothing(): void {}

/** SHA-256 over the names and contents of all sources, shortened. */
async function hashSources(): Promise<string> {
  const lists = await Promise.all(sources.map((source) => listFiles(join(root, source))));
  const files = lists.flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  files.forEach((file, index) => {
    const content = contents[index] ?? Buffer.alloc(0);
    hash.update(`${file.slice(root.length)}\0${content.length}\0`).update(content);
  });
  return hash.digest('hex').slice(0, 24);
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') return null;
      throw error;
    },
  );
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Builds, unless another process is building the same: then it waits for that one. */
async function buildOnce(cache: string, hash: string, signal: AbortSignal): Promise<void> {
  const folder = join(cache, hash);
  const lock = `${folder}${lockSuffix}`;
  await mkdir(cache, { recursive: true });
  while (!(await acquire(lock))) {
    if (signal.aborted) return;
    await sleep(pollMs);
  }
  try {
    if (await isThere(folder)) return;
    await rm(`${folder}${failureSuffix}`, { force: true });
    await runBuild(folder, signal);
    await removeOthers(cache, hash);
  } finally {
    await rm(lock, { force: true });
  }
}

/** Creates the lock file; one whose process has ended is removed, for the next attempt. */
async function acquire(lock: string): Promise<boolean> {
  try {
    await using file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
  return false;
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

async function runBuild(folder: string, signal: AbortSignal): Promise<void> {
  const program = fileURLToPath(import.meta.resolve('@trellis/console/build/build.ts'));
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  signal.removeEventListener('abort', stop);
  if (code === 0 || signal.aborted) return;
  await writeFile(`${folder}${failureSuffix}`, output);
  throw new Error(`The console could not be built:\n${output}`);
}

/** Removes builds of other states of the sources. A server that still serves one has it in memory. */
async function removeOthers(cache: string, hash: string): Promise<void> {
  const names = await readdir(cache);
  await Promise.all(
    names
      .filter((name) => !name.startsWith(hash) && !name.endsWith(lockSuffix))
      .map((name) => rm(join(cache, name), { recursive: true, force: true })),
  );
}
