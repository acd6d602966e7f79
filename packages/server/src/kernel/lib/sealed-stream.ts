/**
 * Encryption of streams of any length in bounded memory: AES-256-GCM over pieces of 64 KiB, each under a key that only this
 * stream has. A nonce is the number of the piece and whether it is the last one, so pieces that are changed, moved, repeated
 * or missing at the end are found (the construction STREAM, https://eprint.iacr.org/2015/189).
 *
 *   32 bytes of salt, then for each piece its ciphertext and 16 bytes of tag
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SealBrokenError } from './sealer.ts';

const pieceBytes = 65_536;
const saltBytes = 32;
const tagBytes = 16;
const nonceBytes = 12;

/**
 * Encrypts a stream.
 * @param key 32 bytes, for any number of streams
 * @param context what the stream is; it can only be opened as the same
 */
export async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  key: Buffer,
  context: string,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  const streamKey = deriveKey(key, salt, context);
  yield salt;
  for await (const { bytes, number, isLast } of inPieces(source, pieceBytes)) {
    const cipher = createCipheriv('aes-256-gcm', streamKey, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    });
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/**
 * Decrypts such a stream. Bytes are returned only once their piece has been verified; the stream is complete only when it
 * ends without an error.
 * @throws SealBrokenError for another key or context, and for bytes that were changed or are missing
 */
export async function* openStream(
  source: AsyncIterable<Uint8Array>,
  key: Buffer,
  context: string,
): AsyncGenerator<Buffer> {
  let streamKey: Buffer | undefined;
  let number = 0;
  // The salt is the first piece of a stream whose other pieces have another size.
  for await (const { bytes, isLast } of inPieces(source, pieceBytes + tagBytes, saltBytes)) {
    if (streamKey === undefined) {
      if (isLast || bytes.length !== saltBytes) throw new SealBrokenError();
      streamKey = deriveKey(key, bytes, context);
      continue;
    }
    yield openPiece(bytes, streamKey, nonceOf(number, isLast));
    number += 1;
  }
}

function openPiece(bytes: Buffer, key: Buffer, nonce: Buffer): Buffer {
  if (bytes.length < tagBytes) throw new SealBrokenError();
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    throw new SealBrokenError();
  }
}

function deriveKey(key: Buffer, salt: Buffer, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `trellis sealed stream: ${context}`, 32));
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUIntBE(number, 5, 6);
  nonce[nonceBytes - 1] = isLast ? 1 : 0;
  return nonce;
}

/** A part of a stream. */
interface Piece {
  readonly bytes: Buffer;
  /** Counted from 0. */
  readonly number: number;
  readonly isLast: boolean;
}

/** Cuts a stream into pieces of one size; the last one may be shorter, and there is always one. `first`: size of the first. */
async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
  first: number = size,
): AsyncGenerator<Piece> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  let wanted = first;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    if (length <= wanted) continue;
    let bytes = Buffer.concat(waiting);
    // At least one byte is kept, because only the end of the source shows which piece is the last.
    for (; bytes.length > wanted; number += 1) {
      yield { bytes: bytes.subarray(0, wanted), number, isLast: false };
      bytes = bytes.subarray(wanted);
      wanted = size;
    }
    waiting = [bytes];
    length = bytes.length;
  }
  yield { bytes: Buffer.concat(waiting), number, isLast: true };
}
