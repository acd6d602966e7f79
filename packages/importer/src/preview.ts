/**
 * Previews of an import, from the first rows and without the server: the destination of each column and some of its values, and
 * for the console the values that cannot be converted.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ColumnChoices } from './columns.ts';
import type { ColumnReading } from './conventions.ts';
import { type Default, listDefaults } from './defaults.ts';
import { idInput } from './destinations.ts';
import { RowRejected } from './errors.ts';
import { unknownClock } from './instants.ts';
import { type ColumnUse, type Mapping, openMapping } from './mapping.ts';
import type { OmittedValue } from './omit.ts';
import { noParent } from './parents.ts';
import { type PrepareOptions, prepareRow } from './prepare-row.ts';
import { withoutNumbers } from './rejection.ts';
import type { Rejection } from './report.ts';
import type { Source, SourceRow, TableReading, UnreadableRow } from './source.ts';

const rowsPreviewed = 200;

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
  /** What the values of the column decide; null when each says all itself. */
  readonly reading: ColumnReading | null;
  /** Whether a person has to decide about the column, because it may be one of opt-outs. */
  readonly isUnclear: boolean;
  /** Invalid values that are left out, as was chosen; null when there are none. */
  readonly omitted: PreviewedFault | null;
}

export interface ColumnsPreview {
  readonly columns: readonly PreviewedColumn[];
  /** Faults that belong to no single column, such as a missing field. */
  readonly fault: PreviewedFault | null;
  /** Number of rows that were looked at. */
  readonly rows: number;
  /** Whether some of them have a date without an offset, which is read by the clock of what the records belong to. */
  readonly hasLocalDates: boolean;
  /** How a CSV table was read; null for other formats. */
  readonly table: TableReading | null;
  /** What new records get because no column has it. */
  readonly defaults: readonly Default[];
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
  const mapping = await openMapping(resource, source, choices);
  const { isPosts } = source;
  const faults = new Map<string | null, PreviewedFault>();
  const omitted = new Map<string | null, PreviewedFault>();
  let rows = 0;
  let hasLocalDates = false;
  const findFaults = (row: SourceRow): readonly string[] => {
    const { reasons, repairs, omitted: left } = tryRow(resource, mapping, row, { isPosts, now });
    for (const [column, values] of Map.groupBy(left, (value) => value.column)) {
      addFault(
        omitted,
        column,
        row.place,
        values.map(({ reason }) => reason),
      );
    }
    hasLocalDates ||= repairs.includes(unknownClock.note);
    return reasons;
  };
  for await (const row of readFirstRows(resource, source)) {
    rows += 1;
    const faultsOfRow =
      'unreadable' in row
        ? new Map([[null, [row.unreadable]]])
        : groupByColumn(mapping, row, findFaults(row));
    for (const [column, reasons] of faultsOfRow) addFault(faults, column, row.place, reasons);
  }
  const columns = listFirstUses(mapping, source).map(({ column, use }) => ({
    column,
    // In a column `id` of another system are no ids, but perhaps keys.
    to:
      use !== null && mapping.destinationOf(column) === idInput && !mapping.isDecided(column)
        ? use.to
        : mapping.destinationOf(column),
    samples: use?.samples ?? [],
    fault: faults.get(column) ?? null,
    reading: mapping.conventions.get(column) ?? null,
    isUnclear: mapping.isOptOut(column) && (use?.samples.length ?? 0) > 0,
    omitted: omitted.get(column) ?? null,
  }));
  return {
    columns,
    fault: faults.get(null) ?? null,
    rows,
    hasLocalDates,
    table: source.table ?? null,
    defaults: listDefaults(resource, mapping.destinations(), source.isPosts),
  };
}

/** Counts a row with faults, and keeps those of the first one. */
function addFault(
  faults: Map<string | null, PreviewedFault>,
  column: string | null,
  place: string,
  reasons: readonly string[],
): void {
  const known = faults.get(column);
  const first = known?.first ?? { place, externalId: null, reasons };
  faults.set(column, { rows: (known?.rows ?? 0) + 1, first });
}

/** The use of the columns in the first rows, for the command line. */
export async function previewMapping(
  resource: Resource,
  source: Source,
  choices: ColumnChoices,
): Promise<ColumnUse[]> {
  const mapping = await openMapping(resource, source, choices);
  try {
    for await (const row of readFirstRows(resource, source)) {
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

/** The first rows that become records of the resource. */
async function* readFirstRows(resource: Resource, source: Source): AsyncGenerator<SourceRow | UnreadableRow> {
  let rows = 0;
  for await (const row of source.read()) {
    if ('becomes' in row && row.becomes !== undefined && row.becomes !== resource.name) continue;
    yield row;
    rows += 1;
    if (rows === rowsPreviewed) return;
  }
}

/** The columns of a source with their use; null for one without a value in the first rows. */
function listFirstUses(mapping: Mapping, source: Source): { column: string; use: ColumnUse | null }[] {
  const uses = mapping.list();
  const names = (source.columns ?? [...new Set(uses.map(({ column }) => column))]).filter(
    (column) => !column.startsWith('(') || mapping.destinationOf(column) !== null,
  );
  return names.map((column) => {
    const [first, second] = uses.filter((use) => use.column === column);
    // A column that is overridden in some rows is used in others.
    return { column, use: (first?.to === null ? second : undefined) ?? first ?? null };
  });
}

/** A row, as far as it can be prepared without the server. */
interface TriedRow {
  readonly reasons: readonly string[];
  readonly repairs: readonly string[];
  readonly omitted: readonly OmittedValue[];
}

/** What is wrong with a row, or what was repaired. */
function tryRow(resource: Resource, mapping: Mapping, row: SourceRow, options: PrepareOptions): TriedRow {
  try {
    const { built, omitted } = prepareRow(resource, mapping, row, noParent, options);
    return { reasons: [], repairs: built.repairs, omitted };
  } catch (error) {
    if (error instanceof RowRejected) return { reasons: error.reasons, repairs: [], omitted: [] };
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

/** What a person should know of a source before its import. */
export function describeNotes({ notes = [], parts = null }: Source): string[] {
  if (parts === null) return [...notes];
  const others = parts.names.filter((name) => name !== parts.chosen).map((name) => `"${name}"`);
  return [
    `The rows are those of "${parts.chosen}". Not imported: ${others.join(', ')} (--sheet NAME imports one of them).`,
    ...notes,
  ];
}
