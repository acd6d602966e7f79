/**
 * Why: a result should show where the words stand, in the text as it was written, although matching ignores case and
 * accents. Snippets are cut here rather than by ts_headline, which cannot relate folded words to the original text.
 */
import { foldText } from '../lib/text.ts';

/** A piece of a field around its first match; matches are wrapped in <mark>, everything else is HTML-escaped. */
export interface Highlight {
  readonly field: string;
  readonly snippet: string;
  /** Page of a document, from 1; only where there are pages. */
  readonly page?: number;
}

/** Characters of a text that are looked through for a snippet. */
const lookedThrough = 65_536;
/** Characters shown before the first match, and in all. */
const before = 60;
const length = 240;

/** A word to mark, folded; `prefix`: also the beginning of a longer word. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
}

/** One snippet for each text that has a match, in the order of the texts. */
export function highlight(
  texts: readonly { field: string; text: string; page?: number }[],
  terms: readonly Term[],
): Highlight[] {
  return texts.flatMap(({ field, text, page }) => {
    const matches = findMatches(text.slice(0, lookedThrough), terms);
    const first = matches[0];
    if (first === undefined) return [];
    const snippet = cutSnippet(text, first.start, matches);
    return [{ field, snippet, ...(page === undefined ? {} : { page }) }];
  });
}

interface Match {
  readonly start: number;
  readonly end: number;
}

function findMatches(text: string, terms: readonly Term[]): Match[] {
  const matches: Match[] = [];
  for (const word of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = foldText(word[0]);
    const hit = terms.some((term) => (term.prefix ? folded.startsWith(term.text) : folded === term.text));
    if (hit) matches.push({ start: word.index, end: word.index + word[0].length });
    if (matches.length >= 100) break;
  }
  return matches;
}

function cutSnippet(text: string, first: number, matches: readonly Match[]): string {
  const start = first <= before ? 0 : afterSpace(text, first - before, first);
  const end = Math.min(text.length, start + length);
  let position = start;
  let snippet = start > 0 ? '… ' : '';
  for (const match of matches) {
    if (match.end > end) break;
    snippet += `${escapeHtml(text.slice(position, match.start))}<mark>${escapeHtml(text.slice(match.start, match.end))}</mark>`;
    position = match.end;
  }
  const stop = end < text.length ? Math.max(position, text.lastIndexOf(' ', end)) : end;
  snippet += escapeHtml(text.slice(position, stop));
  return `${snippet.replace(/\s+/g, ' ').trim()}${stop < text.length ? ' …' : ''}`;
}

function afterSpace(text: string, from: number, to: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= to ? from : space + 1;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
