/**
 * Loads Scalar's script (4 MB), which renders the API reference, so that it is served by this server only. Scalar's Fastify
 * plugin contains the script as one string literal and would keep it, with a parser that is not needed, in memory. So the
 * literal is read from the module's file in pieces when the reference is first opened. It is kept in the forms in which it is sent: compressed
 * (about 1 MB), and as text from the first request that does not accept that.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { share } from '../../http/shared-content.ts';
import { contentTag } from './content-tag.ts';

const begin = Buffer.from('var standalone_default = "');
const quote = 0x22;
const backslash = 0x5c;
/** The escapes that the literal uses, by the letter after the backslash. */
const escapes = new Map([
  [quote, quote],
  [backslash, backslash],
  [0x6e, 0x0a],
]);

export interface Script {
  /** The text, compressed with gzip. */
  readonly compressed: Buffer;
  /** The text; made for the first call, and kept. */
  readonly plain: () => Promise<Buffer>;
  readonly etag: string;
}

let loading: Promise<Script> | undefined;

/** The script; read on the first call. */
export function loadScalarScript(): Promise<Script> {
  loading ??= compress().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function compress(): Promise<Script> {
  const file = new URL(import.meta.resolve('@scalar/fastify-api-reference'));
  const script = Readable.from(decodeLiteral(createReadStream(file)));
  const gzip = createGzip();
  script.once('error', (error) => gzip.destroy(error));
  const compressed = share(await buffer(script.pipe(gzip)));
  let unpacking: Promise<Buffer> | undefined;
  const plain = () => {
    unpacking ??= promisify(gunzip)(compressed).then(share);
    return unpacking;
  };
  return { compressed, plain, etag: contentTag(compressed) };
}

/** The characters of the string literal, as UTF-8. @throws Error when the module does not have the expected form */
async function* decodeLiteral(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = false;
  let escaped = false;
  for await (const chunk of source) {
    const start = begun ? 0 : chunk.indexOf(begin);
    // It is among the first lines, after the imports.
    if (start === -1) break;
    const piece = begun ? chunk : chunk.subarray(start + begin.length);
    begun = true;
    const decoded = Buffer.allocUnsafe(piece.length);
    let length = 0;
    for (const byte of piece) {
      if (!escaped && byte === quote) {
        yield decoded.subarray(0, length);
        return;
      }
      if (!escaped && byte === backslash) {
        escaped = true;
        continue;
      }
      decoded[length] = escaped ? meaningOf(byte) : byte;
      length += 1;
      escaped = false;
    }
    yield decoded.subarray(0, length);
  }
  throw new Error('@scalar/fastify-api-reference does not contain the script in the expected form');
}

function meaningOf(byte: number): number {
  const meant = escapes.get(byte);
  if (meant === undefined)
    throw new Error(
      `@scalar/fastify-api-reference uses the unexpected escape \\${String.fromCharCode(byte)}`,
    );
  return meant;
}
