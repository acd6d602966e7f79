/**
 * Why: an address is shown as it was typed, but two contacts must not have the same one in other letters. What counts as
 * an address is what mail systems deliver to: RFC 5321 with the other scripts of RFC 6531, without the forms that only
 * exist on paper (quoted local parts, comments, IP addresses) and without display names.
 */

import { toAsciiDomain } from './domain-name.ts';
import { normalizeText } from './text.ts';

/** RFC 5321, 4.5.3.1: bytes before the at sign, and of the whole (a path of 256 less its angle brackets). */
const maxLocalPartBytes = 64;
const maxAddressBytes = 254;

/** Visible characters: `atext` of RFC 5322, and all that aren't ASCII. */
const characters = "(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]|(?!\\p{ASCII})[^\\p{Separator}\\p{Other}])+";
const dotSeparated = new RegExp(`^${characters}(?:\\.${characters})*$`, 'u');

/**
 * The form of an address by which it is compared: local part in lower case (servers may tell letter cases apart, hardly
 * any does) and in Unicode normalization form C, domain as in {@link toAsciiDomain}. Dots and `+tags` in the local
 * part are kept: what they mean differs from provider to provider.
 *
 * @returns null when it isn't an address: among others without a domain of two labels, with two dots in a row, in
 *   quotes, with spaces inside, or with more than 64 bytes before the at sign or 254 in all (in this form, UTF-8).
 */
export function normalizeEmail(address: string): string | null {
  const text = normalizeText(address);
  const at = text.lastIndexOf('@');
  // Normalized once more, since some letters have a composed form only when they are small.
  const localPart = text.slice(0, Math.max(at, 0)).toLowerCase().normalize('NFC');
  const domain = toAsciiDomain(text.slice(at + 1));
  if (domain === null || !dotSeparated.test(localPart)) {
    return null;
  }
  const email = `${localPart}@${domain}`;
  return byteLength(localPart) <= maxLocalPartBytes && byteLength(email) <= maxAddressBytes ? email : null;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
