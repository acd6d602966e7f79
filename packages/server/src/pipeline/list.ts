/**
 * Lists of records. They are walked by keyset, never by OFFSET and never counted, so that page 2,000 costs what page 1 costs
 * and no record is skipped or repeated while others come and go.
 *
 * The `search` filter has several ways, because no single plan serves both common and rare texts: look among the next few
 * records in order (enough for common texts); ask the index (complete for rare ones); and, for texts too common for that
 * which the first few records happen to lack, walk on in order. For a list by creation without other filters the database
 * takes these ways itself, in one call (`trellis.filter_page`).
 */

import type { Resource } from '@trellis/schema/resources/resource.ts';
import { escapeLikePattern, foldText } from '@trellis/schema/values/text.ts';
import { type Parameter, type Row, type Statement, type Step, step } from '../database/batch.ts';
import type { Database, Scope } from '../database/database.ts';
import { textArray, uuidArray } from '../database/values.ts';
import type { Position } from './cursor.ts';
import { DynamicStatements } from './dynamic-statements.ts';
import { filterCondition, filterValue } from './list-filters.ts';
import type { Model } from './model.ts';
import { bytesOfRow, isCut, mayExceedBudget, pageBytesFor, withinBudget } from './page-budget.ts';
import { hasLongFields, quoteLexeme, searchParent } from './search-texts.ts';
import { sortOf } from './sorts.ts';
import { columnSql, type Perspective, selectList, selectWidth, type Width } from './storage.ts';

export interface ListQuery extends Scope {
  readonly parentId: string | null;
  /** Values as given in the query string, by filter name; already validated and in stored form. */
  readonly filters: Readonly<Record<string, string>>;
  /** The organization's own country, ISO 3166-1: where phone numbers without one are. */
  readonly country: string | null;
  readonly search: string | null;
  readonly sort: string;
  readonly after: Position | null;
  readonly limit: number;
  readonly perspective: Perspective;
  readonly width: Width;
  /** The fields that are wanted, by their dotted names; null: all that the width has. */
  readonly fields: ReadonlySet<string> | null;
}

export interface Page {
  /** Of `selectList`. */
  readonly rows: readonly Row[];
  /** The position after each of them. */
  readonly positions: readonly Position[];
  /** Position after the last record, or null when the list ends here. */
  readonly next: Position | null;
}

/** Records looked at in order before the index is asked. */
const firstLook = 64;
/** Matches that the index may return before walking in order is the better way. */
const indexMatches = 2_000;

const matchRecords: Statement = {
  name: 'match_records',
  text: 'SELECT record_id, complete FROM trellis.match_records($1, $2, $3, $4, $5, $6, $7)',
};
const filterPage: Statement = {
  name: 'filter_page',
  text: `SELECT record_id, created_at
    FROM trellis.filter_page($1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9::uuid, $10)`,
};

/** Fetches one page. Filters that name nothing match nothing. */
export async function listRecords(database: Database, model: Model, query: ListQuery): Promise<Page> {
  if (query.search === null) return toPage(model, query, await runPage(database, model, query, 'all'));
  const text = filterTextOf(model, query.search, query.country);
  const isByCreation = query.sort.endsWith('createdAt') && Object.keys(query.filters).length === 0;
  if (isByCreation) return runFilteredPage(database, model, query, text);
  return toPage(model, query, await runFilter(database, model, query, text));
}

/** What the `search` filter looks for. All texts are folded. */
interface FilterText {
  /** A short text contains one of these. */
  readonly texts: readonly string[];
  /** Or the long texts have all of these words, */
  readonly words: string;
  /** and one that begins so: a tsquery. */
  readonly prefix: string;
}

function filterTextOf({ resource, rules }: Model, search: string, country: string | null): FilterText {
  const forms = rules.queryForms?.(search, country).texts ?? [];
  const texts = [...new Set([search, ...forms].map(foldText))].filter((text) => text !== '');
  return { texts, ...splitWords(hasLongFields(resource) ? foldText(search) : '') };
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

/** Takes a text apart into whole words and the one still being typed. */
function splitWords(folded: string): Pick<FilterText, 'words' | 'prefix'> {
  const last = /\S+$/u.exec(folded)?.[0] ?? '';
  const typed = /[\p{L}\p{N}]/u.test(last);
  return {
    words: typed ? folded.slice(0, folded.length - last.length) : folded,
    prefix: typed ? `${quoteLexeme(last)}:*` : '',
  };
}

function placeOf({ resource }: Model, query: ListQuery): Parameter[] {
  const published = String(query.perspective === 'published');
  return [resource.singular, searchParent(resource, query.parentId), published];
}

function valuesOf({ texts, words, prefix }: FilterText): Parameter[] {
  return [textArray(texts), words, prefix];
}

/** A page by creation: the ids from the search, then their records. */
async function runFilteredPage(
  database: Database,
  model: Model,
  query: ListQuery,
  text: FilterText,
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
  const [read] = await database.query(query, [
    model.statements.byIds(
      query,
      ids,
      query.perspective,
      query.width,
      pageBytesFor(database, query.organizationId),
      query.fields,
    ),
  ]);
  const rows = read?.rows ?? [];
  const records = new Map(rows.map((row) => [row[0], row]));
  const cut = isCut(rows, rowsColumn(model));
  const looked = cut ? shown.slice(0, ids.indexOf(rows.at(-1)?.[0] ?? '') + 1) : shown;
  // One that was deleted since is not shown.
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

/** How a page finds its records; see the head of this file. */
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
  const [result] = await database.query(query, [pageStep(model, query, pageBytes, way, text, ids)]);
  return result?.rows ?? [];
}

/** Shapes of lists whose statements are remembered. */
const statements = new DynamicStatements(1_000);

/** Statement texts depend on which filters are given, not on their values; each is built and named once. */
function pageStep(
  model: Model,
  query: ListQuery,
  pageBytes: number,
  way: Way,
  text?: FilterText,
  ids?: readonly string[],
): Step {
  const { resource, storage } = model;
  const names = Object.keys(query.filters).sort();
  const values: Parameter[] = [query.organizationId];
  const add = (value: Parameter) => `$${values.push(value)}`;
  const parent = resource.parent === null ? '' : ` AND r.${resource.parent.column} = ${add(query.parentId)}`;
  const after = query.after === null ? null : query.after.map((value) => add(value));
  const filters = names.map((name) => {
    const filter = resource.filters[name];
    if (filter === undefined) throw new Error(`${resource.name} has no filter ${name}`);
    const parameter = add(filterValue(resource, filter, query.filters[name] ?? '', query.country));
    return filterCondition(resource, storage, query.perspective, filter, parameter);
  });
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
    ...names,
  ].join('_');
  const parts = { parent, bytes, ids: idList, matches, after, filters };
  const statement = statements.get(shape, `list_${resource.name}`, () => pageText(model, query, way, parts));
  return step(statement, values);
}

/**
 * Whether the texts of the record with the id `n.c0` match. OFFSET 0: asked of one record after the other, in the list's
 * order, and not of all entries beforehand.
 */
function textCondition(
  { resource }: Model,
  query: ListQuery,
  { texts, words, prefix }: FilterText,
  add: (value: Parameter) => string,
): string {
  const patterns = add(textArray(texts.map((text) => `%${escapeLikePattern(text)}%`)));
  const shown = query.perspective === 'published' ? 'published' : 'working';
  const of = (table: string) => `SELECT FROM trellis.search_records s JOIN trellis.${table} x
      ON x.organization_id = s.organization_id AND x.type = s.type AND x.record_id = s.record_id AND x.edition = s.edition
    WHERE s.organization_id = $1 AND s.type = '${resource.singular}' AND s.record_id = n.c0 AND s.${shown}`;
  const contained = `EXISTS (${of('search_texts')} AND x.folded LIKE ANY (${patterns}::text[]) OFFSET 0)`;
  if (!hasLongFields(resource)) return contained;
  const wanted = `(SELECT trellis.filter_query(${add(words)}, ${add(prefix)}))`;
  return `(${contained} OR EXISTS (${of('search_bodies')} AND x.terms @@ ${wanted} OFFSET 0))`;
}

interface PageParts {
  readonly parent: string;
  /** Parameter with the page's budget in bytes, or '' where no page can exceed it. */
  readonly bytes: string;
  /** Parameter with the ids that the page is chosen from, or ''. */
  readonly ids: string;
  /** Condition on the texts of a record, or ''. */
  readonly matches: string;
  readonly after: readonly string[] | null;
  readonly filters: readonly string[];
}

function pageText(model: Model, query: ListQuery, way: Way, parts: PageParts): string {
  const { resource, storage } = model;
  const { perspective } = query;
  const sort = sortOf(resource, query.sort);
  const columns = sort.columns.map((name) => columnSql(storage, perspective, name));
  const key = columns.length === 1 ? columns.join() : `coalesce(${columns.join(', ')})`;
  const direction = sort.descending ? 'DESC' : 'ASC';
  const comparison = sort.descending ? '<' : '>';
  const published = perspective === 'published' ? storage.published?.from(sort.columns[0] ?? '') : undefined;
  const { from, id } = published ?? { from: storage.from[perspective], id: 'r.id' };
  const keyset =
    parts.after === null
      ? []
      : [`(${key}, ${id}) ${comparison} (${parts.after[0]}::${sort.type}, ${parts.after[1]}::uuid)`];
  const own = id === 'r.id' ? '' : ownKeys(resource, parts.parent);
  const conditions = [`r.organization_id = $1${parts.parent}${own}`, ...keyset, ...parts.filters];
  if (way === 'ids') conditions.push(`${id} = ANY (${parts.ids}::uuid[])`);
  // The sort column follows the record: it is where the next page begins.
  const { fields, width } = query;
  const isBounded = parts.bytes !== '';
  const read = storage.columns.filter(({ field }) => fields === null || fields.has(field));
  const bytes = isBounded ? `, ${bytesOfRow(read, width)}` : '';
  const select = `SELECT ${selectList(resource, storage, width, perspective, fields)}, ${key}${bytes}`;
  const inOrder = `${select} FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${key} ${direction}, ${id} ${direction}`;
  const sortColumn = selectWidth(storage);
  // In the text: with a parameter in its place PostgreSQL would plan the statement anew at each call.
  const limit = query.limit + 1;
  const byColumns = `c${sortColumn} ${direction}, c0 ${direction}`;
  const page =
    way === 'all' || way === 'ids'
      ? `${inOrder} LIMIT ${limit}`
      : matching(inOrder, sortColumn + (isBounded ? 2 : 1), byColumns, way, parts.matches, limit);
  return isBounded ? withinBudget(page, sortColumn + 1, byColumns, parts.bytes) : page;
}

/** Those rows of a query whose texts match: of the next few in order, or of all. `columns`: of the query. */
function matching(
  inOrder: string,
  columns: number,
  byColumns: string,
  way: 'near' | 'walk',
  matches: string,
  limit: number,
): string {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`).join(', ');
  const look = way === 'near' ? ` LIMIT ${firstLook}` : ' OFFSET 0';
  return `SELECT n.* FROM (${inOrder}${look}) n (${names}) WHERE ${matches} ORDER BY ${byColumns} LIMIT ${limit}`;
}

/** Where a row of a bounded page says how many there were. */
function rowsColumn({ storage }: Model): number {
  return selectWidth(storage) + 1;
}

/** Where the rows of versions lead, their own columns are what their indexes begin with. */
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
