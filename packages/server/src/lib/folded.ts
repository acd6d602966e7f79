/** Folding that remembers where each folded character comes from. */
import { foldText } from '@trellis/schema/values/text.ts';

/** A folded text, with the place in the original of each of its UTF-16 code units; null: each at its own. */
export interface FoldedText {
  readonly folded: string;
  readonly places: readonly number[] | null;
}

const beyondAscii = /\P{ASCII}/u;
const foldedCharacters = new Map<number, string>();
/** There are some ten thousand characters in common use; rarer ones are folded each time. */
const mostRemembered = 20_000;

/** Folds a text as `foldText` does, character by character. The last place is the end of the original. */
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
