/**
 * ISBNs in one form. The same book number is written with hyphens, spaces, ten digits or thirteen; stored are thirteen
 * digits with a verified check digit, so that equal numbers compare equal. Rules: ISO 2108 and the ISBN Users' Manual
 * (https://www.isbn-international.org/content/isbn-users-manual).
 */

import { checkDigitModulo11, removeQualifier, removeSeparators } from './check-digits.ts';

/** `ISBN`, `ISBN-13:`, `e-ISBN`, `ISBN (print)`, `urn:isbn:`. */
const label =
  /^\s*(?:urn:)?(?:[ep][\p{Dash_Punctuation} ]?)?isbn(?:[\p{Dash_Punctuation} ]?1[03](?![0-9]))?(?:\s*\([^()]*\))?\s*[:.]?\s*/iu;
/** The prefix 979-0 belongs to printed music (ISMN, ISO 10957) and is never an ISBN. */
const thirteenDigits = /^(?:978|979(?!0))[0-9]{10}$/;
const tenDigits = /^[0-9]{9}[0-9X]$/;

/**
 * Normalizes an ISBN to the thirteen digits of ISBN-13; ten digits are converted. Hyphens, dashes and spaces are allowed anywhere, and a
 * label before it (`ISBN-13:`) and a qualifier behind it (`(pbk.)`).
 *
 * @returns null for anything else: a prefix other than 978 and 979, an ISMN (979-0), a wrong check digit.
 */
export function normalizeIsbn13(text: string): string | null {
  const digits = removeSeparators(removeQualifier(text).replace(label, ''));
  if (digits.length === 10) return isbn10To13(digits);
  return thirteenDigits.test(digits) && digits.endsWith(checkDigitOf13(digits)) ? digits : null;
}

/**
 * Converts an ISBN-10 to ISBN-13. Hyphens, dashes and spaces are allowed anywhere; the check digit X may be lower-case.
 *
 * @returns null when the text is not an ISBN-10 with a correct check digit.
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
 * Converts an ISBN-13 to ISBN-10: nine digits and a check digit or X.
 *
 * @returns null for prefix 979, which has no ISBN-10, and for text that is not an ISBN.
 */
export function isbn13To10(isbn13: string): string | null {
  const digits = normalizeIsbn13(isbn13);
  if (digits === null || !digits.startsWith('978')) {
    return null;
  }
  const numbered = digits.slice(3, 12);
  return numbered + checkDigitModulo11(numbered);
}

/** The last digit of an ISBN-13: weighted 1, 3, 1, 3 and so on, all digits add up to a multiple of ten. */
function checkDigitOf13(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index += 1) {
    sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  }
  return String((10 - (sum % 10)) % 10);
}
