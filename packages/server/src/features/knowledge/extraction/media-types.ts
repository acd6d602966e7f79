/** The media types of the formats from which text can be extracted. */

/** How a file is read. */
export type TextFormat =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odf'
  | 'epub'
  | 'rtf'
  | 'email'
  | 'html'
  | 'plain';

const officeOpen = 'application/vnd.openxmlformats-officedocument.';

/** Media types by short names. */
export const mediaTypes = {
  pdf: 'application/pdf',
  docx: `${officeOpen}wordprocessingml.document`,
  xlsx: `${officeOpen}spreadsheetml.sheet`,
  pptx: `${officeOpen}presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  email: 'message/rfc822',
  html: 'text/html',
  markdown: 'text/markdown',
  csv: 'text/csv',
  plain: 'text/plain',
  svg: 'image/svg+xml',
} as const;

const formats: ReadonlyMap<string, TextFormat> = new Map([
  [mediaTypes.pdf, 'pdf'],
  [mediaTypes.docx, 'docx'],
  [`${officeOpen}wordprocessingml.template`, 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  ['application/vnd.ms-word.template.macroenabled.12', 'docx'],
  [mediaTypes.xlsx, 'xlsx'],
  [`${officeOpen}spreadsheetml.template`, 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['application/vnd.ms-excel.template.macroenabled.12', 'xlsx'],
  [mediaTypes.pptx, 'pptx'],
  [`${officeOpen}presentationml.template`, 'pptx'],
  [`${officeOpen}presentationml.slideshow`, 'pptx'],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.12', 'pptx'],
  ['application/vnd.ms-powerpoint.template.macroenabled.12', 'pptx'],
  ['application/vnd.ms-powerpoint.slideshow.macroenabled.12', 'pptx'],
  ...['text', 'spreadsheet', 'presentation', 'graphics'].flatMap((kind) => {
    const type = `application/vnd.oasis.opendocument.${kind}`;
    return [[type, 'odf'] as const, [`${type}-template`, 'odf'] as const];
  }),
  [mediaTypes.epub, 'epub'],
  [mediaTypes.rtf, 'rtf'],
  [mediaTypes.email, 'email'],
  [mediaTypes.html, 'html'],
  [mediaTypes.markdown, 'plain'],
  [mediaTypes.csv, 'plain'],
  [mediaTypes.plain, 'plain'],
]);

/** The media type of bytes of an unknown format, RFC 2046 section 4.5.1. */
export const unknownMediaType = 'application/octet-stream';

/** How text is extracted from files of this media type (as `sniffMediaType` writes it, without parameters); null if it is not. */
export function textFormatOf(mediaType: string): TextFormat | null {
  return formats.get(mediaType) ?? null;
}

/** Whether text is extracted from files of this media type. */
export function isExtractable(mediaType: string): boolean {
  return formats.has(mediaType);
}

/** Whether files of this media type have no text, so that nothing is missing if none is found. */
export function isWithoutText(mediaType: string): boolean {
  return /^(?:image|audio|video|font)\//.test(mediaType);
}
