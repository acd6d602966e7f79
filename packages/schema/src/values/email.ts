/**
 * Email addresses in the form in which they are compared. An address is shown as it was typed, but two contacts must not
 * have the same one in different letter case. Accepted is what mail systems deliver to: RFC 5321 with the other scripts of
 * RFC 6531, without quoted local parts, comments, IP addresses and display names.
 */

import { countBytes } from './bytes.ts';
import { toAsciiDomain } from './domain-name.ts';
import { normalizeText } from './text.ts';

/** RFC 5321, 4.5.3.1: bytes before the at sign, and in total (a path of 256 minus its angle brackets). */
const maxLocalPartBytes = 64;
const maxAddressBytes = 254;

/** Visible characters: `atext` of RFC 5322 and all non-ASCII ones. */
const characters = "(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]|(?!\\p{ASCII})[^\\p{Separator}\\p{Other}])+";
const dotSeparated = new RegExp(`^${characters}(?:\\.${characters})*$`, 'u');

/**
 * Normalizes an address for comparison: the local part in lower case (servers may distinguish letter case, but hardly any
 * does) and in Unicode normalization form C, the domain as in {@link toAsciiDomain}. Dots and `+tags` in the local part
 * are kept: their meaning differs between providers.
 *
 * @returns null when it is not an address: for example without a domain of two labels, with two dots in a row, in quotes,
 *   with spaces inside, or with more than 64 bytes before the at sign or 254 in total (in this form, as UTF-8).
 */
export function normalizeEmail(address: string): string | null {
  const text = normalizeText(address);
  const at = text.lastIndexOf('@');
  // Again: some letters have a composed form only in lower case.
  const localPart = text.slice(0, Math.max(at, 0)).toLowerCase().normalize('NFC');
  const domain = toAsciiDomain(text.slice(at + 1));
  if (domain === null || !dotSeparated.test(localPart)) {
    return null;
  }
  const email = `${localPart}@${domain}`;
  return countBytes(localPart) <= maxLocalPartBytes && countBytes(email) <= maxAddressBytes ? email : null;
}
