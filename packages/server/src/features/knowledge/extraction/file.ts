/**
 * Reads the file that the extraction process was given as an open descriptor. The worker thread has nothing else to do, so
 * it reads synchronously.
 */
import { fstatSync, readSync } from 'node:fs';

const CHUNK_BYTES = 16 * 1024;

/** Reads an open file from its beginning, in chunks. */
export function* readChunks(file: number): Generator<Uint8Array> {
  for (let position = 0; ; ) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const bytesRead = readSync(file, chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** Reads all bytes of an open file. */
export function readWhole(file: number): Uint8Array {
  const bytes = new Uint8Array(fstatSync(file).size);
  let position = 0;
  while (position < bytes.length) {
    const bytesRead = readSync(file, bytes, position, bytes.length - position, position);
    if (bytesRead === 0) break;
    position += bytesRead;
  }
  return bytes.subarray(0, position);
}
