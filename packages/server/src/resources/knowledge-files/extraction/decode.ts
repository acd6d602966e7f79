/**
 * Decodes text strictly: UTF-8, or UTF-16 with a byte order mark, without NUL. Guessing other encodings would sometimes
 * store garbage that looks like text.
 */
import { TextDecoder } from 'node:util';

/** The supported encodings, as TextDecoder names them. */
type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Bytes that are not text in the encoding they begin with. */
export class NotTextError extends Error {}

/** Detects the encoding by the first bytes of a file (https://encoding.spec.whatwg.org/#bom-sniff). */
function detectEncoding(start: Uint8Array): TextEncodingName {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Decodes a file piece by piece, so that it is never whole in memory. The byte order mark is left out. */
export class StrictDecoder {
  #decoder: TextDecoder | null = null;

  /**
   * The text of the next piece. The first piece has at least two bytes, unless the file is shorter.
   * @throws NotTextError when the bytes are invalid or hold NUL
   */
  decode(chunk: Uint8Array): string {
    if (chunk.length === 0) return '';
    this.#decoder ??= new TextDecoder(detectEncoding(chunk), { fatal: true });
    return this.#read(this.#decoder, chunk, true);
  }

  /**
   * Must be called after the last piece.
   * @throws NotTextError when the file ends inside a character
   */
  end(): string {
    return this.#decoder === null ? '' : this.#read(this.#decoder, new Uint8Array(), false);
  }

  #read(decoder: TextDecoder, chunk: Uint8Array, stream: boolean): string {
    let text: string;
    try {
      text = decoder.decode(chunk, { stream });
    } catch (error) {
      // TextDecoder throws a TypeError for invalid bytes.
      if (error instanceof TypeError) throw new NotTextError(`The bytes are not ${decoder.encoding}.`);
      throw error;
    }
    if (text.includes('\0')) throw new NotTextError('The text holds NUL.');
    return text;
  }
}
