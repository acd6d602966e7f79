/**
 * Ranked search. Only records that the caller may see are ranked: the SQL functions search one organization, and the
 * records of the ids they return are read under row-level security.
 */

import { limits } from '@trellis/schema/resources/limits.ts';
import { foldText, withinOneEdit } from '@trellis/schema/values/text.ts';
import { type Row, step } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import { callStatement } from '../../database/distributed-statements.ts';
import { parseTimestamp, textArray } from '../../database/values.ts';
import type { Position } from '../cursor.ts';
import type { Model, Models } from '../model.ts';
import { modelOf } from '../model.ts';
import type { Perspective } from '../storage.ts';
import type { Term } from './highlight.ts';
import { type Candidate, readHits, type SearchHit } from './hits.ts';
import { quoteLexeme, searchParent } from './texts.ts';

export interface SearchQuery extends Scope {
  readonly parentId: string | null;
  /** Web-search syntax: words, "phrases", -exclusions. */
  readonly query: string;
  /** The organization's country, ISO 3166-1, for phone numbers without a country code. */
  readonly country: string | null;
  readonly after: Position | null;
  readonly limit: number;
  /** The searched and shown versions, for resources with versions. */
  readonly perspective: Perspective;
  /** The names of the resources to search: those of the declaration that the caller may read. */
  readonly sources: readonly string[];
}

export interface SearchPage {
  readonly hits: SearchHit[];
  /** The position after each hit. */
  readonly positions: readonly Position[];
  readonly next: Position | null;
  /** Whether there are more results, with or without a next page. */
  readonly truncated: boolean;
}

const findRecords = callStatement({
  name: 'find_records',
  columns: 'type, record_id, score, created_at',
  of: 'find_records',
  types: [
    'text[]',
    'uuid',
    'boolean',
    'text',
    'text',
    'text[]',
    'integer',
    'real',
    'timestamptz',
    'uuid',
    'integer',
  ],
});
const findSimilar = callStatement({
  name: 'find_similar',
  columns: 'type, record_id, score, created_at, folded',
  of: 'find_similar',
  types: ['text[]', 'uuid', 'boolean', 'text[]', 'text', 'integer'],
});

/** Maximum number of titles that are compared when nothing matches exactly. */
const similarTitles = 200;

/** A parsed query. All texts are folded. */
interface ParsedQuery {
  /** The query without the unfinished last word, for websearch_to_tsquery. */
  readonly words: string;
  /** A tsquery text for the unfinished word, or ''. */
  readonly prefix: string;
  /** Words that also match other forms of the same stem: those that are not quoted. */
  readonly stems: readonly string[];
  /** What to highlight in snippets. */
  readonly terms: readonly Term[];
}

/** Finds and ranks records and reads one page of them. */
export async function searchRecords(
  database: Database,
  models: Models,
  model: Model,
  query: SearchQuery,
): Promise<SearchPage> {
  const sources = query.sources.map((name) => modelOf(models, name));
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
    String(limits.searchCandidates),
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
  const isOnlyPage = !model.resource.searchCursor;
  const read = { ...query, isOnlyPage };
  const { hits, last } = await readHits(database, sources, read, shown, terms, parsed.stems, content);
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

/** Parses web-search syntax. The last word matches as a prefix unless it is quoted, excluded or followed by a space. */
export function parseQuery(query: string): ParsedQuery {
  // A hyphen without a word excludes nothing, and several hyphens are the same as one.
  const folded = foldText(query)
    .replace(/(?<=^|\s)(?:-+\s+)*-+(?=\s|$)/g, ' ')
    .replace(/(?<=^|\s)-{2,}/g, '-');
  const last = /(?:^|\s)([^\s"-][^\s"]*)$/u.exec(folded);
  const openQuote = (folded.match(/"/g)?.length ?? 0) % 2 === 1;
  const word = openQuote ? undefined : last?.[1];
  // A query with OR has no prefix word: it would be required in addition to the alternatives.
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

/** The tsquery of the query itself, or of its words in another notation. */
function withForms(parsed: ParsedQuery, forms: readonly string[]): ParsedQuery {
  if (forms.length === 0) return parsed;
  const folded = forms.map(foldText);
  // A number as typed is several words, such as `030` and `1234`, all of which must match.
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

/** Finds records whose names contain, for every word of the query, a word that is at most one typo away. */
async function resembling(
  database: Database,
  query: SearchQuery,
  types: string,
  parent: string,
  parsed: ParsedQuery,
): Promise<{ rows: readonly Candidate[]; terms: readonly Term[] }> {
  const wanted = parsed.terms.map(({ text }) => text);
  const longest = wanted.reduce((left, right) => (right.length > left.length ? right : left), '');
  // With one typo, a word of three letters matches too many words.
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
  // Similar titles are shown on a single page, because later ones would resemble the query even less.
  return {
    rows: rows
      .map((row) => toCandidate(row.slice(0, 4)))
      .sort(byScore)
      .slice(0, query.limit + 1),
    terms: [...terms].map((text) => ({ text, prefix: false })),
  };
}

/** Order of results: best first, then newest. */
function byScore(left: Candidate, right: Candidate): number {
  if (left.score !== right.score) return Number(right.score) - Number(left.score);
  const [a, b] = [left.createdAt + left.id, right.createdAt + right.id];
  return a < b ? 1 : -1;
}

/**
 * Texts of which every word within one edit of the given one contains at least one. An edit leaves one half intact,
 * unless it swaps the two letters in the middle.
 */
function partsWithinOneEdit(word: string): string[] {
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
