/**
 * Why: an address part that people can read and type. It is made from a title once and then kept, so what it may look
 * like is one grammar, for the maker, the check and the JSON Schema.
 */

import { foldText } from './text.ts';

const letterOrDigit = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{N}]\\p{M}*';

/**
 * A slug as a regular expression for JSON Schema's `pattern` (u flag): lower-case letters and digits of any script,
 * separated by single hyphens. A letter keeps its combining marks, without which Hindi or Thai words fall apart.
 */
export const slugPattern = `^(?:${letterOrDigit})+(?:-(?:${letterOrDigit})+)*$`;

const slug = new RegExp(slugPattern, 'u');
const pieces = new RegExp(`(?:${letterOrDigit})+`, 'gu');

/** Whether the text is a slug, see {@link slugPattern}. Length isn't checked. */
export function isSlug(text: string): boolean {
  return slug.test(text);
}

/**
 * A slug for a title: plain a-z and 0-9 when the title has Latin letters (accents dropped, other scripts left out),
 * else the letters and digits of its own script (NFKC, so that full-width digits become plain ones). What lies between words becomes one hyphen.
 *
 * @param maxLength the most code points it may have; it is cut between words unless the first is already longer.
 * @returns '' when the title has no letter and no digit.
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
