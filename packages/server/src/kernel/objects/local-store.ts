/**
 * An object store on local disk, for an installation on one machine. A file is only visible under its hash when it is
 * complete, even after a power failure.
 *
 *   DIRECTORY/incoming/UUID                          bytes that are arriving
 *   DIRECTORY/objects/ORGANIZATION/ab/cd/abcd…       files by hash; two levels keep every folder small
 */
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf, describeDiskFailure, isMissing } from './disk-failures.ts';
import {
  defaultIncomingOptions,
  type IncomingFile,
  type IncomingOptions,
  openIncomingFiles,
} from './incoming-files.ts';
import {
  assertObjectName,
  assertOrganizationId,
  assertPage,
  assertRange,
  type ByteRange,
  isOrganizationId,
  isSha256,
  type ListedObject,
  notFound,
  type ObjectStore,
  ObjectStoreError,
} from './object-store.ts';
import { checkByProbe } from './probe.ts';
import { createPulledStream } from './pulled-stream.ts';

/** The folder of the store, and how temporary files are cleaned up. */
export interface LocalStoreOptions extends Partial<IncomingOptions> {
  /** Created if missing. Several processes may share it; it must be one file system. */
  readonly directory: string;
}

const pieceBytes = 65_536;
/** Attempts to move a file into place, since another process may remove an empty folder after its creation. */
const placementAttempts = 50;
const hashFolderName = /^[0-9a-f]{2}$/;

/**
 * Opens a store on local disk.
 * @throws ObjectStoreError `unavailable` when the folder cannot be used
 */
export async function createLocalStore(options: LocalStoreOptions): Promise<ObjectStore> {
  const directory = resolve(options.directory);
  const objects = join(directory, 'objects');
  await makeDirectory(directory).catch((error) => {
    throw describeDiskFailure(directory, error);
  });
  const incoming = await openIncomingFiles(join(directory, 'incoming'), {
    ...defaultIncomingOptions,
    ...options,
  });
  const pathOf = (organizationId: string, sha256: string) =>
    join(objects, ...stepsTo(organizationId, sha256));
  /** Runs work on files, and turns errors of the file system into errors of the store. */
  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ObjectStoreError || error instanceof RangeError) throw error;
      throw describeDiskFailure(directory, error);
    }
  };
  const store: ObjectStore = {
    async put(organizationId, source, putOptions) {
      assertOrganizationId(organizationId);
      const file = await incoming.receive(source, putOptions);
      try {
        putOptions.signal.throwIfAborted();
        await onDisk(() => place(file, directory, ['objects', ...stepsTo(organizationId, file.sha256)]));
      } catch (error) {
        await file.discard().catch(() => undefined);
        throw error;
      }
      return { sha256: file.sha256, sizeBytes: file.sizeBytes };
    },
    async open(organizationId, sha256, range) {
      assertObjectName(organizationId, sha256);
      if (range !== undefined) assertRange(range);
      return await onDisk(() => openFile(pathOf(organizationId, sha256), sha256, range));
    },
    async borrow(organizationId, sha256, signal) {
      assertObjectName(organizationId, sha256);
      signal.throwIfAborted();
      const path = pathOf(organizationId, sha256);
      if (!(await onDisk(() => exists(path)))) throw notFound(sha256);
      return { path, release: () => Promise.resolve() };
    },
    async has(organizationId, sha256) {
      assertObjectName(organizationId, sha256);
      return await onDisk(() => exists(pathOf(organizationId, sha256)));
    },
    async remove(organizationId, sha256) {
      assertObjectName(organizationId, sha256);
      await onDisk(() => removeFile(objects, stepsTo(organizationId, sha256)));
    },
    async list(organizationId, after, limit) {
      assertPage(organizationId, after, limit);
      return await onDisk(() => listFiles(join(objects, organizationId), after ?? '', limit));
    },
    async *organizations() {
      for (const name of await onDisk(() => namesIn(objects))) if (isOrganizationId(name)) yield name;
    },
    check: () => checkByProbe(store),
    async close() {
      incoming.close();
    },
  };
  return store;
}

function stepsTo(organizationId: string, sha256: string): string[] {
  return [organizationId, sha256.slice(0, 2), sha256.slice(2, 4), sha256];
}

/** Moves a complete file to its place below the directory, durably. */
async function place(file: IncomingFile, directory: string, steps: readonly string[]): Promise<void> {
  const folders = steps.map((_, index) => join(directory, ...steps.slice(0, index)));
  const target = join(directory, ...steps);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(file.path, target);
      break;
    } catch (error) {
      if (!isMissing(error) || attempt === placementAttempts) throw error;
    }
  }
  // Each folder has the entry of the next. Now that the file is in place, no folder is empty and can be removed.
  try {
    for (const folder of folders.reverse()) await syncFolder(folder);
  } catch (error) {
    // The same object was removed concurrently, so nothing is left to make durable.
    if (!isMissing(error)) throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates the store's folder and its parents, durably. */
async function makeDirectory(directory: string): Promise<void> {
  const highest = await mkdir(directory, { recursive: true, mode: 0o700 });
  if (highest === undefined) return;
  for (let made = directory; made.length >= highest.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function openFile(path: string, sha256: string, range: ByteRange | undefined): Promise<Readable> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw isMissing(error) ? notFound(sha256, error) : error;
  }
  try {
    const { size } = await file.stat();
    if (range !== undefined && range.start >= size) {
      throw new RangeError(`The range starts at byte ${range.start} of ${size}.`);
    }
    return streamFile(file, path, range?.start ?? 0, Math.min(range?.end ?? size, size - 1));
  } catch (error) {
    await file.close();
    throw error;
  }
}

function streamFile(file: FileHandle, path: string, start: number, end: number): Readable {
  let position = start;
  return createPulledStream({
    async pull() {
      if (position > end) return null;
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - position + 1));
      const { bytesRead } = await file.read(piece, 0, piece.length, position).catch((error) => {
        throw describeDiskFailure(path, error);
      });
      if (bytesRead === 0) throw new ObjectStoreError('unavailable', `The file ${path} was cut short.`);
      position += bytesRead;
      return piece.subarray(0, bytesRead);
    },
    release: () => file.close(),
  });
}

/** Removes a file, and the folders that it leaves empty. */
async function removeFile(objects: string, steps: readonly string[]): Promise<void> {
  await rm(join(objects, ...steps), { force: true });
  for (let depth = steps.length - 1; depth > 0; depth -= 1) {
    try {
      await rmdir(join(objects, ...steps.slice(0, depth)));
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return;
      if (!isMissing(error)) throw error;
    }
  }
}

async function listFiles(folder: string, after: string, limit: number): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  for (const first of await listHashFolders(folder, after.slice(0, 2))) {
    const rest = first === after.slice(0, 2) ? after.slice(2, 4) : '';
    for (const second of await listHashFolders(join(folder, first), rest)) {
      for (const sha256 of await namesIn(join(folder, first, second))) {
        if (!isSha256(sha256) || sha256 <= after) continue;
        const status = await stat(join(folder, first, second, sha256)).catch(() => null);
        if (status === null || !status.isFile()) continue; // removed in between
        found.push({ sha256, modifiedAt: status.mtime });
        if (found.length === limit) return found;
      }
    }
  }
  return found;
}

/** The folders of one level for hashes from `from` on. */
async function listHashFolders(folder: string, from: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => hashFolderName.test(name) && name >= from);
}

/** Names in a folder, ascending; none when there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
