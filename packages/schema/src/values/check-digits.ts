/**
 * Why: ISBNs and ISSNs are printed and pasted with all kinds of hyphens, spaces and invisible marks, and share an
 * older check digit that catches every single wrong digit and every swap of two.
 */

/** Hyphens and dashes, the minus sign, spaces, and invisible characters (soft hyphens, direction marks). */
const separators = /[\p{Dash_Punctuation}\u2212\p{Space_Separator}\p{Format}]/gu;

/** The text without hyphens, dashes, spaces and invisible characters, wherever they stand. */
export function removeSeparators(text: string): string {
  return text.replace(separators, '');
}

/**
 * The check digit of ISBN-10 (ISO 2108:1992) and ISSN (ISO 3297, annex A): the digits, weighted 2, 3, 4 and so on from
 * the right, add up with it to a multiple of 11.
 *
 * @param digits the digits before the check digit, ASCII.
 * @returns a digit, or `X` for ten.
 */
export function checkDigitModulo11(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += Number(digits[index]) * (digits.length + 1 - index);
  }
  const checkDigit = (11 - (sum % 11)) % 11;
  return checkDigit === 10 ? 'X' : String(checkDigit);
}
