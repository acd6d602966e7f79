/**
 * Why: the same book is written in many ways (hyphens, spaces, ten digits or thirteen), and mistyped ISBNs are common
 * enough that they carry a check digit. Stored are thirteen digits, so that equal books have equal numbers. Rules: ISO
 * 2108 and the ISBN Users' Manual (https://www.isbn-international.org/content/isbn-users-manual).
 */

import { checkDigitModulo11, removeSeparators } from './check-digits.ts';

/** The prefix 979-0 belongs to printed music (ISMN, ISO 10957) and is never an ISBN. */
const thirteenDigits = /^(?:978|979(?!0))[0-9]{10}$/;
const tenDigits = /^[0-9]{9}[0-9X]$/;

/**
 * An ISBN-13 as its thirteen digits. Hyphens, dashes and spaces may stand anywhere.
 *
 * @returns null for anything else: another prefix than 978 and 979, an ISMN (979-0), an ISBN-10 (see
 *   {@link isbn10To13}), a wrong check digit.
 */
export function normalizeIsbn13(text: string): string | null {
  const digits = removeSeparators(text);
  return thirteenDigits.test(digits) && digits.endsWith(checkDigitOf13(digits)) ? digits : null;
}

/**
 * The thirteen digits of a book numbered before 2007. Hyphens, dashes and spaces may stand anywhere; the check digit X
 * may be lower-case.
 *
 * @returns null when it isn't an ISBN-10 with the right check digit.
 */
export function isbn10To13(isbn10: string): string | null {
  const digits = removeSeparators(isbn10).toUpperCase();
  const numbered = digits.slice(0, 9);
  if (!tenDigits.test(digits) || !digits.endsWith(checkDigitModulo11(numbered))) {
    return null;
  }
  return `978${numbered}${checkDigitOf13(`978${numbered}`)}`;
}

/**
 * The ten characters of the older number of the same book: nine digits and a digit or X.
 *
 * @returns null for prefix 979, which has none, and for what isn't an ISBN-13.
 */
export function isbn13To10(isbn13: string): string | null {
  const digits = normalizeIsbn13(isbn13);
  if (digits === null || !digits.startsWith('978')) {
    return null;
  }
  const numbered = digits.slice(3, 12);
  return numbered + checkDigitModulo11(numbered);
}

/** The last digit of the thirteen: with it the digits, weighted 1, 3, 1, 3 and so on, add up to a multiple of ten. */
function checkDigitOf13(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index += 1) {
    sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  }
  return String((10 - (sum % 10)) % 10);
}
