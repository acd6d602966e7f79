/**
 * Collects the text of a file, whatever its format: pages of normalized text with a maximum total length. The parsers only
 * add text; this decides what is kept.
 */
import { codePointLength, normalizeText } from '@trellis/schema/values/text.ts';
import type { ExtractedText } from './protocol.ts';

/** Ends of lines: CR, CR LF, form feed, vertical tab and NEL. */
const lineEnd = /\r\n?|[\f\v\u0085]/g;

/** Control characters except tab and line feed, and soft hyphens, which show where a word may be divided. */
const invisible = /(?![\t\n])\p{Control}|\u00ad/gu;

/** Characters that only say how others are set: hyphens that do not end a line, and letters that touch each other. */
const typeset = /[\u2011\ufb00-\ufb06]/g;

/**
 * A run of combining marks, up to the number that the Stream-Safe Text Format allows (Unicode Standard Annex #15, section
 * 13), and the marks beyond it. Normalization sorts a run of marks in time quadratic in its length.
 */
const longRunOfMarks = /(\p{Mark}{30})\p{Mark}+/gu;

/**
 * Normalizes text to its stored form: lines end with LF, no control characters, soft hyphens and ligatures, no halves of surrogate pairs, at most 30
 * marks in a row, NFC, trimmed.
 */
export function cleanText(text: string): string {
  const plain = text
    .replace(lineEnd, '\n')
    .replace(invisible, '')
    .replace(typeset, (character) => character.normalize('NFKC').replace('\u2010', '-'))
    .toWellFormed();
  return normalizeText(plain.replace(longRunOfMarks, '$1'));
}

/** Collects the text of a file, page by page, up to a number of characters. */
export class TextCollector {
  readonly #pages: string[] = [];
  readonly #maximumCharacters: number;
  #parts: string[] = [];
  #rawUnits = 0;
  #characters = 0;
  #isFull = false;
  #isTruncated = false;

  /** @param maximumCharacters code points over all pages */
  constructor(maximumCharacters: number) {
    this.#maximumCharacters = maximumCharacters;
  }

  /** Whether nothing more is kept: a parser can stop. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How much more is kept, in UTF-16 units: a code point has at most two. Text that normalizing might still shorten is not kept beyond that. */
  get roomUnits(): number {
    return 2 * (this.#maximumCharacters - this.#characters) - this.#rawUnits;
  }

  /** Adds text to the page. */
  add(text: string): void {
    const room = this.roomUnits;
    if (text.length > room) this.#isFull = true;
    const kept = text.slice(0, room);
    if (kept === '') return;
    this.#parts.push(kept);
    this.#rawUnits += kept.length;
  }

  /** Ends the page, also one without text, since pages are numbered by their position. */
  endPage(): void {
    let text = cleanText(this.#parts.join(''));
    this.#parts = [];
    this.#rawUnits = 0;
    let length = codePointLength(text);
    const room = this.#maximumCharacters - this.#characters;
    if (length > room) {
      text = firstCharacters(text, room);
      length = codePointLength(text);
      this.#isFull = true;
    }
    this.#characters += length;
    this.#pages.push(text);
  }

  /** Records that the file has more text than was added. */
  markTruncated(): void {
    this.#isTruncated = true;
  }

  /** Returns the collected text. @param pageCount number of pages in the file; null for formats without pages */
  finish(pageCount: number | null): ExtractedText {
    return {
      pages: this.#pages,
      pageCount,
      characters: this.#characters,
      truncated: this.#isTruncated || this.#isFull,
    };
  }
}

function firstCharacters(text: string, count: number): string {
  let end = 0;
  for (let taken = 0; taken < count; taken += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end).trimEnd();
}
