/**
 * Lists of records. They are read by keyset, never by OFFSET and never counted, so page 2,000 costs the same as page 1,
 * and no record is skipped or repeated while others are created.
 *
 * The `search` filter tries several access paths, because no single plan serves both common and rare texts: the next
 * few records in order (sufficient for common texts), the index (complete for rare ones), and, for common texts that
 * the first few records happen to lack, further records in order. For a list by creation without other filters, the SQL
 * function `trellis.filter_page` does all of this in one call. It is also used where records are restricted to some readers: it finds
 * those of each reader by an index, while row-level security skips the others one by one.
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { escapeLikePattern } from '@trellis/schema/values/text.ts';
import { type Parameter, type Row, type Statement, type Step, step } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import { textArray, uuidArray } from '../../database/values.ts';
import type { Position } from '../cursor.ts';
import { DynamicStatements } from '../dynamic-statements.ts';
import type { Model } from '../model.ts';
import { bytesOfRow, isCut, mayExceedBudget, pageBytesFor, withinBudget } from '../page-budget.ts';
import { foldReadable, scopeOf } from '../search/analyzer/lexemes.ts';
import { numberForms } from '../search/analyzer/number-forms.ts';
import { askCharacters, askPlainWords } from '../search/analyzer/question.ts';
import { searchParent } from '../search/texts.ts';
import { sortKey, sortOf } from '../sorts.ts';
import { fieldSql, type Perspective, selectList, selectWidth, type Width } from '../storage.ts';
import { givenFilters } from './filters.ts';

export interface ListQuery extends Scope {
  readonly parentId: string | null;
  /** Values of the query string by filter name, validated and in stored form. */
  readonly filters: Readonly<Record<string, string>>;
  /** Only the records with these ids (uuids); null: of all. */
  readonly ids: readonly string[] | null;
  /** The organization's country, ISO 3166-1, for phone numbers without a country code. */
  readonly country: string | null;
  readonly search: string | null;
  readonly sort: string;
  readonly after: Position | null;
  readonly limit: number;
  readonly perspective: Perspective;
  readonly width: Width;
  /** The selected fields by their dotted names; null: all fields of the width. */
  readonly fields: ReadonlySet<string> | null;
}

export interface Page {
  /** Rows of `selectList`. */
  readonly rows: readonly Row[];
  /** The position after each record. */
  readonly positions: readonly Position[];
  /** Position after the last record; null at the end of the list. */
  readonly next: Position | null;
}

/** Records examined in order before the index is used. */
const firstExamined = 64;
/** Maximum number of matches from the index; beyond it, reading in order is faster. */
export const indexMatches = 2_000;

const matchRecords: Statement = {
  name: 'match_records',
  text: `SELECT record_id, complete FROM trellis.match_records(
    $1::text, $2::text, $3::uuid, $4::boolean, $5::text[], $6::text[], $7::text, $8::integer)`,
};
const filterPage: Statement = {
  name: 'filter_page',
  text: `SELECT record_id, created_at FROM trellis.filter_page(
    $1::text, $2::text, $3::uuid, $4::boolean, $5::text[], $6::text[], $7::text, $8::boolean,
    $9::timestamptz, $10::uuid, $11::integer)`,
};

/** Reads one page. A filter with an unknown id matches nothing. */
export async function listRecords(database: Database, model: Model, query: ListQuery): Promise<Page> {
  const isByCreation =
    query.sort.endsWith('createdAt') && query.ids === null && Object.keys(query.filters).length === 0;
  if (query.search === null) {
    if (isByCreation && isRestricted(model)) return runFilteredPage(database, model, query, null);
    return toPage(model, query, await runPage(database, model, query, 'all'));
  }
  const text = filterTextOf(model, query.search, query.country);
  if (isByCreation) return runFilteredPage(database, model, query, text);
  return toPage(model, query, await runFilter(database, model, query, text));
}

/**
 * What the `search` filter matches: a name, title, number or address that contains one of `texts`, which are folded; or short texts or long
 * texts with all words of `wanted`, a question's text, or '' for none.
 */
interface FilterText {
  readonly texts: readonly string[];
  readonly wanted: string;
}

export function filterTextOf(model: Model, search: string, country: string | null): FilterText {
  const forms = model.rules.queryForms?.(search, country).texts ?? [];
  const folded = foldReadable(search);
  const all = [folded, ...forms.map(foldReadable), ...numberForms(folded)];
  const texts = [...new Set(all)].filter((text) => text !== '');
  // What a search would exclude is looked for as it is typed, as by `queryForms`.
  const isExcluded = /^-\S/.test(folded);
  return { texts, wanted: isExcluded ? '' : askPlainWords(folded).wanted };
}

async function runFilter(
  database: Database,
  model: Model,
  query: ListQuery,
  text: FilterText,
): Promise<Row[]> {
  const near = await runPage(database, model, query, 'near', text);
  if (near.length > query.limit || isCut(near, rowsColumn(model))) return near;
  const [found] = await database.query(query, [
    step(matchRecords, [...placeOf(model, query), ...valuesOf(text), String(indexMatches)]),
  ]);
  const matches = found?.rows ?? [];
  if (matches.length === 0) return [];
  if (matches.some(([, complete]) => complete === 'f')) return runPage(database, model, query, 'walk', text);
  const ids = [...new Set(matches.map(([id]) => id ?? ''))];
  return runPage(database, model, query, 'ids', text, ids);
}

/** The first parameters of the functions that find records: type, scope, parent, perspective. */
export function placeOf(
  { resource }: Model,
  query: Pick<ListQuery, 'organizationId' | 'parentId' | 'perspective'>,
): Parameter[] {
  const published = String(query.perspective === 'published');
  const parent = searchParent(resource, query.parentId);
  return [resource.singular, scopeOf(query.organizationId, parent, resource.singular), parent, published];
}

/** The parameters of a text, which follow those of the place. */
export function valuesOf(text: FilterText | null): Parameter[] {
  if (text === null) return [null, null, ''];
  return [textArray(text.texts), textArray(text.texts.map(askCharacters)), text.wanted];
}

/** Whether some records may be seen by some members only, and search knows them. */
export function isRestricted({ resource, rules }: Model): boolean {
  return rules.readers !== undefined && resource.searchSources.includes(resource.name);
}

/** Reads a page ordered by creation: first the ids, then their records. */
async function runFilteredPage(
  database: Database,
  model: Model,
  query: ListQuery,
  text: FilterText | null,
): Promise<Page> {
  const [createdAt, after] = query.after ?? [null, null];
  const [found] = await database.query(query, [
    step(filterPage, [
      ...placeOf(model, query),
      ...valuesOf(text),
      String(query.sort.startsWith('-')),
      createdAt ?? null,
      after ?? null,
      String(query.limit + 1),
    ]),
  ]);
  const matches = found?.rows ?? [];
  const shown = matches.slice(0, query.limit);
  if (shown.length === 0) return { rows: [], positions: [], next: null };
  const ids = shown.map(([id]) => id ?? '');
  const byIds = model.statements.byIds(
    query,
    ids,
    query.perspective,
    query.width,
    pageBytesFor(database, query.organizationId),
    query.fields,
  );
  const rows = await readRows(database, model, query, byIds);
  const records = new Map(rows.map((row) => [row[0], row]));
  const cut = isCut(rows, rowsColumn(model));
  const looked = cut ? shown.slice(0, ids.indexOf(rows.at(-1)?.[0] ?? '') + 1) : shown;
  // A record that was deleted in between is omitted.
  const present = looked.flatMap((match) => {
    const row = records.get(match[0] ?? '');
    return row === undefined ? [] : [{ row, position: positionOf(match) }];
  });
  const last = looked.at(-1);
  const more = cut || matches.length > query.limit;
  return {
    rows: present.map(({ row }) => row),
    positions: present.map(({ position }) => position),
    next: more && last !== undefined ? positionOf(last) : null,
  };
}

/** The position of a row of (id, created_at). */
function positionOf([id, createdAt]: Row): Position {
  return [createdAt ?? '', id ?? ''];
}

/** How a page finds its records; see the comment at the top of this file. */
type Way = 'all' | 'near' | 'ids' | 'walk';

async function runPage(
  database: Database,
  model: Model,
  query: ListQuery,
  way: Way,
  text?: FilterText,
  ids?: readonly string[],
): Promise<Row[]> {
  const pageBytes = pageBytesFor(database, query.organizationId);
  const page = pageStep(model, query, pageBytes, way, text, ids);
  // A walk may examine all records.
  if (way !== 'walk') return readRows(database, model, query, page);
  const [result] = await database.query(query, [page]);
  return result?.rows ?? [];
}

/** Reads a page whose records are known or follow each other, together with others unless it may be large. */
async function readRows(
  database: Database,
  { resource }: Model,
  query: ListQuery,
  page: Step,
): Promise<Row[]> {
  if (!mayExceedBudget(resource, query.width, query.limit, query.fields))
    return (await database.queryTogether(query, page)).rows;
  const [result] = await database.query(query, [page]);
  return result?.rows ?? [];
}

/** Maximum number of remembered statements. */
const statements = new DynamicStatements(1_000);

/**
 * Builds a list's statement. Its text depends on which filters are given, not on their values; each is built and named
 * once.
 */
function pageStep(
  model: Model,
  query: ListQuery,
  pageBytes: number,
  way: Way,
  text?: FilterText,
  ids?: readonly string[],
): Step {
  const { resource } = model;
  const values: Parameter[] = [query.organizationId];
  const add = (value: Parameter) => `$${values.push(value)}`;
  const parent = resource.parent === null ? '' : ` AND r.${resource.parent.column} = ${add(query.parentId)}`;
  const after = query.after === null ? null : query.after.map((value) => add(value));
  const given = givenFilters(model, query, add);
  const chosen = query.ids === null ? [] : [`r.id = ANY (${add(uuidArray(query.ids))}::uuid[])`];
  const idList = ids === undefined ? '' : add(uuidArray(ids));
  const matches = text === undefined || ids !== undefined ? '' : textCondition(model, query, text, add);
  const isBounded = mayExceedBudget(resource, query.width, query.limit, query.fields);
  const bytes = isBounded ? add(String(pageBytes)) : '';
  const shape = [
    resource.name,
    query.perspective,
    query.width,
    query.sort,
    way,
    query.limit,
    [...(query.fields ?? ['*'])].join(),
    after === null ? 0 : 1,
    chosen.length,
    ...given.map((filter) => filter.shape),
  ].join('_');
  const filters = [...chosen, ...given.map(({ condition }) => condition)];
  const parts = { parent, bytes, ids: idList, matches, after, filters };
  const statement = statements.get(shape, `list_${resource.name}`, () => pageText(model, query, way, parts));
  return step(statement, values);
}

/**
 * The condition that the texts of the record with the id `n.c0` match. OFFSET 0 makes PostgreSQL evaluate it record by
 * record in the list's order, instead of for all entries first.
 */
function textCondition(
  model: Model,
  query: ListQuery,
  text: FilterText,
  add: (value: Parameter) => string,
): string {
  const { resource, rules } = model;
  const [, scope = null] = placeOf(model, query);
  const patterns = `${add(textArray(text.texts.map((one) => `%${escapeLikePattern(one)}%`)))}::text[]`;
  const shown = query.perspective === 'published' ? 'published' : 'working';
  const wanted = `(SELECT trellis.scoped(${add(text.wanted)}, ${add(scope)}))`;
  const further = rules.contentSearch?.further('n.c0', wanted);
  return `EXISTS (SELECT FROM trellis.search_records s
    WHERE s.organization_id = $1 AND s.type = '${resource.singular}' AND s.record_id = n.c0 AND s.${shown}
      AND (s.names LIKE ANY (${patterns}) OR s.others LIKE ANY (${patterns}) OR s.terms @@ ${wanted}
        OR EXISTS (SELECT FROM trellis.search_bodies x WHERE x.organization_id = $1 AND x.type = s.type
          AND x.record_id = s.record_id AND x.edition = s.edition AND x.terms @@ ${wanted} OFFSET 0)${
            further === undefined ? '' : ` OR EXISTS (${further} OFFSET 0)`
          })
    OFFSET 0)`;
}

interface PageParts {
  readonly parent: string;
  /** Parameter with the page's budget in bytes; '' if no page can exceed it. */
  readonly bytes: string;
  /** Parameter with the ids that the page is chosen from; or ''. */
  readonly ids: string;
  /** Condition on the texts of a record; or ''. */
  readonly matches: string;
  readonly after: readonly string[] | null;
  readonly filters: readonly string[];
}

function pageText(model: Model, query: ListQuery, way: Way, parts: PageParts): string {
  const { resource, storage } = model;
  const { perspective } = query;
  const sort = sortOf(resource, query.sort);
  const columns = sort.fields.map((field) => fieldSql(storage, perspective, field));
  const key = sortKey(sort, columns);
  const direction = sort.descending ? 'DESC' : 'ASC';
  const comparison = sort.descending ? '<' : '>';
  const published = perspective === 'published' ? storage.published?.from(sort.fields[0] ?? '') : undefined;
  const { from, id } = published ?? { from: storage.from[perspective], id: 'r.id' };
  const keyset =
    parts.after === null
      ? []
      : [`(${key}, ${id}) ${comparison} (${parts.after[0]}::${sort.type}, ${parts.after[1]}::uuid)`];
  const own = id === 'r.id' ? '' : ownKeys(resource, parts.parent);
  const conditions = [`r.organization_id = $1${parts.parent}${own}`, ...keyset, ...parts.filters];
  if (way === 'ids') conditions.push(`${id} = ANY (${parts.ids}::uuid[])`);
  // The sort column follows the record's columns: the next page begins after its value.
  const { fields, width } = query;
  const isBounded = parts.bytes !== '';
  const read = storage.columns.filter(({ field }) => fields === null || fields.has(field));
  const bytes = isBounded ? `, ${bytesOfRow(read, width)}` : '';
  const select = `SELECT ${selectList(resource, storage, width, perspective, fields)}, ${key}${bytes}`;
  const inOrder = `${select} FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${key} ${direction}, ${id} ${direction}`;
  const sortColumn = selectWidth(storage);
  // The limit is part of the text: with a parameter PostgreSQL would plan the statement at each call.
  const limit = query.limit + 1;
  const byColumns = `c${sortColumn} ${direction}, c0 ${direction}`;
  const page =
    way === 'all' || way === 'ids'
      ? `${inOrder} LIMIT ${limit}`
      : matching(inOrder, sortColumn + (isBounded ? 2 : 1), byColumns, way, parts.matches, limit);
  return isBounded ? withinBudget(page, sortColumn + 1, byColumns, parts.bytes) : page;
}

/** The rows of a query whose texts match, among the next few in order or among all. `columns`: columns of the query. */
function matching(
  inOrder: string,
  columns: number,
  byColumns: string,
  way: 'near' | 'walk',
  matches: string,
  limit: number,
): string {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`).join(', ');
  const bound = way === 'near' ? ` LIMIT ${firstExamined}` : ' OFFSET 0';
  return `SELECT n.* FROM (${inOrder}${bound}) n (${names}) WHERE ${matches} ORDER BY ${byColumns} LIMIT ${limit}`;
}

/** The index of the column with the number of rows, in a row of a bounded page. */
function rowsColumn({ storage }: Model): number {
  return selectWidth(storage) + 1;
}

/**
 * The filter on versions. If the versions are read first, their own columns are used, because their indexes begin with
 * these.
 */
function ownKeys(resource: Resource, parent: string): string {
  return ` AND v.organization_id = $1${parent.replace(`r.${resource.parent?.column}`, `v.${resource.parent?.column}`)}`;
}

function toPage(model: Model, query: ListQuery, rows: readonly Row[]): Page {
  const shown = rows.slice(0, query.limit);
  const positions = shown.map((row): Position => [row[selectWidth(model.storage)] ?? '', row[0] ?? '']);
  const more = rows.length > query.limit || isCut(rows, rowsColumn(model));
  return {
    rows: shown,
    positions,
    next: more ? (positions.at(-1) ?? null) : null,
  };
}
