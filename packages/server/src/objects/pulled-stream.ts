/**
 * Why: a stream from a file and one from a network answer must fail alike, must not hold more than a piece in memory,
 * and must let go of what they read from even if nobody ever reads them. A generator turned into a stream does not do
 * the last: one that was never started has no `finally`.
 */
import { Readable } from 'node:stream';

/** Where the bytes come from. */
export interface PulledSource {
  /** The next piece, or null at the end. Never called again before it has settled, nor after the end. */
  pull(): Promise<Uint8Array | null>;
  /** Lets go of the source; called exactly once, however the stream ends. */
  release(): Promise<void>;
}

/** A stream that asks its source for a piece whenever its reader wants one. An error of `pull` is the stream's. */
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
