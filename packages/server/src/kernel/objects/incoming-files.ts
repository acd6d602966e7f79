/**
 * Temporary files for incoming bytes. The name of an object is the hash of its bytes, which is known only at the end, so
 * bytes are first written to a temporary file. A process that is killed leaves its file behind; such files are recognized
 * by their age, because several processes may share the folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describeDiskFailure } from './disk-failures.ts';
import { ObjectStoreError, type PutOptions, type StoredObject } from './object-store.ts';

/** How temporary files are cleaned up. */
export interface IncomingOptions {
  /** A temporary file that was not written to for this long is abandoned. */
  readonly staleAfterMs: number;
  /** How often abandoned files are removed; also once at the start. */
  readonly sweepEveryMs: number;
}

export const defaultIncomingOptions: IncomingOptions = {
  staleAfterMs: 6 * 3_600_000,
  sweepEveryMs: 3_600_000,
};

/** A complete temporary file. Its owner moves it away or discards it. */
export interface IncomingFile extends StoredObject {
  readonly path: string;
  discard(): Promise<void>;
}

/** A folder of temporary files. */
export interface IncomingFiles {
  /**
   * Writes a stream into a new file (mode 0600), durably, one piece at a time. A failure leaves no file.
   * @throws ObjectStoreError `too_large`, `incomplete` or `unavailable`; the reason of the signal
   */
  receive(source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<IncomingFile>;
  /** Stops looking for stale files. */
  close(): void;
}

/**
 * Opens a folder for temporary files, creates it if necessary (mode 0700), and removes stale files.
 * @throws ObjectStoreError `unavailable` when the folder cannot be used
 */
export async function openIncomingFiles(folder: string, options: IncomingOptions): Promise<IncomingFiles> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeStale(folder, options.staleAfterMs);
  } catch (error) {
    throw describeDiskFailure(folder, error);
  }
  // The next sweep retries what this one cannot remove; put and check report a broken disk.
  const sweep = () => void removeStale(folder, options.staleAfterMs).catch(() => undefined);
  const timer = setInterval(sweep, options.sweepEveryMs).unref();
  return {
    receive: (source, putOptions) => receive(folder, source, putOptions),
    close: () => clearInterval(timer),
  };
}

async function receive(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  options: PutOptions,
): Promise<IncomingFile> {
  options.signal.throwIfAborted();
  if ((options.expectedBytes ?? 0) > options.maxBytes) throw tooLarge(options.maxBytes);
  const path = join(folder, randomUUID());
  const discard = () => rm(path, { force: true });
  const file = await onDisk(folder, open(path, 'wx', 0o600));
  try {
    try {
      const stored = await copy(folder, source, file, options);
      await onDisk(folder, file.sync());
      return { ...stored, path, discard };
    } finally {
      // A quota may be noticed only now.
      await onDisk(folder, file.close());
    }
  } catch (error) {
    await discard().catch(() => undefined);
    throw error;
  }
}

async function copy(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  file: FileHandle,
  { maxBytes, expectedBytes, signal }: PutOptions,
): Promise<StoredObject> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const pieces = iterate(source);
  try {
    for (;;) {
      const piece = await nextPiece(pieces, signal);
      if (piece === null) break;
      sizeBytes += piece.length;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(piece);
      // Unlike `write`, this writes the whole piece.
      await onDisk(folder, file.writeFile(piece));
    }
  } catch (error) {
    // Not awaited: an iterator returns only after a pending `next`, which may never come.
    void pieces.return?.().then(undefined, () => undefined);
    throw error;
  }
  if (expectedBytes !== undefined && sizeBytes !== expectedBytes) {
    throw new ObjectStoreError(
      'incomplete',
      `${expectedBytes} bytes were announced, but ${sizeBytes} arrived.`,
    );
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

function iterate(source: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  // Nothing can be sent in response to a destroyed request; destroying it is left to the caller.
  if (source instanceof Readable) return source.iterator({ destroyOnReturn: false });
  return source[Symbol.asyncIterator]();
}

/** The next piece, or null at the end; does not wait for the source once the signal is aborted. */
function nextPiece(pieces: AsyncIterator<Uint8Array>, signal: AbortSignal): Promise<Uint8Array | null> {
  // One promise per piece: racing all pieces against a single promise for the signal would keep every piece in
  // memory.
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    pieces
      .next()
      .then(
        ({ done, value }) => resolve(done === true ? null : value),
        (cause) => reject(new ObjectStoreError('incomplete', 'The bytes stopped before their end.', cause)),
      )
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

async function onDisk<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw describeDiskFailure(folder, error);
  }
}

function tooLarge(maxBytes: number): ObjectStoreError {
  return new ObjectStoreError('too_large', `There are more than ${maxBytes} bytes.`);
}

async function removeStale(folder: string, staleAfterMs: number): Promise<void> {
  const oldestMs = Date.now() - staleAfterMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() && found.mtimeMs < oldestMs) await rm(path, { force: true });
  }
}
