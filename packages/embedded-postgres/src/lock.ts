/**
 * The lock of a data directory, which prevents two servers from using the same embedded database, keys and port.
 *
 * Node has no flock(2). A plain lock file stays after `kill -9`, and two processes that start at once could both remove it as
 * stale. So the lock is a folder of numbered files. The highest number is the lock; taking it over from a dead process means
 * creating the next number, which link(2) allows for one process only; an emptied file is a released lock.
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode, errorMessage, identifySelf, isRunning, type ProcessIdentity } from './processes.ts';

/** The data directory is in use by another running process. */
export class DataDirectoryInUseError extends Error {
  readonly pid: number;
  readonly dataDirectory: string;

  constructor(pid: number, dataDirectory: string) {
    super(
      `The data directory ${dataDirectory} is in use by process ${pid}. Stop that process first, or choose another ` +
        'folder with --data-dir (or TRELLIS_DATA_DIR).',
    );
    this.name = 'DataDirectoryInUseError';
    this.pid = pid;
    this.dataDirectory = dataDirectory;
  }
}

/** The lock of a data directory, held until it is released or the process ends in any way. */
export interface DataDirectoryLock {
  /** Releases the lock; further calls do nothing. */
  release(): void;
}

/**
 * Acquires the lock of a data directory, which is created if it does not exist.
 * @throws DataDirectoryInUseError while another running process, or this one, holds it
 * @throws Error when this user may not write there
 */
export function acquireDataDirectoryLock(dataDirectory: string): DataDirectoryLock {
  const folder = lockFolder(dataDirectory);
  const self = identifySelf();
  const draft = join(folder, `draft-${self.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(draft, { force: true }); // a file of a dead process with the same id may be linked to an entry: do not write to it
    writeFileSync(draft, JSON.stringify(self), { flag: 'wx' });
  } catch (error) {
    throw new Error(
      `The data directory ${dataDirectory} cannot be written (${errorMessage(error)}). Start as its owner, or choose ` +
        'another folder with --data-dir (or TRELLIS_DATA_DIR).',
    );
  }
  try {
    for (;;) {
      const last = readLastEntry(folder);
      if (last?.holder && isRunning(last.holder)) {
        throw new DataDirectoryInUseError(last.holder.pid, resolve(dataDirectory));
      }
      const number = (last?.number ?? 0) + 1;
      const file = join(folder, String(number));
      if (!createLink(draft, file)) continue;
      // The number may be outdated if this process was delayed. In that case a higher one exists, because an entry is
      // deleted only after a higher one was created.
      if (readLastEntry(folder)?.number !== number) {
        rmSync(file, { force: true });
        continue;
      }
      removeEntriesBelow(folder, number);
      return { release: () => releaseLock(file, self) };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The running process that holds the lock of a data directory, or null. */
export function readDataDirectoryHolder(dataDirectory: string): ProcessIdentity | null {
  const holder = readLastEntry(lockFolder(dataDirectory))?.holder ?? null;
  return holder !== null && isRunning(holder) ? holder : null;
}

function lockFolder(dataDirectory: string): string {
  return join(dataDirectory, 'trellis.lock');
}

function createLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function releaseLock(file: string, self: ProcessIdentity): void {
  // After the release the number may have been deleted, but it never becomes the lock of another process.
  const holder = readHolder(file);
  if (holder?.pid === self.pid && holder.started === self.started) truncateSync(file);
}

function listNumbers(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isSafeInteger);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function readLastEntry(folder: string): { number: number; holder: ProcessIdentity | null } | null {
  const numbers = listNumbers(folder);
  if (numbers.length === 0) return null;
  const number = Math.max(...numbers);
  return { number, holder: readHolder(join(folder, String(number))) };
}

function readHolder(file: string): ProcessIdentity | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, started } = value as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null;
  } catch {
    return null; // emptied on release, or cut short by a full disk
  }
}

function removeEntriesBelow(folder: string, number: number): void {
  for (const lower of listNumbers(folder)) {
    if (lower < number) rmSync(join(folder, String(lower)), { force: true });
  }
}
