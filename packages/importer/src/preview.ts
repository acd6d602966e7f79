/** The preview of a mapping: the columns of the first rows with their destinations, before anything is sent. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ColumnUse, Mapping } from './mapping.ts';
import { shorten } from './report.ts';
import type { Source, SourceRow, UnreadableRow } from './source.ts';

const rowsPreviewed = 200;
const longestSample = 24;

/** The use of a column in the first rows. */
export interface FirstUse {
  readonly column: string;
  /** Null when no row has a value for it. */
  readonly use: ColumnUse | null;
}

/** The rows that a preview looks at. */
export async function* readFirstRows(source: Source): AsyncGenerator<SourceRow | UnreadableRow> {
  let rows = 0;
  for await (const row of source.read()) {
    yield row;
    rows += 1;
    if (rows === rowsPreviewed) return;
  }
}

/** The columns of a source with their use. @param mapping it has mapped the first rows */
export function listFirstUses(mapping: Mapping, source: Source): readonly FirstUse[] {
  const uses = mapping.list();
  const names = source.columns ?? [...new Set(uses.map(({ column }) => column))];
  return names.map((column) => {
    const [first, second] = uses.filter((use) => use.column === column);
    // A column that is overridden in some rows is used in others.
    return { column, use: (first?.to === null ? second : undefined) ?? first ?? null };
  });
}

/** Maps the first rows. @param mapping a new one, because it counts what it maps */
export async function previewMapping(
  resource: Resource,
  mapping: Mapping,
  source: Source,
): Promise<ColumnUse[]> {
  try {
    for await (const row of readFirstRows(source)) {
      if (!('unreadable' in row)) mapping.map(row, row.exportedAs === resource.name);
    }
  } catch {
    // The import reads the same rows and reports the error.
  }
  return listFirstUses(mapping, source).map(({ column, use }) => {
    const to = mapping.destinationOf(column) === null ? null : '(empty in the first rows)';
    return use ?? { column, to, meaning: '', rows: 0, samples: [] };
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
