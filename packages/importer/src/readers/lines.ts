/** Definitions shared by the readers of files with one row per line. */

/** Maximum size of a row, in bytes; in a longer one, a quotation mark is probably not closed. */
export const largestRowBytes = 1_048_576;

export const lineFeed = 0x0a;

/** The resource named in a row of an export; null for other rows. */
export function readExportedResource(fields: ReadonlyMap<string, unknown>): string | null {
  const resource = fields.get('resource');
  return typeof resource === 'string' ? resource : null;
}
