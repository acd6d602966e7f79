/** The media types of the formats from which text can be extracted. */

/** Media types by short names. */
export const mediaTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  plain: 'text/plain',
} as const;

/** A media type that text can be extracted from. */
export type ExtractableMediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

/** The media type of bytes of an unknown format, RFC 2046 section 4.5.1. */
export const unknownMediaType = 'application/octet-stream';

const extractable: ReadonlySet<string> = new Set(Object.values(mediaTypes));

/** Whether text is extracted from files of this media type (as `sniffMediaType` writes it, without parameters). */
export function isExtractable(mediaType: string): mediaType is ExtractableMediaType {
  return extractable.has(mediaType);
}
