/** Rows of formats whose records are not lines. Rejected ones become JSON lines with their values, which can be corrected and imported. */
import type { Rejection } from '../report.ts';
import type { SourceRow } from '../source.ts';
import { toBytes } from './file.ts';
import { addReasons } from './ndjson.ts';

interface RecordRow extends Pick<SourceRow, 'place' | 'fields' | 'becomes' | 'addresses'> {
  readonly key?: string | null;
  readonly exportedAs?: string | null;
}

/** A row with these values. */
export function createRow({ key = null, exportedAs = null, ...row }: RecordRow): SourceRow {
  return {
    ...row,
    key,
    exportedAs,
    // Written only if the row is rejected.
    get original() {
      return toBytes(JSON.stringify(Object.fromEntries(row.fields)));
    },
  };
}

/** The values that are given, as those of a row. */
export function givenFields(values: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  return new Map(Object.entries(values).filter(([, value]) => isGiven(value)));
}

/** A line of the file of rejected rows. @param original the values of the row as JSON; empty when it could not be read */
export function formatRejectedRecord({ place, reasons }: Rejection, original: Uint8Array): Uint8Array {
  const because = `${place}: ${reasons.join(' ')}`;
  return toBytes(addReasons(original.length === 0 ? toBytes('{}') : original, because), '\n');
}

/** Counts what a reader skips. */
export class SkippedParts {
  readonly counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.counts.set(what, (this.counts.get(what) ?? 0) + count);
  }
}
