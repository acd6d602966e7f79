/**
 * The difference of two texts: one changed part between a common prefix and a common suffix. It is computed in one pass over both, and is
 * small when a user appends to a long text.
 */

/** The changed part of the old and of the new text, its offset, and the length of the common suffix (UTF-16 code units). */
export type Difference = readonly [before: string, after: string, from: number, kept: number];

/** The difference of two texts. No character of two code units is divided. */
export function differenceOfTexts(before: string, after: string): Difference {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  if (isHighSurrogate(before.charCodeAt(from - 1))) from -= 1;
  let kept = 0;
  const longest = shorter - from;
  while (
    kept < longest &&
    before.charCodeAt(before.length - 1 - kept) === after.charCodeAt(after.length - 1 - kept)
  )
    kept += 1;
  if (isLowSurrogate(before.charCodeAt(before.length - kept))) kept -= 1;
  return [before.slice(from, before.length - kept), after.slice(from, after.length - kept), from, kept];
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Number of pieces from which on they are joined. */
const mostPieces = 1_000;

/** A text on its way to an older state. Its pieces are joined now and then, so that thousands of changes do not copy it as often. */
export class OldText {
  private pieces: string[];
  private length: number;

  constructor(text: string) {
    this.pieces = [text];
    this.length = text.length;
  }

  /** Puts an older part in the place of what is between a beginning and an end. */
  replace(from: number, kept: number, part: string): void {
    if (this.pieces.length > mostPieces) this.pieces = [this.read()];
    const end = this.length - kept;
    const [first, firstStart] = this.find(from, 0, 0);
    // The piece in which the end begins, or the last one before it: what is behind it stays.
    const [last, lastStart] = this.find(end - 1, first, firstStart);
    const head = this.pieces[first]?.slice(0, from - firstStart) ?? '';
    const tail = this.pieces[last]?.slice(end - lastStart) ?? '';
    const parts = [head, part, tail].filter((piece) => piece !== '');
    this.pieces.splice(first, last - first + 1, ...parts);
    this.length = from + part.length + kept;
  }

  read(): string {
    return this.pieces.join('');
  }

  /** The piece with a character, and where it begins, looked for from another piece on; that piece if the character is before it. */
  private find(character: number, piece: number, start: number): [piece: number, start: number] {
    let [index, begins] = [piece, start];
    for (;;) {
      const length = this.pieces[index]?.length;
      if (length === undefined || begins + length > character) return [index, begins];
      begins += length;
      index += 1;
    }
  }
}
