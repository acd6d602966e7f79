/**
 * ISSNs in one form. A magazine's ISSN is unique, so it is stored as the standard prints it, with a verified check digit.
 * Rules: ISO 3297 (https://www.issn.org/understanding-the-issn/what-is-an-issn/).
 */

import { checkDigitModulo11, removeSeparators } from './check-digits.ts';

const eightCharacters = /^[0-9]{7}[0-9X]$/;

/**
 * Normalizes an ISSN to `NNNN-NNNC`: eight digits, the last possibly an X. Hyphens, dashes and spaces are allowed
 * anywhere and may be missing; the X may be lower-case.
 *
 * @returns null when the text is not an ISSN with a correct check digit.
 */
export function normalizeIssn(text: string): string | null {
  const characters = removeSeparators(text).toUpperCase();
  if (!eightCharacters.test(characters) || !characters.endsWith(checkDigitModulo11(characters.slice(0, 7)))) {
    return null;
  }
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}
