/**
 * Why: secrets that survive a double click and a URL (letters and digits only), and that carry a checksum, so that a
 * mistyped or truncated token is recognized without asking the database, and secret scanners can tell real ones.
 * The scheme is that of https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 in a byte: values from here on would make the first characters likelier. */
const unbiasedLimit = 256 - (256 % alphabet.length);

/** The digits that any 32-bit number fits in. */
const shortestChecksum = 6;

/** Random characters from 0-9, A-Z and a-z, from the cryptographic generator, 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < unbiasedLimit) {
        text += alphabet.charAt(byte % alphabet.length);
      }
    }
  }
  return text;
}

/**
 * The CRC-32 of the text's UTF-8 bytes in base 62, zeros in front up to the length. It finds mistakes, not forgeries.
 *
 * @throws RangeError for a length below 6, which can't hold every checksum.
 */
export function checksumBase62(text: string, length = shortestChecksum): string {
  if (length < shortestChecksum) {
    throw new RangeError(`A checksum needs at least ${shortestChecksum} characters, not ${length}.`);
  }
  let digits = '';
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / alphabet.length)) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
  }
  return digits.padStart(length, '0');
}
