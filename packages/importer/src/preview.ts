/** The preview of a mapping: the columns of the first rows with their destinations, before anything is sent. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ColumnUse, Mapping } from './mapping.ts';
import { shorten } from './report.ts';
import type { Source } from './source.ts';

const rowsPreviewed = 200;
const longestSample = 24;

/** Maps the first rows. @param mapping a new one, because it counts what it maps */
export async function previewMapping(
  resource: Resource,
  mapping: Mapping,
  source: Source,
): Promise<ColumnUse[]> {
  let rows = 0;
  try {
    for await (const row of source.read()) {
      if (!('unreadable' in row)) mapping.map(row, row.exportedAs === resource.name);
      rows += 1;
      if (rows === rowsPreviewed) break;
    }
  } catch {
    // The import reads the same rows and reports the error.
  }
  const uses = mapping.list();
  const names = source.columns ?? [...new Set(uses.map(({ column }) => column))];
  return names.map((column) => {
    const [first, second] = uses.filter((use) => use.column === column);
    const to = mapping.knows(column) ? '(empty in the first rows)' : null;
    const unseen = { column, to, meaning: '', rows: 0, samples: [] };
    // A column that is overridden in some rows is used in others.
    return (first?.to === null ? second : undefined) ?? first ?? unseen;
  });
}

/** The preview for people: mapped columns with three values each, then ignored ones. */
export function describePreview(columns: readonly ColumnUse[], resource: Resource): string {
  const mapped = columns.filter(({ to }) => to !== null);
  const ignored = columns.filter(({ to }) => to === null);
  const rows = [
    ['column', `field of ${resource.name}`, 'values'],
    ...mapped.map(({ column, to, samples }) => [
      column,
      to ?? '',
      samples.map((sample) => shorten(sample, longestSample)).join(' | '),
    ]),
  ];
  const width = (index: number) => Math.max(...rows.map((row) => Array.from(row[index] ?? '').length));
  const [first, second] = [width(0), width(1)];
  const lines = rows.map(([column = '', field = '', values = '']) =>
    `  ${column.padEnd(first)}  ${field.padEnd(second)}  ${values}`.trimEnd(),
  );
  const rest =
    ignored.length === 0 ? [] : ['', `  Ignored: ${ignored.map(({ column }) => column).join(', ')}`];
  return [...lines, ...rest, '', ''].join('\n');
}
