/** Case and accent folding that maps each folded character to its position in the original text. */
import { foldText } from '@trellis/schema/values/text.ts';

/** A folded text, and where its characters stood. */
export interface FoldedText {
  readonly folded: string;
  /** The original index of a UTF-16 code unit of `folded`; of its end, the end of the original. */
  placeOf(index: number): number;
  /** Where the character that a UTF-16 code unit of `folded` was made of ends; `index` is the one after that unit. */
  endOf(index: number): number;
}

const beyondAscii = /\P{ASCII}/u;
const foldedCharacters = new Map<number, string>();
/** The size of the cache: about ten thousand characters are in common use. */
const mostRemembered = 20_000;

/** Folds a text as `foldText` does, character by character. */
export function foldWithPlaces(text: string): FoldedText {
  if (!beyondAscii.test(text)) {
    const same = (index: number) => index;
    return { folded: text.toLowerCase(), placeOf: same, endOf: same };
  }
  // Most characters fold to one: places are noted only where another distance to the original begins. The folded index
  // `starts[n]` is at `places[n]`; those after it are at the places after that, or, if fixed, all of them at this one.
  const starts = [0];
  const places = [0];
  const isFixed = [false];
  const note = (start: number, place: number, fixed: boolean) => {
    starts.push(start);
    places.push(place);
    isFixed.push(fixed);
  };
  const placeOf = (at: number): number => {
    const segment = lastAtMost(starts, at);
    const place = places[segment] ?? 0;
    return isFixed[segment] === true ? place : place + at - (starts[segment] ?? 0);
  };
  let folded = '';
  let index = 0;
  while (index < text.length) {
    const end = endOfAscii(text, index);
    if (end > index) folded += text.slice(index, end).toLowerCase();
    index = end;
    if (index >= text.length) break;
    const code = text.codePointAt(index) ?? 0;
    const units = code > 0xffff ? 2 : 1;
    let one = foldCharacter(code);
    let from = index;
    // Letters of Hangul that were apart become a syllable, as in the text as a whole.
    const before = lastCharacter(folded);
    const syllable = code < firstJamo ? before + one : (before + one).normalize('NFC');
    if (syllable !== before + one) {
      one = syllable;
      folded = folded.slice(0, folded.length - before.length);
      from = placeOf(folded.length);
      while ((starts.at(-1) ?? 0) >= folded.length && starts.length > 1) {
        starts.pop();
        places.pop();
        isFixed.pop();
      }
    }
    if (from < index || units !== 1 || one.length !== 1) {
      if (one.length > 0) note(folded.length, from, true);
      note(folded.length + one.length, index + units, false);
    }
    folded += one;
    index += units;
  }
  // After a character that folds to several, the next segment begins at its end.
  const endOf = (at: number): number => {
    const segment = lastAtMost(starts, at);
    const isInside = isFixed[segment] === true && at > (starts[segment] ?? 0);
    return isInside ? (places[segment + 1] ?? text.length) : placeOf(at);
  };
  return { folded, placeOf, endOf };
}

/** The first character that can be composed with the one before it and is no mark. */
const firstJamo = 0x1100;

function lastCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return text.slice(last >= 0xdc00 && last <= 0xdfff ? -2 : -1);
}

function endOfAscii(text: string, from: number): number {
  let end = from;
  while (end < text.length && text.charCodeAt(end) < 0x80) end += 1;
  return end;
}

/** The last of the ascending numbers that is at most the given one. @returns its index */
function lastAtMost(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

function foldCharacter(code: number): string {
  const known = foldedCharacters.get(code);
  if (known !== undefined) return known;
  const folded = foldText(String.fromCodePoint(code));
  if (foldedCharacters.size < mostRemembered) foldedCharacters.set(code, folded);
  return folded;
}
