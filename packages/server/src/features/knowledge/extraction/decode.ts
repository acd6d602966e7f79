/** Decodes text: strictly for XML, which is UTF-8 or UTF-16, and in the encoding that a page or a letter declares or seems to have. */
import { TextDecoder } from 'node:util';
import { detectEncoding } from '@trellis/schema/values/text-encoding.ts';

/** The supported encodings, as TextDecoder names them. */
type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Bytes that are not text in the encoding they begin with. */
export class NotTextError extends Error {}

/** Detects the encoding by the first bytes of a file (https://encoding.spec.whatwg.org/#bom-sniff). */
function encodingOfMark(start: Uint8Array): TextEncodingName {
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
    this.#decoder ??= new TextDecoder(encodingOfMark(chunk), { fatal: true });
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

/** Bytes in which a page names its encoding: browsers look at 1024, but programs write longer heads. */
const declarationBytes = 4096;

const declarations = [
  /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/i,
  /<meta[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i,
];

/** The encoding that HTML or XML names in its first bytes; null for none. */
export function declaredEncoding(start: Uint8Array): string | null {
  const beginning = new TextDecoder('windows-1252').decode(start.subarray(0, declarationBytes));
  for (const declaration of declarations) {
    const name = declaration.exec(beginning)?.[1];
    // A page that can be read so far is not in UTF-16, whatever it says (https://html.spec.whatwg.org/#prescan).
    if (name !== undefined && !/^utf-?16/i.test(name)) return name;
  }
  return null;
}

/**
 * Decodes a text that is there as a whole, in the encoding that it declares or that is detected.
 * @throws NotTextError when the bytes are not text
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes, declaredEncoding(bytes));
  if (encoding === null) throw new NotTextError('The bytes are not text in any encoding that is known.');
  return new TextDecoder(encoding).decode(bytes);
}
