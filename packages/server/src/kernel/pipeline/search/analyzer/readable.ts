/** Extracts the readable text from markup: decodes HTML character references, and removes tags and soft hyphens. */
import { decodeHTML } from 'entities';

/** Tags that stand within a word: "phrasing content" of HTML that neither breaks a line nor shows a widget. */
const inline =
  'a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr';
/** Each alternative ends at the next `<`, `;` or line end, so a text is read once. */
const unread = new RegExp(
  [
    String.raw`&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});`,
    `</?(?:${inline})(?:\\s[^<>]*)?/?>`,
    String.raw`\u00ad[ \t]*\n[ \t]*`,
  ].join('|'),
  'giu',
);
const mayBeUnread = /[<&\u00ad]/;

/** The readable text, and the source positions of its characters. */
export interface ReadableText {
  readonly text: string;
  /** The original index of the character at an index. */
  placeOf(index: number): number;
  /** The original index behind the character that ends before an index. */
  endOf(index: number): number;
}

/** The text as it is read. */
export function readable(text: string): string {
  return mayBeUnread.test(text) ? text.replace(unread, decodePart) : text;
}

/** The text as it is read, with places. */
export function readableWithPlaces(text: string): ReadableText {
  const same = (index: number) => index;
  if (!mayBeUnread.test(text)) return { text, placeOf: same, endOf: same };
  // After the replacement that ends at `ends[n]`, characters are `shifts[n]` further in the original.
  const ends: number[] = [];
  const shifts: number[] = [];
  const isRemoved: boolean[] = [];
  let shift = 0;
  const read = text.replace(unread, (part: string, at: number) => {
    const decoded = decodePart(part);
    shift += part.length - decoded.length;
    ends.push(at + part.length - shift);
    shifts.push(shift);
    isRemoved.push(decoded === '');
    return decoded;
  });
  /** How many replacements end at an index, or before it. */
  const countUntil = (index: number): number => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    text: read,
    placeOf: (index) => index + (shifts[countUntil(index) - 1] ?? 0),
    endOf(index) {
      const before = countUntil(index - 1);
      const isDecoded = ends[before] === index && isRemoved[before] === false;
      return index + (shifts[isDecoded ? before : before - 1] ?? 0);
    },
  };
}

function decodePart(part: string): string {
  return part.startsWith('&') ? decodeHTML(part) : '';
}
