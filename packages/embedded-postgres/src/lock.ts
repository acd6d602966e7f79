// Two servers on one data directory would each believe to own the embedded database, the keys and the port. Node has
// no flock(2), and a plain lock file is either left behind by `kill -9` or broken by two starters at once, each
// removing what it took for the dead lock of a third. Hence a folder of numbered files, where nothing is ever freed by
// deleting: the highest number is the lock, taking it over from the dead means creating the next number, which
// link(2) lets only one process do, and an emptied file is a lock given back.

import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode, errorMessage, identifySelf, isRunning, type ProcessIdentity } from './processes.ts';

/** Another living process works on this data directory. */
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

/** The right to work on a data directory, held until it is given back or the process ends, however it ends. */
export interface DataDirectoryLock {
  /** Gives the lock back; doing so again does nothing. */
  release(): void;
}

/**
 * Takes the lock of a data directory, which is created if it does not exist.
 * @throws DataDirectoryInUseError while another living process, or this one, holds it
 * @throws Error when this user may not write there
 */
export function acquireDataDirectoryLock(dataDirectory: string): DataDirectoryLock {
  const folder = lockFolder(dataDirectory);
  const self = identifySelf();
  const draft = join(folder, `draft-${self.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(draft, { force: true }); // a dead namesake's might be linked to an entry: never write into that
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
      // The number may be an old one, if we were held up since looking; then a higher one exists by now, because an
      // entry is only ever deleted after a higher one was made.
      if (readLastEntry(folder)?.number !== number) {
        rmSync(file, { force: true });
        continue;
      }
      removeEntriesBelow(folder, number);
      return { release: () => giveBack(file, self) };
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The living process that holds the lock of a data directory, or null. */
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

function giveBack(file: string, self: ProcessIdentity): void {
  // Once given back, the number may have been deleted, but never becomes anyone else's lock again.
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
