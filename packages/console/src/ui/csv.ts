/** Rows as CSV, for spreadsheets. */
import { guardFormula } from '@trellis/schema/values/spreadsheet.ts';

/** The beginning of a file of CSV, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Rows as CSV (RFC 4180), each ended by CR LF. @param delimiter a semicolon where commas are decimal signs */
export function toCsv(rows: readonly (readonly unknown[])[], delimiter: ',' | ';' = ','): string {
  return rows.map((row) => `${row.map(toCell).join(delimiter)}\r\n`).join('');
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = guardFormula(plain);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
