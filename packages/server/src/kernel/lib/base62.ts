/**
 * Random secrets and checksums in base 62. Letters and digits only, so that a secret can be selected with a double click
 * and put in a URL. The checksum lets us reject a mistyped or truncated token without a database query, and lets secret
 * scanners recognize real ones. The scheme is described in
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * The largest multiple of 62 that fits in a byte. Larger values are discarded: they would bias the first characters.
 */
const unbiasedLimit = 256 - (256 % alphabet.length);

/** Digits needed to write any 32-bit number. */
const shortestChecksum = 6;

/** Random characters from 0-9, A-Z and a-z, from the cryptographic generator; 5.95 bits each. */
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
 * Bytes as a number in base 62, padded with zeros to the length.
 *
 * @throws RangeError for a length that cannot represent every value of this number of bytes.
 */
export function encodeBase62(bytes: Buffer, length: number): string {
  const base = BigInt(alphabet.length);
  if (base ** BigInt(length) < 1n << BigInt(8 * bytes.length)) {
    throw new RangeError(`${length} characters do not hold ${bytes.length} bytes.`);
  }
  let digits = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= base) {
    digits = alphabet.charAt(Number(rest % base)) + digits;
  }
  return digits.padStart(length, '0');
}

/**
 * The CRC-32 of the text's UTF-8 bytes in base 62, padded with zeros to the length. It detects typing errors, not forgery.
 *
 * @throws RangeError for a length below 6, which cannot hold every checksum.
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
