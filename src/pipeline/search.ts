/**
 * Why: search ranks what the caller may see and nothing else: the database's search functions know one organization,
 * and the records behind their ids are read under row-level security like any other.
 */
import type { Database, Scope } from '../database/database.ts';
import { type Row, type Statement, step } from '../database/flight.ts';
import { parseTimestamp, textArray } from '../database/values.ts';
import { foldText, withinOneEdit } from '../lib/text.ts';
import { limits } from '../resources/limits.ts';
import type { Position } from './cursor.ts';
import { type Highlight, highlight, type Term } from './highlight.ts';
import type { ContentSearch, Model, Models } from './model.ts';
import { modelOf } from './model.ts';
import { isCut } from './page-budget.ts';
import { searchableTexts, searchParent } from './search-entries.ts';
import { decodeRecord, selectWidth } from './storage.ts';
import type { StoredRecord } from './values.ts';

export interface SearchQuery extends Scope {
  readonly parentId: string | null;
  /** Web-search syntax: words, "phrases", -exclusions. */
  readonly query: string;
  /** The organization's own country, ISO 3166-1: where phone numbers without one are. */
  readonly country: string | null;
  readonly after: Position | null;
  readonly limit: number;
}

export interface SearchHit {
  readonly model: Model;
  readonly record: StoredRecord;
  /** Relevance, higher is better; comparable within one search only. */
  readonly score: number;
  readonly highlights: readonly Highlight[];
}

export interface SearchPage {
  readonly hits: SearchHit[];
  /** The position after each hit. */
  readonly positions: readonly Position[];
  readonly next: Position | null;
}

const search: Statement = {
  name: 'search',
  text: `SELECT type, record_id, score, created_at
    FROM trellis.search($1, $2, $3, $4, $5, $6::real, $7::timestamptz, $8::uuid, $9)`,
};
const searchSimilar: Statement = {
  name: 'search_similar',
  text: 'SELECT type, record_id, score, created_at, folded_title FROM trellis.search_similar($1, $2, $3, $4)',
};

/** Titles compared letter by letter when nothing matches exactly. */
const similarTitles = 200;

/** A query taken apart. All texts are folded. */
interface ParsedQuery {
  /** For websearch_to_tsquery: everything but the word still being typed. */
  readonly words: string;
  /** A tsquery text for that word, or ''. */
  readonly prefix: string;
  /** What to mark in snippets. */
  readonly terms: readonly Term[];
}

interface Candidate {
  readonly type: string;
  readonly id: string;
  readonly score: string;
  readonly createdAt: string;
  /** The piece of content that shows best why, as (page, part); null when the record itself does. */
  readonly place: readonly [string, string] | null;
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
    parent,
    parsed.words,
    parsed.prefix,
    String(content?.candidates ?? limits.searchCandidates),
    score ?? null,
    createdAt ?? null,
    id ?? null,
    String(query.limit + 1),
  ];
  const exact =
    content === undefined ? step(search, [types, ...question]) : step(content.statement, question);
  const [found] = await database.read(query, [exact]);
  let rows: readonly Candidate[] = (found?.rows ?? []).map(toCandidate);
  let terms = parsed.terms;
  if (rows.length === 0 && query.after === null) {
    const similar = await findSimilar(database, query, types, parent, parsed);
    rows = similar.rows;
    terms = similar.terms;
  }
  const shown = rows.slice(0, query.limit);
  const { hits, last } = await readHits(database, sources, query, shown, terms, content);
  const more = rows.length > query.limit || last !== shown.at(-1);
  return {
    hits: hits.map(({ hit }) => hit),
    positions: hits.map(({ candidate }) => positionOf(candidate)),
    next: more && last !== undefined ? positionOf(last) : null,
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
  const usable = word !== undefined && word !== 'or' && /[\p{L}\p{N}]/u.test(word);
  const words = usable ? folded.slice(0, folded.length - word.length) : folded;
  const plain = words.replace(/(^|\s)-("[^"]*"|\S+)/gu, ' ');
  const wholes = (plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter((text) => text !== 'or');
  const prefixes = usable ? (word.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) : [];
  return {
    words,
    prefix: usable ? `${quoteLexeme(word)}:*` : '',
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
    prefix: [...(typed === '' ? [] : [`(${typed})`]), ...others].join(' | '),
    terms: [...parsed.terms, ...folded.map((text) => ({ text, prefix: true }))],
  };
}

function quoteLexeme(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Records whose title has, for every word of the query, a word at most one typo away. */
async function findSimilar(
  database: Database,
  query: SearchQuery,
  types: string,
  parent: string,
  parsed: ParsedQuery,
): Promise<{ rows: readonly Candidate[]; terms: readonly Term[] }> {
  const wanted = parsed.terms.map(({ text }) => text);
  // One typo in a word of three letters makes it any word.
  if (wanted.length === 0 || query.query.includes('-') || wanted.every((word) => word.length < 4)) {
    return { rows: [], terms: [] };
  }
  const similar = step(searchSimilar, [types, parent, wanted.join(' '), String(similarTitles)]);
  const [found] = await database.read(query, [similar]);
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
    rows: rows.slice(0, query.limit).map((row) => toCandidate(row.slice(0, 4))),
    terms: [...terms].map((text) => ({ text, prefix: false })),
  };
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

async function readHits(
  database: Database,
  sources: readonly Model[],
  query: SearchQuery,
  candidates: readonly Candidate[],
  terms: readonly Term[],
  content: ContentSearch | undefined,
): Promise<{ hits: { hit: SearchHit; candidate: Candidate }[]; last: Candidate | undefined }> {
  const used = sources.filter(({ resource }) => candidates.some(({ type }) => type === resource.singular));
  const steps = used.map(({ resource, statements }) => {
    const ids = candidates.filter(({ type }) => type === resource.singular).map(({ id }) => id);
    return statements.byIds(query.organizationId, query.parentId, ids, 'full');
  });
  const places = candidates.flatMap(({ id, place }) => (place === null ? [] : [[id, ...place] as const]));
  if (content !== undefined && places.length > 0) {
    const column = (index: 0 | 1 | 2) => textArray(places.map((place) => place[index]));
    steps.push(step(content.texts, [query.organizationId, column(0), column(1), column(2)]));
  }
  const results = steps.length === 0 ? [] : await database.read(query, steps);
  const contents = new Map(
    (results[used.length]?.rows ?? []).map(([id, page, text, counts]) => [
      id,
      { field: 'content', text: text ?? '', ...(counts === 't' ? { page: Number(page) } : {}) },
    ]),
  );
  const found = new Map<string, { model: Model; record: StoredRecord }>();
  const cutAfter: string[] = [];
  used.forEach((model, index) => {
    const rows = results[index]?.rows ?? [];
    for (const row of rows) {
      const record = decodeRecord(model.storage, row);
      found.set(record.id, { model, record });
    }
    if (isCut(rows, selectWidth(model.storage) + 1)) cutAfter.push(rows.at(-1)?.[0] ?? '');
  });
  // The page ends where the first of the sources was cut off.
  const ends = cutAfter.map((id) => candidates.findIndex((candidate) => candidate.id === id));
  const read = candidates.slice(0, ends.length === 0 ? undefined : Math.min(...ends) + 1);
  const hits = read.flatMap((candidate) => {
    const hit = found.get(candidate.id);
    // A record deleted since the search is simply not shown.
    if (hit === undefined) return [];
    const inside = contents.get(candidate.id);
    const texts = searchableTexts(hit.model.resource, hit.record);
    const highlights = highlight(inside === undefined ? texts : [...texts, inside], terms);
    return [{ candidate, hit: { ...hit, score: Number(candidate.score), highlights } }];
  });
  return { hits, last: read.at(-1) };
}
