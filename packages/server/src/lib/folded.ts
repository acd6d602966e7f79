/** Case and accent folding that maps each folded character to its position in the original text. */
import { foldText } from '@trellis/schema/values/text.ts';

/** A folded text with the original index of each of its UTF-16 code units; null when the indexes are equal. */
export interface FoldedText {
  readonly folded: string;
  readonly places: readonly number[] | null;
}

const beyondAscii = /\P{ASCII}/u;
const foldedCharacters = new Map<number, string>();
/** The size of the cache: about ten thousand characters are in common use. */
const mostRemembered = 20_000;

/** Folds a text as `foldText` does, character by character. The last position is the end of the original. */
export function foldWithPlaces(text: string): FoldedText {
  if (!beyondAscii.test(text)) return { folded: text.toLowerCase(), places: null };
  const places: number[] = [];
  let folded = '';
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    const one = foldCharacter(code);
    folded += one;
    for (let unit = 0; unit < one.length; unit += 1) places.push(index);
    index += code > 0xffff ? 2 : 1;
  }
  places.push(text.length);
  return { folded, places };
}

function foldCharacter(code: number): string {
  const known = foldedCharacters.get(code);
  if (known !== undefined) return known;
  const folded = foldText(String.fromCodePoint(code));
  if (foldedCharacters.size < mostRemembered) foldedCharacters.set(code, folded);
  return folded;
}
