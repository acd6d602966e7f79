/**
 * Counts of the records of a list by the values of a choice. Nothing is counted to the end: of each value as many records as
 * `limits.countPerValue` says, and where no index has the value, among as many records as `limits.countedRecords` says, the newest first. So
 * the cost is bounded however many records there are, and each count says whether it is exact. Policies decide what is counted, as in lists.
 */
import type { CountedChoice } from '@trellis/schema/resources/counts.ts';
import { isCommonInstant } from '@trellis/schema/resources/filters.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Filter } from '@trellis/schema/resources/resource.ts';
import { type Parameter, type Step, type StepResult, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { defineRow, flag, nullable, number, text } from '../../database/row.ts';
import { DynamicStatements } from '../dynamic-statements.ts';
import type { Model } from '../model.ts';
import { fieldSql } from '../storage.ts';
import { givenFilters } from './filters.ts';
import { filterTextOf, indexMatches, isRestricted, type ListQuery, placeOf, valuesOf } from './list.ts';

/** Selects the counted records: those of a list with the same filters and search, in the working perspective. */
export type CountQuery = Pick<
  ListQuery,
  'organizationId' | 'userId' | 'readAfter' | 'parentId' | 'filters' | 'country' | 'search'
>;

/** How many records have a value; null: none. `count` is at least so many, unless it is exact. */
export interface ValueCount {
  readonly value: string | null;
  readonly count: number;
  readonly isExact: boolean;
}

/** A row for each value that was found. `examined`: records with the value, whether or not the filters match them. */
const countRow = defineRow({
  value: nullable(text('n.value')),
  count: number('count(*) FILTER (WHERE n.matches)'),
  examined: number('count(*)'),
  isWhole: flag('bool_and(n.complete)'),
});

/** Maximum number of remembered statements. */
const statements = new DynamicStatements(500);

/** Counts the records by each value of the choice, in the order of its values. A filter with an unknown id matches nothing. */
export async function countRecords(
  database: Database,
  model: Model,
  query: CountQuery,
  choice: CountedChoice,
): Promise<readonly ValueCount[]> {
  const [result] = await database.query(query, [countStep(model, query, choice)]);
  return toCounts(choice, result);
}

function toCounts({ values }: CountedChoice, result: StepResult | undefined): readonly ValueCount[] {
  const rows = countRow.all(result);
  const examined = rows.reduce((sum, row) => sum + row.examined, 0);
  const isWhole = rows.every((row) => row.isWhole) && examined <= limits.countedRecords;
  return values.map((value) => {
    const found = rows.find((row) => row.value === value)?.count ?? 0;
    const count = Math.min(found, limits.countPerValue);
    return { value, count, isExact: count === found && isWhole };
  });
}

/** Builds the statement of a count. Its text depends on which filters are given, not on their values. */
function countStep(model: Model, query: CountQuery, choice: CountedChoice): Step {
  const { resource, storage } = model;
  const values: Parameter[] = [query.organizationId];
  const add = (value: Parameter) => `$${values.push(value)}`;
  const own = [
    'r.organization_id = $1',
    ...(resource.parent === null ? [] : [`r.${resource.parent.column} = ${add(query.parentId)}`]),
  ];
  const given = givenFilters(model, { ...query, perspective: 'working' }, add);
  const column = fieldSql(storage, 'working', choice.field);
  // The other tables are read only where a column is theirs.
  const read = [choice.field, ...given.flatMap(({ filter }) => ('field' in filter ? [filter.field] : []))];
  const isOwn = read.every((field) => fieldSql(storage, 'working', field).startsWith('r.'));
  const from = isOwn ? (storage.fromForOwnColumns ?? storage.from.working) : storage.from.working;
  const source = sourceOf(model, query, add);
  const way = source?.name ?? (choice.isIndexed && given.length === 0 ? 'values' : 'newest');
  const statement = statements.get(
    [resource.name, choice.name, way, ...given.map(({ shape }) => shape)].join('_'),
    `count_${resource.name}`,
    () => {
      if (way === 'values') return countEach(choice, column, `FROM ${from} WHERE ${own.join(' AND ')}`);
      // Where no index helped it, a condition that chooses the records would have all of them examined.
      const before = source === null ? given.filter(({ filter }) => isSelective(model, filter)) : [];
      const after = given.filter((filter) => !before.includes(filter));
      const where = [...own, ...before.map(({ condition }) => condition)].join(' AND ');
      const matches = after.length === 0 ? 'true' : after.map(({ condition }) => condition).join(' AND ');
      const examined =
        source === null
          ? `SELECT ${column}, ${matches}, true FROM ${from} WHERE ${where}
            ORDER BY r.created_at DESC, r.id DESC LIMIT ${limits.countedRecords + 1}`
          : `SELECT ${column}, ${matches}, m.complete FROM (${source.sql}) m (id, complete)
            JOIN ${from} ON r.id = m.id WHERE ${where}`;
      return `SELECT ${countRow.list} FROM (${examined}) n (value, matches, complete) GROUP BY n.value`;
    },
  );
  return step(statement, values);
}

/** Whether an index finds the records with the value of a filter. */
function isSelective({ resource, storage }: Model, filter: Filter): boolean {
  switch (filter.kind) {
    case 'via':
      return true;
    case 'bound':
      return isCommonInstant(filter.field) || resource.sortFields?.includes(filter.field) === true;
    case 'reference':
      // Of what another table holds, no index helps to find records.
      return fieldSql(storage, 'working', filter.field).startsWith('r.');
    case 'exists':
    case 'contains':
      return false;
    default:
      return filter.isIndexed === true || filter.field in resource.unique;
  }
}

/**
 * Where the records come from that have a text, or that only some members may see: the functions of lists find them by an index, while
 * row-level security skips the others one by one. Null: from the table itself.
 */
function sourceOf(
  model: Model,
  query: CountQuery,
  add: (value: Parameter) => string,
): { readonly name: string; readonly sql: string } | null {
  const place = placeOf(model, { ...query, perspective: 'working' });
  const list = (given: readonly Parameter[]) => given.map(add).join(', ');
  if (query.search !== null) {
    const given = list([...place, ...valuesOf(filterTextOf(model, query.search, query.country))]);
    return {
      name: 'search',
      sql: `SELECT record_id, bool_and(complete) FROM trellis.match_records(${given}, ${indexMatches})
        GROUP BY record_id`,
    };
  }
  if (!isRestricted(model)) return null;
  const given = list([...place, ...valuesOf(null)]);
  return {
    name: 'readable',
    sql: `SELECT record_id, true
      FROM trellis.filter_page(${given}, true, NULL, NULL, ${limits.countedRecords + 1})`,
  };
}

/** Counts the records with each value in the index that has it. */
function countEach({ values }: Pick<CountedChoice, 'values'>, column: string, fromOwn: string): string {
  const each = values.map((value) => {
    const [shown, condition] = value === null ? ['NULL', 'IS NULL'] : [`'${value}'`, `= '${value}'`];
    return `SELECT ${shown}::text, count(*), 0, true FROM (
      SELECT ${fromOwn} AND ${column} ${condition} LIMIT ${limits.countPerValue + 1}) i`;
  });
  return each.join(' UNION ALL ');
}
