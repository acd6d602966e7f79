/**
 * Snippets: the places of a query's words in the original text, although matching ignores case and accents.
 * `ts_headline` cannot be used, because it cannot relate folded words to the original text. The text is folded piece by
 * piece up to the first match.
 */
import { foldWithPlaces } from '../lib/folded.ts';

/** A piece of a field around its first match; matches are wrapped in <mark>, everything else is HTML-escaped. */
export interface Highlight {
  readonly field: string;
  readonly snippet: string;
  /** Page of a document, from 1; only for documents with pages. */
  readonly page?: number;
}

/** Characters of a text that are searched for a match, and characters folded at once. */
const lookedThrough = 65_536;
const piece = 2_048;
/** Characters shown before the first match, and in total. */
const before = 60;
const length = 240;
/** Longer words are cut at the end of a piece. */
const longestWord = 256;

/** A word to mark, folded; `prefix`: also the beginning of a longer word. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
}

/**
 * One snippet for each text that has a match, in the order of the texts.
 * @param stems highlighted in texts that contain none of the terms themselves
 */
export function highlight(
  texts: readonly { field: string; text: string; page?: number }[],
  terms: readonly Term[],
  stems: readonly Term[] = [],
): Highlight[] {
  const cut = (wanted: readonly Term[]) =>
    texts.flatMap(({ field, text, page }) => {
      const snippet = wanted.length === 0 ? null : cutSnippet(text, wanted);
      return snippet === null ? [] : [{ field, snippet, ...(page === undefined ? {} : { page }) }];
    });
  const exact = cut(terms);
  return exact.length > 0 ? exact : cut(stems);
}

interface Match {
  readonly start: number;
  readonly end: number;
}

/** The snippet around the first match, or null when there is none. */
function cutSnippet(text: string, terms: readonly Term[]): string | null {
  const first = findFirst(text, terms);
  if (first === null) return null;
  const start = first.start <= before ? 0 : beginning(text, first.start - before, first.start);
  const limit = wholeCharacter(text, Math.min(text.length, start + length), start);
  // The word at the limit is read to its end, so that it is not mistaken for a shorter one.
  const seen = text.slice(start, Math.min(text.length, limit + longestWord));
  let position = start;
  let snippet = start > 0 ? '… ' : '';
  for (const match of findMatches(seen, start, isWordBefore(text, start), terms)) {
    if (match.end > limit && position > start) break;
    snippet += `${escapeHtml(text.slice(position, match.start))}<mark>${escapeHtml(text.slice(match.start, match.end))}</mark>`;
    position = match.end;
    if (position >= limit) break;
  }
  const space = limit < text.length ? text.lastIndexOf(' ', limit) : limit;
  const end = Math.max(position, space > start ? space : limit);
  snippet += escapeHtml(text.slice(position, end));
  return `${snippet.replace(/\s+/g, ' ').trim()}${end < text.length ? ' …' : ''}`;
}

function findFirst(text: string, terms: readonly Term[]): Match | null {
  const last = Math.min(text.length, lookedThrough);
  for (let start = 0; start < last; ) {
    const end = endOfPiece(text, start, last);
    const [first] = findMatches(text.slice(start, end), start, isWordBefore(text, start), terms);
    if (first !== undefined) return first;
    start = end;
  }
  return null;
}

/** The end of a piece: after a space if there is one near it, otherwise at a whole character. */
function endOfPiece(text: string, start: number, last: number): number {
  const end = start + piece;
  if (end >= last) return wholeCharacter(text, last, start);
  const space = text.lastIndexOf(' ', end);
  return space > end - longestWord ? space + 1 : wholeCharacter(text, end, start);
}

const onlyWord = /^[\p{L}\p{N}\p{M}]+$/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/** Matches in a piece of text that begins at `offset`, in order. `inWord`: the piece begins inside a word. */
function findMatches(text: string, offset: number, inWord: boolean, terms: readonly Term[]): Match[] {
  const { folded, placeOf } = foldWithPlaces(text);
  const matches: Match[] = [];
  for (const term of terms) {
    // Other notations, such as whole addresses, are highlighted word by word.
    if (!onlyWord.test(term.text)) continue;
    for (let at = folded.indexOf(term.text); at !== -1; at = folded.indexOf(term.text, at + 1)) {
      const after = at + term.text.length;
      const begins = at === 0 ? !inWord : !isWordBefore(folded, at);
      if (begins && (term.prefix || !isWordAt(folded, after))) {
        let end = after;
        while (isWordAt(folded, end)) end += 1;
        matches.push({ start: offset + placeOf(at), end: offset + placeOf(end) });
      }
    }
  }
  const ordered = matches.sort((a, b) => a.start - b.start || b.end - a.end);
  return ordered.filter((match, index) => match.start >= (ordered[index - 1]?.end ?? 0));
}

function isWordAt(text: string, index: number): boolean {
  const code = text.codePointAt(index);
  return code !== undefined && wordCharacter.test(String.fromCodePoint(code));
}

function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false;
  const isLow = index > 1 && /[\udc00-\udfff]/.test(text.charAt(index - 1));
  return isWordAt(text, index - (isLow ? 2 : 1));
}

/** The nearest index up to `index` that splits neither a surrogate pair nor a letter and its marks. */
function wholeCharacter(text: string, index: number, least: number): number {
  let place = index;
  while (place > least && place < text.length && goesOn(text, place)) place -= 1;
  return place === least ? index : place;
}

function goesOn(text: string, index: number): boolean {
  const code = text.codePointAt(index) ?? 0;
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  return code > 0x7f && /\p{M}/u.test(String.fromCodePoint(code));
}

/** The index after the next space, or otherwise at a whole character. */
function beginning(text: string, from: number, to: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= to ? wholeCharacter(text, from, 0) : space + 1;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
