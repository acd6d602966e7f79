/**
 * Text as it is stored, compared and matched: normalization, forbidden characters, length, folding for search, and the
 * nearest known name for a misspelling. Every function takes time linear in the length of its text, whatever the text.
 */
import { hasRunOfMarks } from './characters.ts';
import { trimInvisible } from './invisible.ts';

/**
 * The maximum number of consecutive combining marks: the limit of the Stream-Safe Text Format (UAX #15, section 13), which
 * no language approaches. Normalization sorts each run of marks in time quadratic in its length.
 */
export const maxCombiningMarks = 30;

/** C0 without tab and line feed, DEL, C1, and lone surrogates (with the u flag a pair is one character). */
const forbiddenCharacter = /(?![\t\n])[\p{Control}\p{Surrogate}]/u;

const beyondAscii = /\P{ASCII}/u;
/** The Arabic tatweel, U+0640, only stretches a word. */
const combiningMarks = /[\p{Mark}\u0640]+/gu;
const marksAndFormatting = /[\p{Mark}\p{Cf}\u0640]+/gu;
const markRuns = new RegExp(`(\\p{Mark}{${maxCombiningMarks}})\\p{Mark}+`, 'gu');

/** Longer than any of our names, so a longer text is not a misspelling of one. */
const longestMisspelling = 64;

/** Letters that people type without their stroke or ligature and that Unicode does not decompose. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  þ: 'th',
  ə: 'e',
  ς: 'σ',
  // Of Persian, Urdu and Arabic, which people exchange.
  ة: 'ه',
  ہ: 'ه',
  ى: 'ي',
  ی: 'ي',
  ے: 'ي',
  ک: 'ك',
  // Apostrophes: of Hawaiian, Ukrainian and Hebrew (geresh, gershayim), and typographic ones.
  '\u02bb': "'",
  '\u02bc': "'",
  '\u05f3': "'",
  '\u05f4': "'",
  '\u2018': "'",
  '\u2019': "'",
};
/** The zeros of scripts whose texts have ASCII digits too: of Arabic, Persian, Devanagari, Bengali, Thai, Lao, Burmese and Khmer. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xed0, 0x1040, 0x17e0];
for (const zero of zeros)
  for (let digit = 0; digit < 10; digit += 1)
    plainLetters[String.fromCodePoint(zero + digit)] = String(digit);
/** Besides them all hyphens and dashes, and katakana, of which the hiragana is at the same distance. */
const charactersWithPlainForm = new RegExp(
  `[${Object.keys(plainLetters).join('')}\u2010-\u2015\u2212\u30a1-\u30f6\u30fd\u30fe]`,
  'g',
);
const fromKatakanaToHiragana = 0x60;

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x30a1) return String.fromCharCode(code - fromKatakanaToHiragana);
  return plainLetters[character] ?? (code >= 0x2010 ? '-' : character);
}

/**
 * Text as it is stored: in Unicode normalization form C, without white space and invisible characters at its ends. Of a run of more than
 * {@link maxCombiningMarks} marks only the first ones are kept; the API refuses such text instead.
 */
export function normalizeText(text: string): string {
  // Twice: normalization decomposes some letters into a letter and marks.
  return trimInvisible(limitMarks(limitMarks(text).normalize('NFC')));
}

/**
 * Whether a text is too long whatever normalization does, so that it need not be normalized: composition joins at most
 * four code points, each of at most two UTF-16 units. White space at the ends does not count.
 *
 * @param maxLength the maximum number of code points of the normalized text.
 */
export function isFarTooLong(text: string, maxLength: number): boolean {
  return text.trim().length > 8 * maxLength;
}

/** Whether the text has more than {@link maxCombiningMarks} consecutive combining marks. */
export function hasExcessiveMarks(text: string): boolean {
  return hasRunOfMarks(text, maxCombiningMarks);
}

function limitMarks(text: string): string {
  return hasExcessiveMarks(text) ? text.replace(markRuns, '$1') : text;
}

/**
 * Finds the first character that cannot be stored: NUL, another control character (tab and line feed are allowed), or a
 * lone surrogate.
 *
 * @returns its index in UTF-16 code units, or -1.
 */
export function findForbiddenCharacter(text: string): number {
  return text.search(forbiddenCharacter);
}

/** The length of a text in Unicode code points, the unit of all our limits. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))) {
      length -= 1;
    }
  }
  return length;
}

/**
 * Text as search compares it: without case, accents, other marks and invisible formatting characters, with compatibility forms and common
 * special letters in plain form (`Łódź` and `LODZ` become `lodz`, `Straße` becomes `strasse`), digits of other scripts as ASCII digits, all
 * hyphens and dashes as `-`, apostrophes as `'`, and katakana as hiragana. Folding is idempotent.
 */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) {
    return text.toLowerCase();
  }
  // Marks are dropped before normalization sorts them, which is slow for many marks; those that come from composed
  // letters are dropped afterwards.
  // The last normalization composes the syllables of Hangul.
  return text
    .replace(marksAndFormatting, '')
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(charactersWithPlainForm, plainCharacter);
}

// English has the root order of Unicode, without an order of its own; `und` is the language of the browser.
const alphabetical = new Intl.Collator('en', { numeric: true });

/**
 * Compares texts as lists are sorted by titles and names: digits by their value, case and accents only between texts that are otherwise equal. For
 * characters that were added to Unicode lately, a database with an older ICU has another order.
 */
export function compareAlphabetically(one: string, other: string): number {
  return alphabetical.compare(one, other) || (one < other ? -1 : Number(one > other));
}

/** A name from a request, as shown in a message: quoted, and shortened when it is long. */
export function quoteName(name: string): string {
  const shown = name.length > longestMisspelling ? `${name.slice(0, longestMisspelling)}…` : name;
  return `"${shown.toWellFormed()}"`;
}

/** Escapes the characters that have a meaning in `LIKE` and `ILIKE`, so that the text matches only itself. */
export function escapeLikePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * The candidate nearest to a misspelled name, by insertions, deletions, substitutions and swaps of adjacent letters.
 * Letter case, `_` and `-` are ignored. Among equals the first one is returned.
 *
 * @returns null when no candidate is within a third of the name's length (at least one edit), and for a name of more than
 *   64 characters.
 */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  if (name.length > longestMisspelling) {
    return null;
  }
  const wanted = simplifyName(name);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let nearest: string | null = null;
  let nearestDistance = limit + 1;
  for (const candidate of candidates) {
    const simplified = simplifyName(candidate);
    // The distance is at least the difference in length, so long names cost nothing.
    if (Math.abs(simplified.length - wanted.length) < nearestDistance) {
      const distance = measureDistance(wanted, simplified);
      if (distance < nearestDistance) {
        nearest = candidate;
        nearestDistance = distance;
      }
    }
  }
  return nearest;
}

/**
 * Whether at most one edit turns one text into the other: inserting, deleting or replacing one code point, or swapping two
 * adjacent ones. Takes linear time.
 */
export function withinOneEdit(left: string, right: string): boolean {
  if (left === right) {
    return true;
  }
  // A code point has at most two units.
  if (Math.abs(left.length - right.length) > 2) {
    return false;
  }
  const [a, b] = [Array.from(left), Array.from(right)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end += 1;
  }
  const aLeft = a.length - start - end;
  const bLeft = b.length - start - end;
  if (aLeft <= 1 && bLeft <= 1) {
    return true;
  }
  return aLeft === 2 && bLeft === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function simplifyName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * The optimal string alignment distance (Damerau–Levenshtein where no part is edited twice), row by row: `previous[j]` is
 * the distance between the first i letters of one text and the first j of the other.
 */
function measureDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(substitution, at(previous, j) + 1, at(current, j - 1) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** A text that begins with a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
