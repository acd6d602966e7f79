/**
 * Ranked search. It ranks what the caller may see and nothing else: the database's search functions know one organization,
 * and the records behind their ids are read under row-level security like any other.
 */

import { limits } from '@trellis/schema/resources/limits.ts';
import { foldText, withinOneEdit } from '@trellis/schema/values/text.ts';
import { type Row, type Statement, step } from '../database/batch.ts';
import type { Database, Scope } from '../database/database.ts';
import { parseTimestamp, textArray } from '../database/values.ts';
import type { Position } from './cursor.ts';
import type { Term } from './highlight.ts';
import type { Model, Models } from './model.ts';
import { modelOf } from './model.ts';
import { type Candidate, readHits, type SearchHit } from './search-hits.ts';
import { quoteLexeme, searchParent } from './search-texts.ts';
import type { Perspective } from './storage.ts';

export interface SearchQuery extends Scope {
  readonly parentId: string | null;
  /** Web-search syntax: words, "phrases", -exclusions. */
  readonly query: string;
  /** The organization's own country, ISO 3166-1: where phone numbers without one are. */
  readonly country: string | null;
  readonly after: Position | null;
  readonly limit: number;
  /** Which versions are searched and shown, where there are versions. */
  readonly perspective: Perspective;
}

export interface SearchPage {
  readonly hits: SearchHit[];
  /** The position after each hit. */
  readonly positions: readonly Position[];
  readonly next: Position | null;
  /** Whether more was found than is shown, with a next page or without. */
  readonly truncated: boolean;
}

const findRecords: Statement = {
  name: 'find_records',
  text: `SELECT type, record_id, score, created_at
    FROM trellis.find_records($1, $2, $3, $4, $5, $6, $7, $8::real, $9::timestamptz, $10::uuid, $11)`,
};
const findSimilar: Statement = {
  name: 'find_similar',
  text: `SELECT type, record_id, score, created_at, folded
    FROM trellis.find_similar($1, $2, $3, $4, $5, $6)`,
};

/** Titles compared letter by letter when nothing matches exactly. */
const similarTitles = 200;

/** A query taken apart. All texts are folded. */
interface ParsedQuery {
  /** For websearch_to_tsquery: everything but the word still being typed. */
  readonly words: string;
  /** A tsquery text for that word, or ''. */
  readonly prefix: string;
  /** Words that also stand for others of the same stem: those that are not in quotes. */
  readonly stems: readonly string[];
  /** What to mark in snippets. */
  readonly terms: readonly Term[];
}

/** Finds, ranks and reads one page of results. */
export async function searchRecords(
  database: Database,
  models: Models,
  model: Model,
  query: SearchQuery,
): Promise<SearchPage> {
  const sources = model.resource.searchSources.map((name) => modelOf(models, name));
  const types = textArray(sources.map(({ resource }) => resource.singular));
  const forms = model.rules.queryForms?.(query.query, query.country).words ?? [];
  const parsed = withForms(parseQuery(query.query), forms);
  const [score, createdAt, id] = query.after ?? [null, null, null];
  const content = model.rules.contentSearch;
  const parent = searchParent(model.resource, query.parentId);
  const question = [
    parsed.words,
    parsed.prefix,
    textArray(parsed.stems),
    String(content?.candidates ?? limits.searchCandidates),
    score ?? null,
    createdAt ?? null,
    id ?? null,
    String(query.limit + 1),
  ];
  const published = String(query.perspective === 'published');
  const exact =
    content === undefined
      ? step(findRecords, [types, parent, published, ...question])
      : step(content.statement, [parent, ...question]);
  const [found] = await database.query(query, [exact]);
  let rows: readonly Candidate[] = (found?.rows ?? []).map(toCandidate);
  let terms = parsed.terms;
  let truncated = rows.length > query.limit;
  if (rows.length === 0 && query.after === null) {
    const similar = await resembling(database, query, types, parent, parsed);
    rows = similar.rows;
    terms = similar.terms;
    truncated = similar.rows.length > query.limit;
    rows = rows.slice(0, query.limit);
  }
  const shown = rows.slice(0, query.limit);
  const { hits, last } = await readHits(database, sources, query, shown, terms, parsed.stems, content);
  const more = rows.length > query.limit || last !== shown.at(-1);
  return {
    hits: hits.map(({ hit }) => hit),
    positions: hits.map(({ candidate }) => positionOf(candidate)),
    next: more && last !== undefined ? positionOf(last) : null,
    truncated: truncated || more,
  };
}

function positionOf({ score, createdAt, id }: Candidate): Position {
  return [score, createdAt, id];
}

/** Takes web-search syntax apart; the last word, unless quoted, excluded or followed by a space, matches as a prefix. */
export function parseQuery(query: string): ParsedQuery {
  // A hyphen that excludes nothing is no operator, and many of them are no more than one.
  const folded = foldText(query)
    .replace(/(?<=^|\s)(?:-+\s+)*-+(?=\s|$)/g, ' ')
    .replace(/(?<=^|\s)-{2,}/g, '-');
  const last = /(?:^|\s)([^\s"-][^\s"]*)$/u.exec(folded);
  const openQuote = (folded.match(/"/g)?.length ?? 0) % 2 === 1;
  const word = openQuote ? undefined : last?.[1];
  // Between alternatives all words are whole ones: the unfinished one would be demanded beside them.
  const isAlternative = /(?:^|\s)or\s+\S+$/u.test(folded);
  const usable = word !== undefined && word !== 'or' && !isAlternative && /[\p{L}\p{N}]/u.test(word);
  const words = usable ? folded.slice(0, folded.length - word.length) : folded;
  const plain = words.replace(/(^|\s)-("[^"]*"|\S+)/gu, ' ');
  const wholes = (plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter((text) => text !== 'or');
  const quoted = new Set(
    plain.match(/"[^"]*"?/gu)?.flatMap((text) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []),
  );
  const prefixes = usable ? (word.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) : [];
  return {
    words,
    prefix: usable ? `${quoteLexeme(word)}:*` : '',
    stems: [...new Set([...wholes, ...prefixes])].filter((text) => text.length >= 3 && !quoted.has(text)),
    terms: [
      ...wholes.map((text) => ({ text, prefix: false })),
      ...prefixes.map((text, index) => ({ text, prefix: index === prefixes.length - 1 })),
    ],
  };
}

/** The same query, or else any of the words that it stands for in another notation. */
function withForms(parsed: ParsedQuery, forms: readonly string[]): ParsedQuery {
  if (forms.length === 0) return parsed;
  const folded = forms.map(foldText);
  // As it was typed a number is several words, such as `030` and `1234`, and all of them must stand there.
  const typed = parsed.terms
    .map(({ text, prefix }) => `${quoteLexeme(text)}${prefix ? ':*' : ''}`)
    .join(' & ');
  const others = folded.map((form) => `${quoteLexeme(form)}:*`);
  return {
    words: '',
    stems: [],
    prefix: [...(typed === '' ? [] : [`(${typed})`]), ...others].join(' | '),
    terms: [...parsed.terms, ...folded.map((text) => ({ text, prefix: true }))],
  };
}

/** Records that have, for every word of the query, a word in their names that is at most one typo away. */
async function resembling(
  database: Database,
  query: SearchQuery,
  types: string,
  parent: string,
  parsed: ParsedQuery,
): Promise<{ rows: readonly Candidate[]; terms: readonly Term[] }> {
  const wanted = parsed.terms.map(({ text }) => text);
  const longest = wanted.reduce((left, right) => (right.length > left.length ? right : left), '');
  // One typo in a word of three letters makes it any word.
  if (query.query.includes('-') || longest.length < 4) return { rows: [], terms: [] };
  const published = String(query.perspective === 'published');
  const parts = textArray(partsWithinOneEdit(longest));
  const similar = [types, parent, published, parts, wanted.join(' '), String(similarTitles)];
  const [found] = await database.query(query, [step(findSimilar, similar)]);
  const terms = new Set<string>();
  const rows = (found?.rows ?? []).filter((row) => {
    const words = (row[4] ?? '').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    const hits = wanted.map((word) => words.find((candidate) => resembles(word, candidate)));
    const all = hits.every((hit) => hit !== undefined);
    if (all) for (const hit of hits) if (hit !== undefined) terms.add(hit);
    return all;
  });
  // Similar titles are shown on one page: what resembles the query least is not worth a second one.
  return {
    rows: rows
      .map((row) => toCandidate(row.slice(0, 4)))
      .sort(byScore)
      .slice(0, query.limit + 1),
    terms: [...terms].map((text) => ({ text, prefix: false })),
  };
}

/** Best first, then newest. */
function byScore(left: Candidate, right: Candidate): number {
  if (left.score !== right.score) return Number(right.score) - Number(left.score);
  const [a, b] = [left.createdAt + left.id, right.createdAt + right.id];
  return a < b ? 1 : -1;
}

/**
 * Texts of which each word within one edit of the given one contains one: an edit leaves one half as it is, unless it swaps
 * the letters on both sides of the middle.
 */
export function partsWithinOneEdit(word: string): string[] {
  const letters = Array.from(word);
  const middle = Math.floor(letters.length / 2);
  const swapped = [...letters];
  [swapped[middle - 1], swapped[middle]] = [letters[middle] ?? '', letters[middle - 1] ?? ''];
  return [letters.slice(0, middle), letters.slice(middle), swapped].map((part) => part.join(''));
}

function resembles(word: string, candidate: string): boolean {
  return candidate === word || (word.length >= 4 && withinOneEdit(word, candidate));
}

function toCandidate([type, id, score, createdAt, page, part]: Row): Candidate {
  return {
    type: type ?? '',
    id: id ?? '',
    score: score ?? '0',
    createdAt: parseTimestamp(createdAt ?? ''),
    place: page && part ? [page, part] : null,
  };
}
