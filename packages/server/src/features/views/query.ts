/** The query string and the columns of a view: which the list of its resource has, and how the query is stored. */

import type { Fault } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { columnWidth, readColumn, writeColumn } from '@trellis/schema/resources/view-columns.ts';
import { checkParameters } from '@trellis/schema/validation/check-parameters.ts';
import { nearestName, quoteName } from '@trellis/schema/values/text.ts';
import { choosingParameters } from '../../kernel/pipeline/list/parameters.ts';

/** Members of every record that a list can show. */
const instants = ['createdAt', 'updatedAt'];

/** The query in the order of the names, encoded alike, without parameters that are empty, and each name once. */
export function sortQuery(query: string): string {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    if (value !== '') given.set(name, [...(given.get(name) ?? []), value]);
  const sorted = new URLSearchParams();
  for (const [name, values] of given) sorted.set(name, values.join());
  sorted.sort();
  return sorted.toString();
}

/** Faults of a query: unknown parameters, invalid values, and queries that are too long to be stored. */
export function checkQuery(resource: Resource, query: string): Fault[] {
  const known = Object.entries(choosingParameters(resource)).map(([name, schema]) => ({
    name,
    schema,
    required: false,
  }));
  const { unknown, invalid } = checkParameters(query, known);
  // Parameters without a value are dropped when the query is stored.
  const empty = new Set(
    [...new URLSearchParams(query)].filter(([, value]) => value === '').map(([name]) => name),
  );
  const faults = [
    ...unknown.map(({ detail }) => faultOf('unknown_parameter', detail)),
    ...invalid
      .filter(({ parameter, code }) => code !== 'invalid' || !empty.has(parameter ?? ''))
      .map(({ parameter, code, detail }) =>
        faultOf(code === 'invalid' ? 'parameter' : code, `Parameter "${parameter}": ${detail}`),
      ),
  ];
  // Encoding makes it longer. Without faults it is ASCII.
  if (faults.length > 0 || sortQuery(query).length <= limits.viewQuery) return faults;
  return [
    faultOf('maxLength', `Must have at most ${limits.viewQuery} characters once it is percent-encoded.`),
  ];
}

/** Faults of the columns: those that the list cannot show, and invalid widths. */
export function checkColumns(resource: Resource, columns: readonly string[]): Fault[] {
  const known = columnsOf(resource);
  return columns.flatMap((written, index) => {
    const column = readColumn(written);
    const { name } = column;
    const pointer = `/columns/${index}`;
    if (known.includes(name) && writeColumn(column) !== written) {
      const detail = `A width is a number of pixels from ${columnWidth.min} to ${columnWidth.max}, as in "${name}-320".`;
      return [{ pointer, code: 'column_width', detail }];
    }
    if (known.includes(name)) return [];
    const nearest = nearestName(name, known);
    const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
    const detail = `The list of ${resource.name} has no column ${quoteName(name)}.${hint}`;
    return [{ pointer, code: 'unknown_column', detail }];
  });
}

/** The names of the columns that a list can show. */
export function columnsOf(resource: Resource): string[] {
  return [...flattenFields(resource).map(([name]) => name), ...instants];
}

function faultOf(code: string, detail: string): Fault {
  return { pointer: '/query', code, detail };
}
