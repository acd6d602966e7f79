/**
 * Snippets: the places of a query's words in the original text, although matching ignores case and accents.
 * `ts_headline` cannot be used, because it cannot relate folded words to the original text. The text is folded piece by
 * piece up to the first match.
 */
import { classOf, other } from '@trellis/schema/values/characters.ts';
import { foldWithPlaces } from '../../lib/folded.ts';
import type { Term } from './analyzer/question.ts';
import { readableWithPlaces } from './analyzer/readable.ts';
import { endOfRun, isUnspaced, wordsOf } from './analyzer/words.ts';

/** A piece of a field around its first match; matches are wrapped in <mark>, everything else is HTML-escaped. */
export interface Highlight {
  readonly field: string;
  readonly snippet: string;
  /** Page of a document, from 1; only for documents with pages. */
  readonly page?: number;
}

/** Characters of a text, folded or not, that are searched for a match, and characters folded at once. */
const lookedThrough = 65_536;
const piece = 2_048;
/** Characters shown before the first match, and in total. */
const before = 60;
const length = 240;
/** Longer words are cut at the end of a piece. */
const longestWord = 256;
/** Up to this number of words, seeking each one is faster than looking up every word of the text. */
const soughtOneByOne = 8;

interface Text {
  readonly field: string;
  readonly text: string;
  readonly page?: number;
}

/** Cuts snippets: one for each of a record's texts that has a match, in the order of the texts. */
export type Highlighter = (texts: readonly Text[]) => Highlight[];

/** Makes the highlighter of a query. @param stems marked in records whose texts contain none of the terms themselves */
export function createHighlighter(terms: readonly Term[], stems: readonly Term[] = []): Highlighter {
  const wantedTerms = new WantedWords(terms);
  const wantedStems = new WantedWords(stems);
  const cut = (texts: readonly Text[], wanted: WantedWords, find: Find) =>
    texts.flatMap(({ field, text, page }) => {
      const snippet = wanted.isEmpty ? null : cutSnippet(text, wanted, find);
      return snippet === null ? [] : [{ field, snippet, ...(page === undefined ? {} : { page }) }];
    });
  return (texts) => {
    const exact = cut(texts, wantedTerms, findMatches);
    if (exact.length > 0) return exact;
    const stemmed = cut(texts, wantedStems, findMatches);
    return stemmed.length > 0 ? stemmed : cut(texts, wantedTerms, findAnalyzed);
  };
}

/** The words to mark. Looking up a word takes the same time however many there are. */
class WantedWords {
  readonly isEmpty: boolean;
  private readonly wholes = new Set<string>();
  private readonly beginnings = new Set<string>();
  /** The lengths of the beginnings, each once. */
  private readonly lengths: readonly number[];
  /** Terms that are also highlighted inside a run. */
  readonly runs: readonly string[];
  private readonly texts: readonly string[];

  constructor(terms: readonly Term[]) {
    for (const { text, isPrefix, isAnywhere } of terms)
      if (!isAnywhere) (isPrefix ? this.beginnings : this.wholes).add(text);
    this.runs = terms.filter(({ isAnywhere }) => isAnywhere).map(({ text }) => text);
    this.texts = [...new Set([...this.wholes, ...this.beginnings, ...this.runs])];
    this.isEmpty = this.texts.length === 0;
    this.lengths = [...new Set([...this.beginnings].map(({ length }) => length))];
  }

  /** An index in the folded text before which no word begins that is wanted; its length if there is none at all. */
  firstIn(folded: string): number {
    if (this.texts.length > soughtOneByOne) return 0;
    const places = this.texts.map((text) => folded.indexOf(text)).filter((place) => place >= 0);
    return places.length === 0 ? folded.length : Math.min(...places);
  }

  has(word: string): boolean {
    if (this.wholes.has(word)) return true;
    return this.lengths.some((length) => length <= word.length && this.beginnings.has(word.slice(0, length)));
  }
}

interface Match {
  readonly start: number;
  readonly end: number;
}

/** The snippet around the first match, or null when there is none. */
function cutSnippet(text: string, wanted: WantedWords, find: Find): string | null {
  const first = findFirst(text, wanted, find);
  if (first === null) return null;
  const start = first.start <= before ? 0 : beginning(text, first.start - before, first.start);
  const limit = wholeCharacter(text, Math.min(text.length, start + length), start);
  // The word at the limit is read to its end, so that it is not mistaken for a shorter one.
  const seen = {
    text: text.slice(start, Math.min(text.length, limit + longestWord)),
    offset: start,
    inWord: isWordBefore(text, start),
  };
  let position = start;
  let snippet = start > 0 ? '… ' : '';
  for (const match of find(seen, wanted, length).matches) {
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

function findFirst(text: string, wanted: WantedWords, find: Find): Match | null {
  const last = Math.min(text.length, lookedThrough);
  let looked = 0;
  for (let start = 0; start < last && looked < lookedThrough; ) {
    const end = endOfPiece(text, start, last);
    const piece = { text: text.slice(start, end), offset: start, inWord: isWordBefore(text, start) };
    const { matches, length } = find(piece, wanted, 1);
    const [first] = matches;
    if (first !== undefined) return first;
    looked += Math.max(length, end - start);
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

/** A part of a text that begins at `offset`; `inWord`: inside a word. */
interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly inWord: boolean;
}

/** The first `most` matches in order, and the length of the folded piece. */
type Find = (piece: Piece, wanted: WantedWords, most: number) => { matches: Match[]; length: number };

/** Finds words as the index does, including words divided by hyphens and tags, which is ten times slower. */
const findAnalyzed: Find = ({ text, offset }, wanted, most) => {
  const read = readableWithPlaces(text);
  const { folded, placeOf, endOf } = foldWithPlaces(read.text);
  const matches: Match[] = [];
  for (const word of wordsOf(folded)) {
    const start = offset + read.placeOf(placeOf(word.start));
    if (matches.length < most && start >= (matches.at(-1)?.end ?? 0) && wanted.has(word.text))
      matches.push({ start, end: offset + read.endOf(endOf(word.end)) });
  }
  return { matches, length: folded.length };
};

const findMatches: Find = ({ text, offset, inWord }, wanted, most) => {
  const { folded, placeOf, endOf } = foldWithPlaces(text);
  const matches: Match[] = [];
  for (let index = wanted.firstIn(folded); index < folded.length && matches.length < most; ) {
    const isRunUnspaced = isUnspaced(folded.codePointAt(index) ?? 0);
    const end = endOfRun(folded, index, isRunUnspaced);
    if (end === index) {
      index += (folded.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    const mark = (from: number, to: number): void => {
      const start = offset + placeOf(from);
      // One character may stand for several words: it is marked once.
      if (start >= (matches.at(-1)?.end ?? 0)) matches.push({ start, end: offset + endOf(to) });
    };
    if (isRunUnspaced) {
      for (let place = index; place < end && matches.length < most; ) {
        const run = wanted.runs.find((one) => folded.startsWith(one, place));
        if (run !== undefined) mark(place, place + run.length);
        place += run?.length ?? 1;
      }
    } else {
      const begins = index === 0 ? !inWord : !isWordBefore(folded, index);
      if (begins && wanted.has(folded.slice(index, end))) mark(index, end);
    }
    index = end;
  }
  return { matches, length: folded.length };
};

function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false;
  const isLow = index > 1 && isLowSurrogate(text.charCodeAt(index - 1));
  const code = text.codePointAt(index - (isLow ? 2 : 1)) ?? 0;
  return classOf(code) !== other && !isUnspaced(code);
}

/** Units of UTF-16 of a letter with its marks, at most: longer sequences are split. */
const longestCharacter = 32;

/** The nearest index up to `index`, but after `least`, that splits neither a surrogate pair nor a letter and its marks. */
function wholeCharacter(text: string, index: number, least: number): number {
  const lowest = Math.max(least + 1, index - longestCharacter);
  for (let place = index; place >= lowest; place -= 1) {
    if (place === 0 || place >= text.length || !goesOn(text, place)) return place;
  }
  return isLowSurrogate(text.charCodeAt(index)) && index > lowest ? index - 1 : index;
}

function goesOn(text: string, index: number): boolean {
  const code = text.codePointAt(index) ?? 0;
  if (isLowSurrogate(code)) return true;
  return code > 0x7f && /\p{M}/u.test(String.fromCodePoint(code));
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The index after the next space, or otherwise at a whole character. */
function beginning(text: string, from: number, to: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= to ? wholeCharacter(text, from, -1) : space + 1;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
