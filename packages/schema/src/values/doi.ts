/**
 * DOIs in one form. People paste them as links, with a label or bare, in any letter case. Rules: ISO 26324 and the DOI
 * Handbook, chapter 2 (https://doi.org/10.1000/182); four to nine digits after `10.` as in
 * https://www.crossref.org/blog/dois-and-matching-regular-expressions/.
 */

import { normalizeText } from './text.ts';

const link = /^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/([^?#]*)/i;
const label = /^(?:info:|urn:)?doi(?::\s*|\s+|\/)/i;

/** A suffix may contain any visible character; some old ones have `<`, `>`, `;` and parentheses. */
const name = /^10\.[0-9]{4,9}(?:\.[0-9]+)*\/[^\p{Separator}\p{Other}]+$/u;

/**
 * Normalizes a DOI to its bare name, `10.1000/182`, in Unicode normalization form C with ASCII letters in lower case (DOIs
 * are case-insensitive for ASCII letters only). Removes the label `doi:` and `https://doi.org/` (also http, no scheme, `dx.` and
 * `www.`) with the link's percent-encoding and query.
 *
 * @returns null when the text is not a DOI. A trailing full stop is kept: some DOIs end with one.
 */
export function normalizeDoi(text: string): string | null {
  const bare = removeLink(normalizeText(text).replace(label, ''));
  if (bare === null) {
    return null;
  }
  const lowerCase = bare.normalize('NFC').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  // Again: some letters have a composed form only in lower case.
  const doi = lowerCase.normalize('NFC');
  return name.test(doi) ? doi : null;
}

/** @returns null when the percent-encoding is invalid. */
function removeLink(text: string): string | null {
  const path = link.exec(text)?.[1];
  if (path === undefined) {
    return text;
  }
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
