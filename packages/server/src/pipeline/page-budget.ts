/**
 * The budget of a page in bytes. Records that are large make a page shorter than its `limit`: PostgreSQL sends no more of
 * them than fit, so that neither the driver nor the answer holds a hundred bodies at once.
 */

import type { ColumnKind } from '@trellis/schema/resources/fields.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Row } from '../database/flight.ts';

/** A column as it is selected. */
interface SizedColumn {
  /** Dotted name of the field. */
  readonly field: string;
  readonly kind: ColumnKind;
  readonly sql: string;
  /** Left out of narrow records. */
  readonly large: boolean;
}

type Width = 'full' | 'narrow';

/** What common members, names and punctuation add to a record, in bytes: generously. */
const overheadBytes = 2_048;
/** Bytes of a code point in UTF-8, at most. */
const bytesPerCharacter = 4;

const largest = new WeakMap<object, ReadonlyMap<string, number>>();

/**
 * Whether so many records could exceed the budget, by their declaration. If not, asking for sizes would be for nothing.
 * @param only the fields that are read, by their dotted names; null: all that the width has
 */
export function mayExceedBudget(
  resource: Resource,
  width: Width,
  records: number,
  only: ReadonlySet<string> | null = null,
): boolean {
  const sizes = largestValues(resource);
  let bytes = overheadBytes;
  for (const [name, { verbatim }] of flattenFields(resource)) {
    const isRead = (only === null || only.has(name)) && (width === 'full' || !verbatim);
    if (isRead) bytes += sizes.get(name) ?? 0;
  }
  return records * bytes > limits.pageBytes;
}

function largestValues(resource: Resource): ReadonlyMap<string, number> {
  const known = largest.get(resource);
  if (known !== undefined) return known;
  const sizes = new Map(
    flattenFields(resource).map(([name, { schema }]) => [name, largestValue(schema as JsonSchema)]),
  );
  largest.set(resource, sizes);
  return sizes;
}

/** Bytes of the largest value that a schema permits, up to the largest body. */
function largestValue(schema: JsonSchema): number {
  return Math.min(limits.bodyBytes, unboundedValue(schema));
}

function unboundedValue(schema: JsonSchema): number {
  const alternatives = schema.anyOf ?? [];
  if (alternatives.length > 0) return Math.max(...alternatives.map(largestValue));
  if (schema.items !== undefined) return bound(schema.maxItems) * largestValue(schema.items);
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties);
    return members.reduce((sum, [name, value]) => sum + name.length + 4 + largestValue(value), 2);
  }
  if (schema.enum !== undefined || schema.type !== 'string') return 32;
  return Math.min(bound(schema['x-max-bytes']), bytesPerCharacter * bound(schema.maxLength));
}

/** A keyword's number; where there is none, what a body can hold at most. */
function bound(keyword: unknown): number {
  return typeof keyword === 'number' ? keyword : limits.bodyBytes;
}

/**
 * SQL of the bytes that the values of a row have; only of the large texts, where it has some: beside them the rest does
 * not count. Of a text that is stored apart PostgreSQL knows the length without fetching it.
 */
export function bytesOfRow(columns: readonly SizedColumn[], width: Width): string {
  const large = width === 'full' ? columns.filter((column) => column.large) : [];
  const counted = large.length > 0 ? large : columns.filter((column) => !column.large);
  const sizes = counted.flatMap((column) => bytesOfColumn(column));
  return sizes.length === 0 ? '0' : sizes.join(' + ');
}

function bytesOfColumn({ kind, sql }: SizedColumn): string[] {
  if (kind === 'text') return [`coalesce(octet_length(${sql}), 0)`];
  if (kind === 'json' || kind === 'texts') return [`coalesce(octet_length(${sql}::text), 0)`];
  return [];
}

/**
 * Shortens a page to the budget. The first record always comes, however large it is.
 * @param page query of the page; its select list has `columns` items and then `bytesOfRow`
 * @param order of the page, by `c0`, `c1` … for its columns
 * @returns a query with the same columns, and after them how many rows the page has: for `isCut`
 */
export function withinBudget(page: string, columns: number, order: string): string {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`).join(', ');
  return `SELECT ${names}, found FROM (
      SELECT ${names}, count(*) OVER () AS found,
        sum(bytes) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (${page}) AS page (${names}, bytes)
    ) AS sized WHERE coalesce(before, 0) < ${limits.pageBytes} ORDER BY ${order}`;
}

/** Whether the page in these rows was shortened; `rowsColumn`: where `withinBudget` says how many there were. */
export function isCut(rows: readonly Row[], rowsColumn: number): boolean {
  return Number(rows[0]?.[rowsColumn] ?? 0) > rows.length;
}

/**
 * Renders items until the budget is used up; the first one always.
 * @returns their JSON texts
 */
export function renderWithinBudget<T>(items: readonly T[], render: (item: T) => string): string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = render(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > limits.pageBytes && texts.length > 0) break;
    texts.push(text);
  }
  return texts;
}
