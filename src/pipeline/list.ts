/**
 * Why: lists are walked by keyset, never by OFFSET and never counted, so that page 2,000 costs what page 1 costs and no
 * record is skipped or repeated while others come and go.
 *
 * The `search` filter has three ways, because no single plan serves both common and rare texts: look among the next few
 * records in order (enough for common texts); ask the trigram index (complete for rare ones); and, for texts too common
 * for that which the first few records happen to lack, walk on in order.
 */
import type { Database, Scope } from '../database/database.ts';
import { type Parameter, type Row, type Statement, type Step, step } from '../database/flight.ts';
import { textArray, uuidArray } from '../database/values.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { decodeId } from '../lib/ids.ts';
import { escapeLikePattern, foldText } from '../lib/text.ts';
import type { Filter, Resource } from '../resources/resource.ts';
import type { Position } from './cursor.ts';
import { comparisonKey } from './formats.ts';
import type { Model } from './model.ts';
import { bytesOfRow, isCut, mayExceedBudget, withinBudget } from './page-budget.ts';
import { searchParent } from './search-entries.ts';
import { sortOf } from './sorts.ts';
import {
  columnName,
  decodeRecord,
  ownerColumn,
  type Perspective,
  selectList,
  selectWidth,
  type Width,
} from './storage.ts';
import { prefixOf, type StoredRecord } from './values.ts';

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
}

export interface Page {
  readonly records: StoredRecord[];
  /** The position after each record. */
  readonly positions: readonly Position[];
  /** Position after the last record, or null when the list ends here. */
  readonly next: Position | null;
}

/** Records looked at in order before the trigram index is asked. */
const firstLook = 64;
/** Matches that the trigram index may return before walking in order is the better way. */
const indexMatches = 1_000;

const matchText: Statement = {
  name: 'match_text',
  text: 'SELECT record_id FROM trellis.match_text($1, $2, $3, $4)',
};

/** Fetches one page. Filters that name nothing match nothing. */
export async function listRecords(database: Database, model: Model, query: ListQuery): Promise<Page> {
  const rows =
    query.search === null
      ? await runPage(database, model, query, 'all')
      : await runSearch(database, model, query, query.search);
  return toPage(model, query, rows);
}

async function runSearch(database: Database, model: Model, query: ListQuery, search: string): Promise<Row[]> {
  const forms = model.rules.queryForms?.(search, query.country).texts ?? [];
  const texts = new Set([search, ...forms].map(foldText));
  const patterns = [...texts].map((text) => `%${escapeLikePattern(text)}%`);
  const near = await runPage(database, model, query, 'near', textArray(patterns));
  if (near.length > query.limit || isCut(near, rowsColumn(model))) return near;
  const parent = searchParent(model.resource, query.parentId);
  const steps = patterns.map((pattern) =>
    step(matchText, [model.resource.singular, parent, pattern, String(indexMatches)]),
  );
  const matches = await database.read(query, steps);
  const ids = [...new Set(matches.flatMap(({ rows }) => rows.map(([id]) => id ?? '')))];
  if (ids.length === 0) return [];
  if (matches.every(({ rows }) => rows.length < indexMatches))
    return runPage(database, model, query, 'ids', uuidArray(ids));
  return runPage(database, model, query, 'walk', textArray(patterns));
}

/** How a page finds its records; see the head of this file. */
type Way = 'all' | 'near' | 'ids' | 'walk';

async function runPage(
  database: Database,
  model: Model,
  query: ListQuery,
  way: Way,
  text?: string,
): Promise<Row[]> {
  const [result] = await database.read(query, [pageStep(model, query, way, text)]);
  return result?.rows ?? [];
}

/** Shapes of lists whose statements are remembered; another one takes some microseconds to make again. */
const rememberedShapes = 1_000;
const statements = new BoundedMap<string, Statement>(rememberedShapes);
let statementCount = 0;

/** Statement texts depend on which filters are given, not on their values; each is built and named once. */
function pageStep(model: Model, query: ListQuery, way: Way, text?: string): Step {
  const { resource } = model;
  const names = Object.keys(query.filters).sort();
  const values: Parameter[] = [query.organizationId];
  const add = (value: Parameter) => `$${values.push(value)}`;
  const parent = resource.parent === null ? '' : ` AND r.${resource.parent.column} = ${add(query.parentId)}`;
  const limit = add(String(query.limit + 1));
  const textParameter = text === undefined ? '' : add(text);
  const after = query.after === null ? null : query.after.map((value) => add(value));
  const filters = names.map((name) => {
    const filter = resource.filters[name];
    if (filter === undefined) throw new Error(`${resource.name} has no filter ${name}`);
    return filterCondition(resource, filter, add(filterValue(resource, filter, query, name)));
  });
  const name = [
    'list',
    resource.name,
    query.perspective,
    query.width,
    query.sort,
    way,
    mayExceedBudget(resource, query.width, query.limit) ? 'bounded' : '',
    after === null ? 0 : 1,
    ...names,
  ].join('_');
  const known = statements.get(name);
  if (known !== undefined) return step(known, values);
  statementCount += 1;
  const statement = {
    // Numbered, because one that was forgotten and made again must not be taken for another one.
    name: `list_${resource.name}_${statementCount}`,
    text: pageText(model, query, way, { parent, limit, textParameter, after, filters }),
    isDynamic: true,
  };
  statements.set(name, statement);
  return step(statement, values);
}

interface PageParts {
  readonly parent: string;
  readonly limit: string;
  readonly textParameter: string;
  readonly after: readonly string[] | null;
  readonly filters: readonly string[];
}

function pageText(model: Model, query: ListQuery, way: Way, parts: PageParts): string {
  const { resource, storage } = model;
  const sort = sortOf(resource, query.sort);
  const direction = sort.descending ? 'DESC' : 'ASC';
  const order = `${sort.sql} ${direction}, r.id ${direction}`;
  const comparison = sort.descending ? '<' : '>';
  const keyset =
    parts.after === null
      ? []
      : [`(${sort.sql}, r.id) ${comparison} (${parts.after[0]}::${sort.type}, ${parts.after[1]}::uuid)`];
  const conditions = [`r.organization_id = $1${parts.parent}`, ...keyset, ...parts.filters];
  // OFFSET 0: asked of one record after the other, in the list's order, and not of all entries beforehand.
  const containsText = `EXISTS (SELECT FROM trellis.search_entries e WHERE e.organization_id = r.organization_id
    AND e.type = '${resource.singular}' AND e.record_id = r.id AND e.folded_text LIKE ANY (${parts.textParameter}::text[])
    OFFSET 0)`;
  // The sort column follows the record: it is where the next page begins.
  const items = `${selectList(resource, storage, query.width)}, ${sort.sql}`;
  const isBounded = mayExceedBudget(resource, query.width, query.limit);
  const select = `SELECT ${items}${isBounded ? `, ${bytesOfRow(storage.columns, query.width)}` : ''}`;
  const bound = (page: string) => {
    const sortColumn = selectWidth(storage);
    const byColumns = `c${sortColumn} ${direction}, c0 ${direction}`;
    return isBounded ? withinBudget(page, sortColumn + 1, byColumns) : page;
  };
  const from = storage.from[query.perspective];
  if (way === 'near') {
    const table = `trellis.${resource.table}`;
    const near = `(SELECT r.* FROM ${table} r WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${firstLook}) r`;
    return bound(
      `${select} FROM ${from.replace(`${table} r`, near)} WHERE ${containsText} ORDER BY ${order} LIMIT ${parts.limit}`,
    );
  }
  if (way === 'walk') conditions.push(containsText);
  if (way === 'ids') conditions.push(`r.id = ANY (${parts.textParameter}::uuid[])`);
  return bound(
    `${select} FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${parts.limit}`,
  );
}

/** Where a row of a bounded page says how many there were. */
function rowsColumn({ storage }: Model): number {
  return selectWidth(storage) + 1;
}

function filterCondition(resource: Resource, filter: Filter, parameter: string): string {
  if (filter.kind === 'via') {
    const type = filter.reference === undefined ? 'text' : 'uuid';
    return `r.id IN (SELECT l.${ownerColumn(resource)} FROM trellis.${filter.table} l
      WHERE l.organization_id = $1 AND l.${filter.column} = ${parameter}::${type})`;
  }
  const column = columnName(filter.field);
  switch (filter.kind) {
    case 'integer':
      return `r.${column} = ${parameter}::integer`;
    case 'since':
      return `r.${column} >= ${parameter}::timestamptz`;
    case 'boolean':
      return `r.${column} = ${parameter}::boolean`;
    case 'reference':
      return referenceCondition(resource, filter.field, parameter);
    default:
      return `r.${column} = ${parameter}`;
  }
}

/** A list of ids is looked up in its link table, which has an index for it; a single id stands in the table itself. */
function referenceCondition(resource: Resource, field: string, parameter: string): string {
  if (!field.endsWith('Ids')) return `r.${columnName(field)} = ${parameter}::uuid`;
  const id = columnName(field).replace(/s$/, '');
  const target = referenceOf(resource, field).replaceAll('-', '_');
  return `r.id IN (SELECT l.${resource.singular}_id FROM trellis.${resource.singular}_${target} l
    WHERE l.organization_id = $1 AND l.site_id = $2 AND l.${id} = ${parameter}::uuid)`;
}

/** Name of the resource that a reference field refers to. */
function referenceOf(resource: Resource, field: string): string {
  const [head = '', inner] = field.split('.');
  const member = resource.fields[head];
  const found = member !== undefined && 'group' in member ? member.fields[inner ?? ''] : member;
  if (found?.reference == null) throw new Error(`${resource.name}.${field} is not a reference`);
  return found.reference.resource;
}

/** What a filter compares with: ids as uuids, texts in the form by which they are compared. */
function filterValue(resource: Resource, filter: Filter, query: ListQuery, name: string): string {
  const given = query.filters[name] ?? '';
  const target =
    filter.kind === 'reference'
      ? referenceOf(resource, filter.field)
      : filter.kind === 'via'
        ? filter.reference
        : undefined;
  // An id that is malformed names nothing, and no record has the nil uuid; nor does any side table hold an empty text.
  if (target !== undefined) return decodeId(prefixOf(target), given) ?? nilUuid;
  return filter.kind === 'via' ? (comparisonKey(filter.format, given, query.country) ?? '') : given;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

function toPage(model: Model, query: ListQuery, rows: readonly Row[]): Page {
  const shown = rows.slice(0, query.limit);
  const positions = shown.map((row): Position => [row[selectWidth(model.storage)] ?? '', row[0] ?? '']);
  const more = rows.length > query.limit || isCut(rows, rowsColumn(model));
  return {
    records: shown.map((row) => decodeRecord(model.storage, row)),
    positions,
    next: more ? (positions.at(-1) ?? null) : null,
  };
}
