/**
 * Why: people paste DOIs as links, with a label or bare, in any letter case, and all of them name the same thing. Rules:
 * ISO 26324 and the DOI Handbook, chapter 2 (https://doi.org/10.1000/182); four to nine digits after `10.` as in
 * https://www.crossref.org/blog/dois-and-matching-regular-expressions/.
 */

import { normalizeText } from './text.ts';

const link = /^https?:\/\/(?:dx\.|www\.)?doi\.org\/([^?#]*)/i;
const label = /^doi(?::\s*|\s+)/i;

/** A suffix may have any visible character; some old ones have `<`, `>`, `;` and parentheses. */
const name = /^10\.[0-9]{4,9}(?:\.[0-9]+)*\/[^\p{Separator}\p{Other}]+$/u;

/**
 * A DOI as a bare name, `10.1000/182`, with ASCII letters in lower case (DOIs don't tell them apart; other letters
 * they do) and in Unicode normalization form C. Removed are `https://doi.org/` (also http, `dx.` and `www.`), whose
 * percent-encoding is undone and whose query is dropped, and the label `doi:`.
 *
 * @returns null when it isn't a DOI. A full stop at the end belongs to it: some DOIs have one.
 */
export function normalizeDoi(text: string): string | null {
  const bare = removeLink(normalizeText(text).replace(label, ''));
  if (bare === null) {
    return null;
  }
  const lowerCase = bare.normalize('NFC').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  // Once more, since some letters have a composed form only when they are small.
  const doi = lowerCase.normalize('NFC');
  return name.test(doi) ? doi : null;
}

/** @returns null when the percent-encoding is broken. */
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
