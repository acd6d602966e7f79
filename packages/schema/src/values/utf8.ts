/** Decoding of UTF-8, strictly or with a replacement for what is invalid. A byte order mark stays a character of the text. */
import { countBytes } from './bytes.ts';

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8; null when the bytes are not valid. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes UTF-8 for display: invalid bytes become U+FFFD. */
export function decodeForPeople(bytes: Uint8Array): string {
  return lenientDecoder.decode(bytes);
}

/**
 * Finds the first U+FFFD that {@link decodeForPeople} inserted for invalid bytes; there are some. Up to there, text and bytes agree.
 *
 * @returns its position in UTF-16 code units, from 0
 */
export function findReplacement(text: string, bytes: Uint8Array): number {
  let position = text.indexOf('\uFFFD');
  let byteOffset = countBytes(text.slice(0, position));
  while (bytes[byteOffset] === 0xef && bytes[byteOffset + 1] === 0xbf && bytes[byteOffset + 2] === 0xbd) {
    const next = text.indexOf('\uFFFD', position + 1);
    byteOffset += countBytes(text.slice(position, next));
    position = next;
  }
  return position;
}
