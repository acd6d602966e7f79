/** Reads the records of a search result, with a snippet of each text that matches. */
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Step, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { textArray } from '../../database/values.ts';
import type { ContentSearch, Model } from '../model.ts';
import { isCut, pageBytesFor } from '../page-budget.ts';
import { decodeRecord, type Perspective, selectWidth, type Target, type Width } from '../storage.ts';
import type { Question } from './analyzer/question.ts';
import { createHighlighter, type Highlight } from './highlight.ts';
import { searchableTexts } from './texts.ts';

/** A search result before its record is read. */
export interface Candidate {
  readonly type: string;
  readonly id: string;
  readonly score: string;
  readonly createdAt: string;
  /** The piece of content with the best match, as (page, part); null if the record itself matches. */
  readonly place: readonly [string, string] | null;
}

export interface SearchHit {
  readonly model: Model;
  readonly record: StoredRecord;
  /** Whether the record has all of its values: without large ones it is beyond the page's budget, and is not shown. */
  readonly isWhole: boolean;
  /** Relevance, higher is better; comparable within one search only. */
  readonly score: number;
  readonly highlights: readonly Highlight[];
}

/**
 * Limit of the processor time for the snippets of a page, in ms. The results after it, the least relevant, get no snippet. Twenty results
 * usually take less than one.
 */
const mostHighlightingMs = 100;

/** The candidates that are shown in order. */
export interface ReadHits {
  readonly hits: readonly { readonly hit: SearchHit; readonly candidate: Candidate }[];
  /** The last candidate that was examined; earlier than the last one of all if the page's budget was used up. */
  readonly last: Candidate | undefined;
}

/** The context in which the records are read. */
type HitQuery = Omit<Target, 'id'> & {
  readonly perspective: Perspective;
  /** Whether records beyond the page budget follow without their large values, because there is no next page. */
  readonly isOnlyPage: boolean;
};

/**
 * Reads as many records as fit into a page; records deleted since the search are omitted.
 * @param marked what is highlighted
 */
export async function readHits(
  database: Database,
  sources: readonly Model[],
  query: HitQuery,
  candidates: readonly Candidate[],
  marked: Pick<Question, 'terms' | 'stems'>,
  content: ContentSearch | undefined,
): Promise<ReadHits> {
  const used = sources.filter(({ resource }) => candidates.some(({ type }) => type === resource.singular));
  const pageBytes = pageBytesFor(database, query.organizationId);
  const steps = used.map((model) => byIds(model, query, candidates, 'full', pageBytes));
  const places = candidates.flatMap(({ id, place }) => (place === null ? [] : [[id, ...place] as const]));
  if (content !== undefined && places.length > 0) {
    const column = (index: 0 | 1 | 2) => textArray(places.map((place) => place[index]));
    steps.push(step(content.texts, [query.organizationId, column(0), column(1), column(2)]));
  }
  const results = steps.length === 0 ? [] : await database.query(query, steps);
  const contents = new Map(
    (places.length > 0 ? (results[used.length]?.rows ?? []) : []).map(([id, page, text, counts]) => [
      id,
      [{ field: 'content', text: text ?? '', ...(counts === 't' ? { page: Number(page) } : {}) }],
    ]),
  );
  const found = new Map<string, Pick<SearchHit, 'model' | 'record' | 'isWhole'>>();
  const cutAfter: string[] = [];
  used.forEach((model, index) => {
    const rows = results[index]?.rows ?? [];
    for (const row of rows) {
      const record = decodeRecord(model.storage, row);
      found.set(record.id, { model, record, isWhole: true });
    }
    if (isCut(rows, selectWidth(model.storage) + 1)) cutAfter.push(rows.at(-1)?.[0] ?? '');
  });
  // The page ends where the first of the sources was cut off.
  const ends = cutAfter.map((id) => candidates.findIndex((candidate) => candidate.id === id));
  const whole = candidates.slice(0, ends.length === 0 ? undefined : Math.min(...ends) + 1);
  const others = query.isOnlyPage ? candidates.slice(whole.length) : [];
  await readOthers(database, used, query, others, found);
  const read = [...whole, ...others];
  const highlight = createHighlighter(marked.terms, marked.stems);
  const hits: { hit: SearchHit; candidate: Candidate }[] = [];
  let spentMs = 0;
  for (const candidate of read) {
    const hit = found.get(candidate.id);
    if (hit === undefined) continue;
    const inside = contents.get(candidate.id);
    const texts = searchableTexts(hit.model.resource, hit.record);
    const before = process.threadCpuUsage();
    const highlights =
      spentMs > mostHighlightingMs
        ? []
        : firstFound(
            () => highlight([...texts.filter(({ isIdentifier }) => !isIdentifier), ...(inside ?? [])]),
            () => highlight(texts.filter(({ isIdentifier }) => isIdentifier)),
          );
    const { user, system } = process.threadCpuUsage(before);
    spentMs += (user + system) / 1_000;
    hits.push({ candidate, hit: { ...hit, score: Number(candidate.score), highlights } });
    // One record takes a few ms at most. Between two of them others have their turn.
    await database.turns.enter(query.organizationId);
  }
  return { hits, last: read.at(-1) };
}

/** The snippets of the first of several ways that finds some. */
function firstFound(...ways: readonly (() => readonly Highlight[])[]): readonly Highlight[] {
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** Reads records without their large values. They are not shown, so the budget of the page does not apply. */
async function readOthers(
  database: Database,
  sources: readonly Model[],
  query: HitQuery,
  candidates: readonly Candidate[],
  found: Map<string, Pick<SearchHit, 'model' | 'record' | 'isWhole'>>,
): Promise<void> {
  const missing = candidates.filter(({ id }) => !found.has(id));
  const used = sources.filter(({ resource }) => missing.some(({ type }) => type === resource.singular));
  if (used.length === 0) return;
  const results = await database.query(
    query,
    used.map((model) => byIds(model, query, missing, 'narrow', Number.MAX_SAFE_INTEGER)),
  );
  used.forEach((model, index) => {
    for (const row of results[index]?.rows ?? []) {
      const record = decodeRecord(model.storage, row);
      found.set(record.id, { model, record, isWhole: false });
    }
  });
}

/** The step that reads the candidates of one resource. */
function byIds(
  { resource, statements }: Model,
  query: HitQuery,
  candidates: readonly Candidate[],
  width: Width,
  pageBytes: number,
): Step {
  const ids = candidates.filter(({ type }) => type === resource.singular).map(({ id }) => id);
  return statements.byIds(query, ids, query.perspective, width, pageBytes);
}
