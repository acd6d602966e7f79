/**
 * The budget of a page in bytes. Large records make a page shorter than its `limit`: PostgreSQL sends only those that
 * fit, so that neither the driver nor the response holds a hundred bodies at once.
 */

import type { ColumnKind } from '@trellis/schema/resources/fields.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { Row } from '../database/batch.ts';
import type { Database } from '../database/database.ts';

/** A selected column. */
interface SizedColumn {
  /** Dotted name of the field. */
  readonly field: string;
  readonly kind: ColumnKind;
  readonly sql: string;
  /** Whether narrow records omit the column. */
  readonly large: boolean;
}

type Width = 'full' | 'narrow';

/**
 * The budget of a page of an organization, in bytes: a quarter of the usual one while the organization uses much of the
 * process's time and others send requests, because others wait while a page is rendered.
 */
export function pageBytesFor({ turns }: Pick<Database, 'turns'>, organizationId: string): number {
  return turns.givesWay(organizationId) ? limits.pageBytes / 4 : limits.pageBytes;
}

/** Upper bound of the bytes that common members, names and punctuation add to a record. */
const overheadBytes = 2_048;
/** Maximum number of bytes of a code point in UTF-8. */
const bytesPerCharacter = 4;

/** Bytes of the largest records, by resource or by set of selected fields. */
const largest = new WeakMap<object, Record<Width, number>>();

/**
 * Whether a page with this number of records could exceed the budget according to the declaration. If not, the query need not
 * compute sizes.
 * @param only the selected fields by their dotted names; null: all fields of the width
 */
export function mayExceedBudget(
  resource: Resource,
  width: Width,
  records: number,
  only: ReadonlySet<string> | null = null,
): boolean {
  return records * largestRecord(resource, only)[width] > limits.pageBytes;
}

function largestRecord(resource: Resource, only: ReadonlySet<string> | null): Record<Width, number> {
  const known = largest.get(only ?? resource);
  if (known !== undefined) return known;
  const bytes = { narrow: overheadBytes, full: overheadBytes };
  for (const [name, { schema, verbatim }] of flattenFields(resource)) {
    if (only !== null && !only.has(name)) continue;
    const value = largestValue(schema as JsonSchema);
    bytes.full += value;
    if (!verbatim) bytes.narrow += value;
  }
  largest.set(only ?? resource, bytes);
  return bytes;
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

/** The number of a schema keyword; without it, the maximum that a body can contain. */
function bound(keyword: unknown): number {
  return typeof keyword === 'number' ? keyword : limits.bodyBytes;
}

/**
 * SQL for the bytes of a row's values. If there are large texts, only these are counted. PostgreSQL knows the length of
 * texts stored out of line without reading them.
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
 * Limits a page to the budget. The first record is always included.
 * @param page query of the page; its select list has `columns` items and then `bytesOfRow`
 * @param order of the page, with `c0`, `c1` … for its columns
 * @param bytes parameter with the budget, such as `$3`
 * @returns a query with the same columns, followed by the number of rows of the page (for `isCut`)
 */
export function withinBudget(page: string, columns: number, order: string, bytes: string): string {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`).join(', ');
  return `SELECT ${names}, found FROM (
      SELECT ${names}, count(*) OVER () AS found,
        sum(bytes) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM (${page}) AS page (${names}, bytes)
    ) AS sized WHERE coalesce(before, 0) < ${bytes}::bigint ORDER BY ${order}`;
}

/** Whether the page was shortened. `rowsColumn`: the column of `withinBudget` with the number of rows. */
export function isCut(rows: readonly Row[], rowsColumn: number): boolean {
  return Number(rows[0]?.[rowsColumn] ?? 0) > rows.length;
}

/** Number of characters above which an item is encoded separately. */
const largeItem = 16_384;

/** The JSON of an item of a page: a text, or the bytes of a large one. */
export type RenderedItem = string | Buffer;

/**
 * Renders items until the page's budget is used up; the first one always. Rendering a page of large records takes tens
 * of milliseconds, so the request takes a new turn after each large item.
 */
export async function renderWithinBudget<T>(
  { turns }: Pick<Database, 'turns'>,
  organizationId: string,
  items: readonly T[],
  render: (item: T) => string,
): Promise<RenderedItem[]> {
  const pageBytes = pageBytesFor({ turns }, organizationId);
  const rendered: RenderedItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = render(item);
    const isLarge = text.length > largeItem;
    const one = isLarge ? Buffer.from(text) : text;
    bytes += Buffer.byteLength(one) + 1;
    if (bytes > pageBytes && rendered.length > 0) break;
    rendered.push(one);
    if (isLarge) await turns.enter(organizationId);
  }
  return rendered;
}

/** A JSON array of rendered items, as parts of a text. */
export function listParts(items: readonly RenderedItem[]): RenderedItem[] {
  return ['[', ...items.flatMap((item, index) => (index === 0 ? [item] : [',', item])), ']'];
}

/** The parts of a text behind each other. The result is bytes if any part is, so that none is encoded twice. */
export function joinParts(parts: readonly RenderedItem[]): string | Buffer {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
