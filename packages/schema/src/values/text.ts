/**
 * What text is (normalized, without control characters, counted in code points), when two words look alike to a person
 * who searches, and which known name somebody most likely meant. Every function takes time in proportion to the length
 * of its text, whatever the text is.
 */

/**
 * The most combining marks that may follow each other: the bound of the Stream-Safe Text Format (UAX #15, section 13),
 * which no language comes near. Normalization sorts each run of marks, and takes time that grows with the square of the
 * run's length.
 */
export const maxCombiningMarks = 30;

/**
 * C0 without tab and line feed, DEL, C1, and halves of surrogate pairs (with the u flag a whole pair is one character).
 */
const forbiddenCharacter = /(?![\t\n])[\p{Control}\p{Surrogate}]/u;

const beyondAscii = /\P{ASCII}/u;
const combiningMarks = /\p{Mark}+/gu;
const excessiveMarks = new RegExp(`\\p{Mark}{${maxCombiningMarks + 1}}`, 'u');
const markRuns = new RegExp(`(\\p{Mark}{${maxCombiningMarks}})\\p{Mark}+`, 'gu');

/** No name of ours is longer, so a longer one is no misspelling of it. */
const longestMisspelling = 64;

/** Letters that people type without their stroke or ligature and that have no decomposition in Unicode. */
const plainLetters: Readonly<Record<string, string>> = {
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
};
const lettersWithPlainForm = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/**
 * Text as it is stored: in Unicode normalization form C, without white space at its ends. Of a run of more than
 * {@link maxCombiningMarks} marks the first ones are kept; callers of the API have such texts refused instead.
 */
export function normalizeText(text: string): string {
  // Twice: some letters fall apart into a letter and marks.
  return limitMarks(limitMarks(text).normalize('NFC')).trim();
}

/**
 * Whether a text is too long whatever normalization makes of it, so that it need not be normalized: composition makes one
 * code point of at most four, and each of them has at most two units of UTF-16. White space at the ends does not count.
 *
 * @param maxLength the most code points that the normalized text may have.
 */
export function isFarTooLong(text: string, maxLength: number): boolean {
  return text.trim().length > 8 * maxLength;
}

/** Whether more than {@link maxCombiningMarks} combining marks follow each other somewhere. */
export function hasExcessiveMarks(text: string): boolean {
  return excessiveMarks.test(text);
}

function limitMarks(text: string): string {
  return hasExcessiveMarks(text) ? text.replace(markRuns, '$1') : text;
}

/**
 * Where the text has its first character that can't be stored: NUL, another control character (tab and line feed are
 * allowed), or half of a surrogate pair.
 *
 * @returns its index in UTF-16 code units, or -1 when there is none.
 */
export function findForbiddenCharacter(text: string): number {
  return text.search(forbiddenCharacter);
}

/** The length of a text in Unicode code points, as all our limits count it. */
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
 * Text as it is compared in searches: without case, accents and other marks, and with compatibility forms and the
 * commonest special letters written plainly (`Łódź` and `LODZ` are both `lodz`, `Straße` is `strasse`).
 * Folding folded text changes nothing.
 */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) {
    return text.toLowerCase();
  }
  // Marks are dropped before they are sorted into the order of the normalization form, which is slow for many of them;
  // those that come out of composed letters are dropped afterwards.
  return text
    .replace(combiningMarks, '')
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .toLowerCase()
    .replace(lettersWithPlainForm, (letter) => plainLetters[letter] ?? letter);
}

/** A name that somebody sent, as it is shown in a message: in quotes, and cut when it is long. */
export function quoteName(name: string): string {
  const shown = name.length > longestMisspelling ? `${name.slice(0, longestMisspelling)}…` : name;
  return `"${shown.toWellFormed()}"`;
}

/** Text with the characters escaped that `LIKE` and `ILIKE` give a meaning, so that it matches only itself. */
export function escapeLikePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * The candidate somebody most likely meant by a name that isn't one of them: the closest by insertions, deletions,
 * substitutions and swaps of neighbours. Letter case, `_` and `-` don't count.
 *
 * @returns null when none is within a third of the name's length (at least one edit), and for a name of more than 64
 *   characters; the first among equals.
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
    // The distance is never less than the difference in length: this keeps long names from costing anything.
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
 * Whether one edit or none turns one text into the other: inserting, deleting or replacing one code point, or
 * swapping two neighbours. Takes time in proportion to the length.
 */
export function withinOneEdit(left: string, right: string): boolean {
  if (left === right) {
    return true;
  }
  // A code point is at most two units long.
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
 * The optimal string alignment distance (Damerau–Levenshtein where no part is edited twice), row by row:
 * `previous[j]` is the distance of the first i letters of one text to the first j of the other.
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
