/**
 * ISSNs in one form. A magazine's ISSN is unique, so it is stored as the standard prints it, with a verified check digit.
 * Rules: ISO 3297 (https://www.issn.org/understanding-the-issn/what-is-an-issn/).
 */

import { checkDigitModulo11, removeQualifier, removeSeparators } from './check-digits.ts';

/** `ISSN`, `eISSN:`, `ISSN-L`, `ISSN (online)`, `urn:issn:`, the address of the ISSN Portal. */
const label =
  /^\s*(?:urn:|https?:\/\/(?:portal|urn)\.issn\.org\/(?:resource\/|urn:)?)?(?:[epl][\p{Dash_Punctuation} ]?)?issn(?:[\p{Dash_Punctuation} ]?l)?(?:\s*\([^()]*\))?\s*[:/.]?\s*/iu;
const eightCharacters = /^[0-9]{7}[0-9X]$/;

/**
 * Normalizes an ISSN to `NNNN-NNNC`: eight digits, the last possibly an X. Hyphens, dashes and spaces are allowed
 * anywhere and may be missing; the X may be lower-case. A label such as `eISSN:` before it and a qualifier behind it are removed.
 *
 * @returns null when the text is not an ISSN with a correct check digit.
 */
export function normalizeIssn(text: string): string | null {
  const characters = removeSeparators(removeQualifier(text).replace(label, '')).toUpperCase();
  if (!eightCharacters.test(characters) || !characters.endsWith(checkDigitModulo11(characters.slice(0, 7)))) {
    return null;
  }
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}
