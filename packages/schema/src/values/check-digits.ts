/** The check digit and the separators that ISBN-10 and ISSN have in common. */

/** Hyphens, dashes, the minus sign, spaces, and invisible characters (soft hyphens, direction marks). */
const separators = /[\p{Dash_Punctuation}\u2212\p{Space_Separator}\p{Format}]/gu;

/** What printers and catalogues put behind a number: "(pbk.)", "(print)". */
const qualifier = /[([][^()[\]]*[)\]]\s*$/;

/** Removes what qualifies a number, in parentheses behind it. */
export function removeQualifier(text: string): string {
  return text.replace(qualifier, '');
}

/** Removes hyphens, dashes, spaces and invisible characters, which people paste along with a number. */
export function removeSeparators(text: string): string {
  return text.replace(separators, '');
}

/**
 * The check digit of ISBN-10 (ISO 2108:1992) and ISSN (ISO 3297, annex A). Weighted 2, 3, 4 and so on from the right, the
 * digits and the check digit add up to a multiple of 11, which detects any single wrong digit and any swap of two.
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
