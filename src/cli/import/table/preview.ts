/** Why: before thousands of rows are sent a person should see which column goes where, and what stands in it. */
import type { Resource } from '../../../resources/resource.ts';
import { type ColumnUse, TableMapping } from './mapping.ts';
import type { TableSource } from './source.ts';

/** What the first rows of a table say. */
export interface Preview {
  readonly columns: readonly ColumnUse[];
}

const rowsPreviewed = 200;

/** Maps the first rows. @throws UsageError when a rule names no field */
export async function previewMapping(
  resource: Resource,
  rules: ReadonlyMap<string, string | null>,
  keyColumn: string | null,
  source: TableSource,
): Promise<Preview> {
  const mapping = new TableMapping(resource, rules, keyColumn);
  let rows = 0;
  try {
    for await (const row of source.read()) {
      if (!('unreadable' in row)) mapping.map(row, resource.name === row.fields.get('resource'));
      rows += 1;
      if (rows === rowsPreviewed) break;
    }
  } catch {
    // The import itself meets the same place and tells it.
  }
  const used = new Map(mapping.columns().map((use) => [use.column, use]));
  const empty = (column: string): ColumnUse => ({
    column,
    to: mapping.knows(column) ? '(empty so far)' : null,
    rows: 0,
    samples: [],
  });
  const names = source.columns ?? [...used.keys()];
  return { columns: names.map((column) => used.get(column) ?? empty(column)) };
}

/** The preview as people read it: mapped columns with three values each, then those that go nowhere. */
export function describePreview({ columns }: Preview, resource: Resource): string {
  const mapped = columns.filter(({ to }) => to !== null);
  const ignored = columns.filter(({ to }) => to === null);
  const rows = [
    ['column', `field of ${resource.name}`, 'values'],
    ...mapped.map(({ column, to, samples }) => [column, to ?? '', samples.join(' | ')]),
  ];
  const width = (index: number) => Math.max(...rows.map((row) => Array.from(row[index] ?? '').length));
  const [first, second] = [width(0), width(1)];
  const lines = rows.map(([column = '', field = '', values = '']) =>
    `  ${column.padEnd(first)}  ${field.padEnd(second)}  ${values}`.trimEnd(),
  );
  const left =
    ignored.length === 0 ? [] : ['', `  Ignored: ${ignored.map(({ column }) => column).join(', ')}`];
  return [...lines, ...left, '', ''].join('\n');
}
