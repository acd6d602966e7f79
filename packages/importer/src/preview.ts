/**
 * Previews of an import, from the first rows and without the server: the destination of each column and some of its values, and
 * for the console the values that cannot be converted.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ColumnChoices } from './columns.ts';
import { RowRejected } from './errors.ts';
import { type ColumnUse, createMapping, type Mapping } from './mapping.ts';
import { noParent } from './parents.ts';
import { type PrepareOptions, prepareRow } from './prepare-row.ts';
import { withoutNumbers } from './rejection.ts';
import { type Rejection, shorten } from './report.ts';
import type { Source, SourceRow, UnreadableRow } from './source.ts';

const rowsPreviewed = 200;
const longestSample = 24;

/** Faults of some rows, for the same reason. */
export interface PreviewedFault {
  /** Number of rows. */
  readonly rows: number;
  /** The first of them. */
  readonly first: Rejection;
}

/** A column and what becomes of it. */
export interface PreviewedColumn {
  readonly column: string;
  /** Name of the destination; null when the column is not imported. */
  readonly to: string | null;
  /** The first different values, shortened. */
  readonly samples: readonly string[];
  /** Null when all values can be converted. */
  readonly fault: PreviewedFault | null;
}

export interface ColumnsPreview {
  readonly columns: readonly PreviewedColumn[];
  /** Faults that belong to no single column, such as a missing field. */
  readonly fault: PreviewedFault | null;
  /** Number of rows that were looked at. */
  readonly rows: number;
}

/**
 * Previews a source for the console.
 * @param now milliseconds since 1970
 * @throws UsageError when a rule names no destination; ImportStopped when the source cannot be read
 */
export async function previewColumns(
  resource: Resource,
  source: Source,
  choices: ColumnChoices,
  now: number,
): Promise<ColumnsPreview> {
  const mapping = createMapping(resource, source, choices);
  const { isPosts } = source;
  const faults = new Map<string | null, PreviewedFault>();
  let rows = 0;
  for await (const row of readFirstRows(source)) {
    rows += 1;
    const faultsOfRow =
      'unreadable' in row
        ? new Map([[null, [row.unreadable]]])
        : groupByColumn(mapping, row, findFaults(resource, mapping, row, { isPosts, now }));
    for (const [column, reasons] of faultsOfRow) {
      const known = faults.get(column);
      const first = known?.first ?? { place: row.place, externalId: null, reasons };
      faults.set(column, { rows: (known?.rows ?? 0) + 1, first });
    }
  }
  const columns = listFirstUses(mapping, source).map(({ column, use }) => ({
    column,
    to: mapping.destinationOf(column),
    samples: use?.samples ?? [],
    fault: faults.get(column) ?? null,
  }));
  return { columns, fault: faults.get(null) ?? null, rows };
}

/** The use of the columns in the first rows, for the command line. */
export async function previewMapping(
  resource: Resource,
  source: Source,
  choices: ColumnChoices,
): Promise<ColumnUse[]> {
  const mapping = createMapping(resource, source, choices);
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

async function* readFirstRows(source: Source): AsyncGenerator<SourceRow | UnreadableRow> {
  let rows = 0;
  for await (const row of source.read()) {
    yield row;
    rows += 1;
    if (rows === rowsPreviewed) return;
  }
}

/** The columns of a source with their use; null for one without a value in the first rows. */
function listFirstUses(mapping: Mapping, source: Source): { column: string; use: ColumnUse | null }[] {
  const uses = mapping.list();
  const names = source.columns ?? [...new Set(uses.map(({ column }) => column))];
  return names.map((column) => {
    const [first, second] = uses.filter((use) => use.column === column);
    // A column that is overridden in some rows is used in others.
    return { column, use: (first?.to === null ? second : undefined) ?? first ?? null };
  });
}

function findFaults(
  resource: Resource,
  mapping: Mapping,
  row: SourceRow,
  options: PrepareOptions,
): readonly string[] {
  try {
    prepareRow(resource, mapping, row, noParent, options);
    return [];
  } catch (error) {
    if (error instanceof RowRejected) return error.reasons;
    throw error;
  }
}

/** The reasons why a row is rejected, by the column that each one is about; null for those about none. */
function groupByColumn(
  mapping: Mapping,
  { fields }: SourceRow,
  reasons: readonly string[],
): Map<string | null, string[]> {
  const columns = new Map<string, string>();
  for (const column of fields.keys()) {
    const to = mapping.destinationOf(column);
    if (to !== null) columns.set(to, column);
  }
  return Map.groupBy(reasons, (reason) => {
    // Reasons begin with a field, as in `emails.0.address: Must be …`.
    const name = withoutNumbers(reason.split(':', 1)[0] ?? '');
    const inside = () => [...columns].find(([to]) => to.startsWith(`${name}.`) || name.startsWith(`${to}.`));
    return columns.get(name) ?? inside()?.[1] ?? null;
  });
}

/** The preview for people: mapped columns with three values each, then ignored ones. */
export function describePreview(columns: readonly ColumnUse[], resource: Resource): string {
  const rows = columns.flatMap(({ column, to, samples }) => {
    const values = samples.map((sample) => shorten(sample, longestSample)).join(' | ');
    return to === null ? [] : [[column, to, values] as const];
  });
  const table = [['column', `field of ${resource.name}`, 'values'] as const, ...rows];
  const columnWidth = Math.max(...table.map(([column]) => Array.from(column).length));
  const fieldWidth = Math.max(...table.map(([, field]) => Array.from(field).length));
  const lines = table.map(([column, field, values]) =>
    `  ${column.padEnd(columnWidth)}  ${field.padEnd(fieldWidth)}  ${values}`.trimEnd(),
  );
  const ignored = columns.filter(({ to }) => to === null).map(({ column }) => column);
  const rest = ignored.length === 0 ? [] : ['', `  Ignored: ${ignored.join(', ')}`];
  return [...lines, ...rest, '', ''].join('\n');
}
