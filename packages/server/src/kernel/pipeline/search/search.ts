/**
 * Ranked search. Only records that the caller may see are ranked: the SQL functions search one organization, and the
 * records of the ids they return are read under row-level security.
 */

import { limits } from '@trellis/schema/resources/limits.ts';
import { withinOneEdit } from '@trellis/schema/values/text.ts';
import { type Row, type Statement, step } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import { parseTimestamp, textArray } from '../../database/values.ts';
import type { Position } from '../cursor.ts';
import type { Model, Models } from '../model.ts';
import { modelOf } from '../model.ts';
import type { Perspective } from '../storage.ts';
import { scopeOf } from './analyzer/lexemes.ts';
import { askCharacters, askWords, type Question, type Term } from './analyzer/question.ts';
import { wordsOf } from './analyzer/words.ts';
import { type Candidate, readHits, type SearchHit } from './hits.ts';
import { searchParent } from './texts.ts';

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
  /** Names of the resources to search: those of the declaration that the caller may read. */
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

const findRecords: Statement = {
  name: 'find_records',
  text: `SELECT type, record_id, score, created_at FROM trellis.find_records(
    $1::text[], $2::text[], $3::uuid, $4::boolean, $5::text, $6::text[], $7::text, $8::text, $9::boolean,
    $10::boolean, $11::integer, $12::real, $13::timestamptz, $14::uuid, $15::integer)`,
};
const findSimilar: Statement = {
  name: 'find_similar',
  text: `SELECT type, record_id, score, created_at, folded FROM trellis.find_similar(
    $1::text[], $2::text[], $3::uuid, $4::boolean, $5::text, $6::text, $7::integer)`,
};

/** Maximum number of titles that are compared when nothing matches exactly. */
const similarTitles = 200;

/** Finds and ranks records and reads one page of them. */
export async function searchRecords(
  database: Database,
  models: Models,
  model: Model,
  query: SearchQuery,
): Promise<SearchPage> {
  const sources = query.sources.map((name) => modelOf(models, name));
  const types = sources.map(({ resource }) => resource.singular);
  const question = askWords(query.query, model.rules.queryForms?.(query.query, query.country).words);
  const [score, createdAt, id] = query.after ?? [null, null, null];
  const content = model.rules.contentSearch;
  const parent = searchParent(model.resource, query.parentId);
  const scopes = types.map((type) => scopeOf(query.organizationId, parent, type));
  const { wanted, operands, anything, ranking } = question;
  const questionTexts = [wanted, textArray(operands), anything, ranking];
  const rest = [
    String(question.excludes),
    String(question.hasSeveralWords),
    String(limits.searchCandidates),
    score ?? null,
    createdAt ?? null,
    id ?? null,
    String(query.limit + 1),
  ];
  const published = String(query.perspective === 'published');
  if (wanted === '') return { hits: [], positions: [], next: null, truncated: false };
  const exact =
    content === undefined
      ? step(findRecords, [textArray(types), textArray(scopes), parent, published, ...questionTexts, ...rest])
      : step(content.statement, [scopes[0] ?? '', parent, ...questionTexts, question.excluded, ...rest]);
  const [found] = await database.query(query, [exact]);
  let rows: readonly Candidate[] = (found?.rows ?? []).map(toCandidate);
  let terms = question.terms;
  let truncated = rows.length > query.limit;
  if (rows.length === 0 && query.after === null) {
    const similar = await resembling(database, query, types, scopes, parent, question);
    rows = similar.rows;
    terms = similar.terms;
    truncated = similar.rows.length > query.limit;
    rows = rows.slice(0, query.limit);
  }
  const shown = rows.slice(0, query.limit);
  const isOnlyPage = !model.resource.searchCursor;
  const read = { ...query, isOnlyPage };
  const { hits, last } = await readHits(
    database,
    sources,
    read,
    shown,
    { terms, stems: question.stems },
    content,
  );
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

/** Finds records whose names contain, for every word of the query, a word that is at most one typo away. */
async function resembling(
  database: Database,
  query: SearchQuery,
  types: readonly string[],
  scopes: readonly string[],
  parent: string,
  question: Question,
): Promise<{ rows: readonly Candidate[]; terms: readonly Term[] }> {
  const wanted = question.terms.map(({ text }) => text);
  const longest = wanted.reduce((left, right) => (right.length > left.length ? right : left), '');
  // With one typo, a word of three letters matches too many words.
  if (query.query.includes('-') || longest.length < 4) return { rows: [], terms: [] };
  const published = String(query.perspective === 'published');
  const grams = partsWithinOneEdit(longest).map((part) => `(${askCharacters(part)})`);
  const [found] = await database.query(query, [
    step(findSimilar, [
      textArray(types),
      textArray(scopes),
      parent,
      published,
      grams.join(' | '),
      wanted.join(' '),
      String(similarTitles),
    ]),
  ]);
  const terms = new Set<string>();
  const rows = (found?.rows ?? []).filter((row) => {
    const words = wordsOf(row[4] ?? '').map(({ text }) => text);
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
    terms: [...terms].map((text) => ({ text, isPrefix: false })),
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
