/**
 * What an import would make of each column, from the first rows and without the server: its destination, some values, and the
 * values that cannot be converted.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { MapRule } from './columns.ts';
import { RowRejected } from './errors.ts';
import { Mapping } from './mapping.ts';
import { noParent } from './parents.ts';
import { type PrepareOptions, prepareRow } from './prepare-row.ts';
import { listFirstUses, readFirstRows } from './preview.ts';
import { withoutNumbers } from './rejection.ts';
import type { Rejection } from './report.ts';
import type { Source, SourceRow } from './source.ts';

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

/** What determines the mapping of columns. */
export interface ColumnChoices {
  readonly map: readonly MapRule[];
  /** The column that identifies records; null to derive what does. */
  readonly key: string | null;
}

/**
 * Previews a source.
 * @param now milliseconds since 1970
 * @throws UsageError when a rule names no destination; ImportStopped when the source cannot be read
 */
export async function previewColumns(
  resource: Resource,
  source: Source,
  { map, key }: ColumnChoices,
  now: number,
): Promise<ColumnsPreview> {
  const rules = new Map(map.map(({ from, to }) => [from, to]));
  const { isPosts, wrappers } = source;
  const mapping = new Mapping(resource, { rules, isPosts, wrappers }, key);
  const faults = new Map<string | null, PreviewedFault>();
  let rows = 0;
  for await (const row of readFirstRows(source)) {
    rows += 1;
    const reasons =
      'unreadable' in row
        ? new Map([[null, [row.unreadable]]])
        : groupByColumn(mapping, row, findFaults(resource, mapping, row, { isPosts, now }));
    for (const [column, list] of reasons) {
      note(faults, column, { place: row.place, externalId: null, reasons: list });
    }
  }
  const columns = listFirstUses(mapping, source).map(
    ({ column, use }): PreviewedColumn => ({
      column,
      to: mapping.destinationOf(column),
      samples: use?.samples ?? [],
      fault: faults.get(column) ?? null,
    }),
  );
  return { columns, fault: faults.get(null) ?? null, rows };
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
  const destinations = new Map(
    [...fields.keys()].flatMap((column): [string, string][] => {
      const to = mapping.destinationOf(column);
      return to === null ? [] : [[to, column]];
    }),
  );
  return Map.groupBy(reasons, (reason) => findColumn(destinations, reason));
}

/** The column of the field that a reason begins with, as in `emails.0.address: Must be …`; null when there is none. */
function findColumn(destinations: ReadonlyMap<string, string>, reason: string): string | null {
  const [path = ''] = reason.split(':', 1);
  const name = withoutNumbers(path);
  const exact = destinations.get(name);
  if (exact !== undefined) return exact;
  const inside = [...destinations].find(([to]) => to.startsWith(`${name}.`) || name.startsWith(`${to}.`));
  return inside?.[1] ?? null;
}

/** Notes that a row has a fault. It is called once for each column of a row, so that it counts rows. */
function note(faults: Map<string | null, PreviewedFault>, column: string | null, first: Rejection): void {
  const known = faults.get(column);
  faults.set(column, known === undefined ? { rows: 1, first } : { ...known, rows: known.rows + 1 });
}
