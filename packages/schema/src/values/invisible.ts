/**
 * Characters that nobody sees: byte order marks, zero-width spaces, direction marks, soft hyphens, fillers. They come along with text
 * that is copied from pages, chats and spreadsheets, and make values unequal that look the same. Some are part of the spelling: joiners
 * in Persian and Hindi, variation selectors and joiners in emoji. Every function takes time linear in the length of its text.
 */

/** Without a glyph of their own (UAX #44, Default_Ignorable_Code_Point), interlinear annotations, and the blank Braille pattern. */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;
const everyInvisible = new RegExp(invisible, 'gu');
const space = /\s/;
/** Spaces that look like the plain one, or nearly; not the wide one of Chinese and Japanese (U+3000). */
const oddSpaces = /[\u00a0\u2000-\u200a\u202f\u205f]/g;

const variationSelector = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f]/u;
const tag = /[\u{e0020}-\u{e007f}]/u;
const joiner = /[\u200c\u200d]/;
const directionMark = /[\u200e\u200f\u061c]/;
const rightToLeft =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Letters and signs that a joiner next to them can change. */
const joined = /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\p{So}\p{Sk}]/u;
/** Signs that a variation selector can follow: not the letters of alphabets. */
const varied = /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\s])./u;
/** Scripts without spaces between words, where a zero-width space is the place for a line break. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Characters within which the next visible one is looked for. */
const nextVisible = 8;
const jamo = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;

/**
 * Removes white space and invisible characters from both ends. Variation selectors, the tags of flags and joiners that belong to the
 * character before them are kept.
 */
export function trimInvisible(text: string): string {
  const trimmed = text.trim();
  if (!isSuspect(trimmed.charCodeAt(0)) && !isSuspect(trimmed.charCodeAt(trimmed.length - 1))) return trimmed;
  const characters = Array.from(trimmed);
  const isBlank = (character: string) => space.test(character) || invisible.test(character);
  const start = characters.findIndex((character) => !isBlank(character));
  if (start < 0) return '';
  let end = characters.findLastIndex((character) => !isBlank(character)) + 1;
  while (end < characters.length && belongsToPrevious(characters[end - 1] ?? '', characters[end] ?? ''))
    end += 1;
  return characters.slice(start, end).join('');
}

/** Removes every invisible character, and writes other spaces as plain ones: for what is compared and not read, such as numbers. */
export function removeInvisible(text: string): string {
  return trimInvisible(text.replace(everyInvisible, '').replace(oddSpaces, ' '));
}

/** Removes the invisible characters of a name that its script does not need, and writes other spaces as plain ones. */
export function cleanName(text: string): string {
  const plain = trimInvisible(text.replace(oddSpaces, ' '));
  if (!invisible.test(plain)) return plain;
  const hasDirections = rightToLeft.test(plain);
  const characters = Array.from(plain);
  const kept: string[] = [];
  let visibleBefore = '';
  characters.forEach((character, index) => {
    if (!invisible.test(character)) {
      visibleBefore = character;
      kept.push(character);
      return;
    }
    const visibleAfter =
      characters.slice(index + 1, index + 1 + nextVisible).find((next) => !invisible.test(next)) ?? '';
    const isNeeded = directionMark.test(character)
      ? hasDirections
      : belongsToPrevious(kept.at(-1) ?? '', character) ||
        belongsBetween(visibleBefore, character, visibleAfter);
    if (isNeeded) kept.push(character);
  });
  return trimInvisible(kept.join(''));
}

/** Whether the code unit may be part of an invisible character: of the soft hyphen or what follows the letters of European languages. */
function isSuspect(unit: number): boolean {
  return unit === 0xad || unit >= 0x34f;
}

function belongsToPrevious(before: string, character: string): boolean {
  if (variationSelector.test(character)) return varied.test(before) && !invisible.test(before);
  if (tag.test(character)) return tag.test(before) || /\p{Extended_Pictographic}/u.test(before);
  // In Malayalam and Sinhala, a joiner after a mark ends a word.
  return joiner.test(character) && /\p{M}/u.test(before) && !invisible.test(before);
}

function belongsBetween(before: string, character: string, after: string): boolean {
  if (joiner.test(character)) return joined.test(before) && joined.test(after);
  switch (character) {
    case '\u034f': // The order of marks in Hebrew.
      return /\p{M}/u.test(before) && /\p{M}/u.test(after);
    case '\u200b':
      return unspaced.test(before) && unspaced.test(after);
    case '\u115f':
    case '\u1160':
      return jamo.test(before) || jamo.test(after);
    case '\u180e':
      return /\p{Script=Mongolian}/u.test(before);
    case '\u2800':
      return /\p{Script=Braille}/u.test(before);
    default:
      return false;
  }
}
