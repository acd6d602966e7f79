/**
 * Slugs: the part of an address that people read and type. A slug is made once from a title and then kept. The generator,
 * the check and the JSON Schema share one grammar.
 */

import { foldText } from './text.ts';

const letterOrDigit = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{N}]\\p{M}*';

/**
 * A slug as a regular expression for JSON Schema's `pattern` (u flag): lower-case letters and digits of any script,
 * separated by single hyphens. A letter keeps its combining marks, which Hindi and Thai words need.
 */
export const slugPattern = `^(?:${letterOrDigit})+(?:-(?:${letterOrDigit})+)*$`;

const slug = new RegExp(slugPattern, 'u');
const pieces = new RegExp(`(?:${letterOrDigit})+`, 'gu');

/** Whether the text is a slug, see {@link slugPattern}. The length is not checked. */
export function isSlug(text: string): boolean {
  return slug.test(text);
}

/**
 * Makes a slug from a title: a-z and 0-9 when the title has Latin letters (accents and other scripts are dropped),
 * otherwise the letters and digits of its own script (NFKC, so full-width digits become plain ones). Everything between
 * words becomes one hyphen.
 *
 * @param maxLength the maximum number of code points; the slug is cut between words unless the first is longer.
 * @returns '' when the title has no letter or digit.
 */
export function makeSlug(title: string, maxLength: number): string {
  const folded = foldText(title);
  const words = /[a-z]/.test(folded)
    ? folded.match(/[a-z0-9]+/g)
    : title.normalize('NFKC').toLowerCase().normalize('NFC').match(pieces);
  return joinWords(words ?? [], maxLength);
}

function joinWords(words: readonly string[], maxLength: number): string {
  const [first = '', ...rest] = words;
  let result = Array.from(first).slice(0, maxLength).join('');
  let length = Array.from(result).length;
  for (const word of rest) {
    length += 1 + Array.from(word).length;
    if (length > maxLength) {
      break;
    }
    result += `-${word}`;
  }
  return result;
}
