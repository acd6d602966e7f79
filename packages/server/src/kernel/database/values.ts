/** Conversion of values from and to PostgreSQL's text representations, for rows and parameters. */
import type { ColumnKind } from '@trellis/schema/resources/fields.ts';

/** Parses a one-dimensional text[] or uuid[] literal without NULLs, e.g. `{a,"b c"}`. */
export function parseTextArray(literal: string): string[] {
  const inner = literal.slice(1, -1);
  if (inner === '') return [];
  if (!inner.includes('"')) return inner.split(',');
  const items: string[] = [];
  const pattern = /"((?:[^"\\]|\\.)*)"|([^,]+)/g;
  for (const match of inner.matchAll(pattern))
    items.push(match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? '');
  return items;
}

/** A text[] literal. */
export function textArray(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** A uuid[] literal. */
export function uuidArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}

/** `2026-11-21 06:02:37.12+00` (ISO, UTC, at most milliseconds) to RFC 3339 with exactly three fraction digits. */
export function parseTimestamp(text: string): string {
  const fraction = text.slice(19, -3);
  const milliseconds = fraction.length === 0 ? '.000' : fraction.padEnd(4, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${milliseconds}Z`;
}

/** Converts a column's text to the value of a record. Times stay RFC 3339 texts; ids stay uuids. */
export function decodeColumn(kind: ColumnKind, text: string | null): unknown {
  if (text === null) return null;
  switch (kind) {
    case 'text':
    case 'uuid':
      return text;
    case 'integer':
      return Number(text);
    case 'boolean':
      return text === 't';
    case 'instant':
      return parseTimestamp(text);
    case 'texts':
    case 'uuids':
      return parseTextArray(text);
    case 'json':
      return JSON.parse(text);
  }
}

/** Converts a record's value to the text of a parameter. */
export function encodeColumn(kind: ColumnKind, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'texts':
      return textArray(value as readonly string[]);
    case 'uuids':
      return uuidArray(value as readonly string[]);
    case 'json':
      return JSON.stringify(value);
    default:
      return String(value);
  }
}
