/**
 * The words of a folded text. Words are runs of letters and digits. Scripts that are written without spaces, and Hangul, whose words take
 * endings and form compounds, are divided into pairs of characters: of any part of such a text, all pairs are found.
 * What a hyphen, an apostrophe or a point joins, also at the end of a line, is also one word: `E-Mail` is found as `email`, `U.S.A.` as `usa`.
 * Pictographs are written like a script without spaces, of which each sequence is a run.
 */
import { classOf, other } from '@trellis/schema/values/characters.ts';

/** How a word is found: as it stands, as two characters of a script without spaces, or as the join of a compound's parts. */
export type WordKind = 'word' | 'pair' | 'joined';

/** A word with its place. */
export interface Word {
  readonly text: string;
  /** UTF-16 indexes in the folded text. */
  readonly start: number;
  readonly end: number;
  /** Words are counted from 1; the join of a compound stands at its first part. */
  readonly position: number;
  readonly kind: WordKind;
}

/** Characters of a word, at most; of a longer one this beginning. */
const longestWord = 200;
/** The maximum number of parts, and of characters, of a compound that is also indexed as one word. */
const mostParts = 8;
const longestJoined = 64;

const unspaced =
  String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Yi}` +
  String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Balinese}`;
const pictographs = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}`;
const unspacedCharacter = new RegExp(`^(?:[${pictographs}]|(?=[\\p{L}\\p{N}])[${unspaced}])`, 'u');
/** No script without spaces begins before that of Thai. */
const firstUnspaced = 0xe01;
/** Characters that join words, and characters that join digits only. */
const joiners = new Set(["'", '-', '.', '\u00b7'].map((sign) => sign.charCodeAt(0)));
const comma = 0x2c;
const hyphenAtLineEnd = /^-[ \t]*\n[ \t]*$/;

/** Reads a folded text from its beginning. @param each is called with each word; joins follow their parts */
export function scanWords(folded: string, each: (word: Word) => void): void {
  let position = 0;
  /** The first word of the compound that is being read, where its last one ends, and how many they are. */
  let first: Word | undefined;
  let joined = '';
  let lastEnd = -1;
  let parts = 0;
  const endCompound = (): void => {
    if (first !== undefined && parts > 1 && parts <= mostParts && joined.length <= longestJoined)
      each({ ...first, text: joined, end: lastEnd, kind: 'joined' });
    first = undefined;
  };
  const addWord = (start: number, end: number): void => {
    position += 1;
    const word: Word = { text: cut(folded.slice(start, end)), start, end, position, kind: 'word' };
    if (first === undefined || !isJoined(folded, lastEnd, start)) {
      endCompound();
      first = word;
      joined = word.text;
      parts = 1;
    } else {
      if (parts < mostParts) joined += word.text;
      parts += 1;
    }
    lastEnd = end;
    each(word);
  };
  const addPairs = (start: number, end: number): void => {
    endCompound();
    for (let at = start; at < end; ) {
      const next = at + unitsAt(folded, at);
      const after = next < end ? next + unitsAt(folded, next) : next;
      position += 1;
      each({ text: folded.slice(at, after), start: at, end: after, position, kind: 'pair' });
      at = next;
    }
  };
  for (let index = 0; index < folded.length; ) {
    const start = index;
    const isRunUnspaced = isUnspaced(folded.codePointAt(index) ?? 0);
    index = endOfRun(folded, index, isRunUnspaced);
    if (index === start) index += unitsAt(folded, index);
    else if (isRunUnspaced) addPairs(start, index);
    else addWord(start, index);
  }
  endCompound();
}

/** Where the letters, digits and pictographs from an index on end, or change between scripts with and without spaces; the index itself if there are none. */
export function endOfRun(folded: string, from: number, isRunUnspaced: boolean): number {
  let end = from;
  while (end < folded.length) {
    const code = folded.codePointAt(end) ?? 0;
    if (isUnspaced(code) !== isRunUnspaced || (!isRunUnspaced && classOf(code) === other)) break;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

/** Cache for code points below 65,536: 0, not determined; 1, of a script with spaces; 2, without. */
const known = new Uint8Array(0x1_0000);

/** Whether it is a letter or digit of a script whose texts are divided into pairs of characters, or a pictograph. */
export function isUnspaced(codePoint: number): boolean {
  if (codePoint < firstUnspaced) return false;
  const found = known[codePoint];
  if (found !== undefined && found > 0) return found === 2;
  const isSo = unspacedCharacter.test(String.fromCodePoint(codePoint));
  if (codePoint < known.length) known[codePoint] = isSo ? 2 : 1;
  return isSo;
}

/** The words of a folded text. */
export function wordsOf(folded: string): Word[] {
  const words: Word[] = [];
  scanWords(folded, (word) => words.push(word));
  return words;
}

function isJoined(folded: string, from: number, to: number): boolean {
  const sign = folded.charCodeAt(from);
  if (to === from + 1)
    return joiners.has(sign) || (sign === comma && isDigit(folded, from - 1) && isDigit(folded, to));
  return sign === 0x2d && to - from < 64 && hyphenAtLineEnd.test(folded.slice(from, to));
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

function unitsAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function cut(text: string): string {
  return text.length <= longestWord ? text : text.slice(0, longestWord).toWellFormed();
}
