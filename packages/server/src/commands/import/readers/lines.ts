/** What readers of files with a row a line have in common. */

/** Bytes of one row: beyond it a quotation mark was most likely never closed. */
export const largestRowBytes = 1_048_576;

export const lineFeed = 0x0a;

/** The UTF-8 byte order mark that some programs put in front of a file. */
export const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The resource that a row of an export names. */
export function readExportedResource(fields: ReadonlyMap<string, unknown>): string | null {
  const resource = fields.get('resource');
  return typeof resource === 'string' ? resource : null;
}
