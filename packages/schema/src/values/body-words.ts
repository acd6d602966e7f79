/**
 * Counts the words of an article as a reader sees them: without tags, addresses of links and pictures, and comments. One pass over the
 * text, which is not parsed: what is no markup to the letter may be counted a little wrong.
 */
import { countWords } from './characters.ts';

/** How a body is written. */
export type BodyFormat = 'MARKDOWN' | 'HTML';

/** Where markup begins that a reader does not see. */
const begins = {
  // A tag, a comment or an address in angle brackets, and a character reference, which stands for one character.
  HTML: /<(?:!--|[/!?a-z])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});/gi,
  // The address of a link or picture, also that of a definition; an address in the text is one word.
  MARKDOWN:
    /<(?:!--|[/!?]|(?!https?:)[a-z])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,31});|\]\(|^ {0,3}\[(?!\^)[^\]\n]{1,999}\]:[^\n]*|https?:\/\/[^\s<>)\]]*/gim,
} as const;

/** Counts the words that readers see. */
export function countBodyWords(body: string, format: BodyFormat): number {
  const nextOf = createFinder(body);
  let words = 0;
  let from = 0;
  const pattern = new RegExp(begins[format]);
  for (let found = pattern.exec(body); found !== null; found = pattern.exec(body)) {
    const [markup] = found;
    const end = endOf(markup, pattern.lastIndex, nextOf);
    if (end === null) continue;
    words += countWords(body.slice(from, found.index));
    if (markup.startsWith('http')) words += 1;
    from = end;
    pattern.lastIndex = end;
  }
  return words + countWords(body.slice(from));
}

type Finder = (what: string, from: number) => number;

/** Where the markup ends; null when it is none. */
function endOf(markup: string, after: number, nextOf: Finder): number | null {
  if (markup === '](') {
    const end = nextOf(')', after);
    return end < nextOf('\n', after) ? end + 1 : null;
  }
  if (!markup.startsWith('<')) return after;
  const close = markup === '<!--' ? '-->' : '>';
  const end = nextOf(close, after);
  return end === Number.POSITIVE_INFINITY ? null : end + close.length;
}

/** Finds the next occurrence; each part of the text is searched once, however often it is asked. */
function createFinder(text: string): Finder {
  const known = new Map<string, number>();
  return (what, from) => {
    const last = known.get(what) ?? -1;
    if (last >= from) return last;
    const index = text.indexOf(what, from);
    const found = index < 0 ? Number.POSITIVE_INFINITY : index;
    known.set(what, found);
    return found;
  };
}
