/** Streams between the object stores of an installation and of a backup. */
import { createHash } from 'node:crypto';
import { type ObjectStore, ObjectStoreError } from '../../kernel/objects/object-store.ts';

const never = new AbortController().signal;

/** Stores a stream. @throws the error of the stream itself, which the store reports as an upload that was interrupted */
export async function putStream(
  store: ObjectStore,
  place: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): ReturnType<ObjectStore['put']> {
  try {
    return await store.put(place, source, { maxBytes, signal: never });
  } catch (error) {
    const isOfSource = error instanceof ObjectStoreError && error.reason === 'incomplete';
    throw isOfSource && error.cause instanceof Error ? error.cause : error;
  }
}

/** A content that is compared with its hash while it is read. */
export class CheckedContent {
  /** What was read so far. */
  sizeBytes = 0;
  private readonly sha256: string;
  private readonly mismatch: () => Error;

  /** @param mismatch the error for bytes with another hash */
  constructor(sha256: string, mismatch: () => Error) {
    this.sha256 = sha256;
    this.mismatch = mismatch;
  }

  /** Passes the bytes through. It fails before its end, so that a store which it is put into keeps nothing that differs. */
  async *read(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    for await (const piece of source) {
      hash.update(piece);
      this.sizeBytes += piece.length;
      yield piece;
    }
    if (hash.digest('hex') !== this.sha256) throw this.mismatch();
  }
}
