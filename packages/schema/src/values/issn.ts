/**
 * Why: a magazine's ISSN is unique, so it is stored in the one form that the standard prints, with its check digit
 * verified. Rules: ISO 3297 (https://www.issn.org/understanding-the-issn/what-is-an-issn/).
 */

import { checkDigitModulo11, removeSeparators } from './check-digits.ts';

const eightCharacters = /^[0-9]{7}[0-9X]$/;

/**
 * An ISSN as `NNNN-NNNC`: eight digits, the last possibly an X. Hyphens, dashes and spaces may stand anywhere or be
 * missing; the X may be lower-case.
 *
 * @returns null when it isn't an ISSN with the right check digit.
 */
export function normalizeIssn(text: string): string | null {
  const characters = removeSeparators(text).toUpperCase();
  if (!eightCharacters.test(characters) || !characters.endsWith(checkDigitModulo11(characters.slice(0, 7)))) {
    return null;
  }
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}
