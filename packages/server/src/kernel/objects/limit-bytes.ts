/** A stream that fails when it exceeds a number of bytes. */
import { pipeline, type Readable, Transform } from 'node:stream';

/** @returns the same bytes; the error after `most` of them */
export function limitBytes(source: Readable, most: number, error: Error): Readable {
  let bytes = 0;
  const limited = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > most) done(error);
      else done(null, piece);
    },
  });
  pipeline(source, limited, () => undefined);
  return limited;
}
