/**
 * A stream that pulls pieces from a file or a network response. Both fail alike, hold at most one piece in memory, and
 * release the source even if nobody reads them. `Readable.from(generator)` does not: a generator that was never started
 * does not run its `finally`.
 */
import { Readable } from 'node:stream';

/** Where the bytes come from. */
export interface PulledSource {
  /** The next piece, or null at the end. Never called again before it has settled, nor after the end. */
  pull(): Promise<Uint8Array | null>;
  /** Releases the source; called exactly once, however the stream ends. */
  release(): Promise<void>;
}

/** Creates a stream that pulls a piece whenever its reader wants one. An error of `pull` becomes the stream's. */
export function createPulledStream({ pull, release }: PulledSource): Readable {
  return new Readable({
    read() {
      pull().then(
        (piece) => this.push(piece),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      release().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}
