/** Builds PDF, DOCX and zip files for tests, so that their content is visible and can be damaged anywhere. */
import { strToU8, type Zippable, zipSync } from 'fflate';

/**
 * Builds a PDF with one line of ASCII text on each page, ISO 32000-1 section 7.5.
 *
 * @param pages the texts; null for a page that is counted but missing
 * @param options further entries of the trailer (`/Encrypt …`), and the number of pages that it claims
 */
export function buildPdf(
  pages: readonly (string | null)[],
  options: { trailer?: string; count?: number } = {},
): Buffer {
  const { trailer = '', count = pages.length } = options;
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${kids}] /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const text of pages) {
    const escaped = (text ?? '').replace(/[\\()]/g, '\\$&');
    const content = text === '' ? '' : `BT /F1 12 Tf 72 720 Td (${escaped}) Tj ET`;
    const contents = `${objects.length + 2} 0 R`;
    objects.push(
      text === null
        ? '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [999999 0 R] >>'
        : `<< /Type /Page /Parent 2 0 R /Contents ${contents} >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  return writePdf(objects, trailer);
}

/**
 * Builds a small PDF that takes long to read: a page with text, and one that draws a form, which draws another form twice,
 * and so on.
 * @param levels number of forms; each doubles the time
 */
export function buildSlowPdf(text: string, levels: number): Buffer {
  const stream = (content: string, entries = '') =>
    `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const firstForm = 8;
  const forms = Array.from({ length: levels }, (_, level) => {
    const isLast = level === levels - 1;
    const inner = `/XObject << /X ${firstForm + level + 1} 0 R >>`;
    const resources = isLast ? '/Font << /F1 3 0 R >>' : inner;
    const content = isLast ? 'BT /F1 12 Tf (x) Tj ET' : '/X Do /X Do';
    return stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${resources} >>`);
  });
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [4 0 R 6 0 R] /MediaBox [0 0 612 792] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    stream(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`),
    `<< /Type /Page /Parent 2 0 R /Contents 7 0 R /Resources << /XObject << /X ${firstForm} 0 R >> >> >>`,
    stream('/X Do'),
    ...forms,
  ]);
}

/**
 * Builds a PDF of one page with lines. `|` is drawn as the ligature of f and i, `~` as the hyphen that is no minus sign, as the font's map to Unicode says (ISO 32000-1,
 * section 9.10.3).
 */
export function buildLinesPdf(lines: readonly string[]): Buffer {
  const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const map =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <FF> endcodespacerange ' +
    '1 beginbfrange <20> <7B> <0020> endbfrange 2 beginbfchar <7C> <FB01> <7E> <2010> endbfchar endcmap end end';
  const shown = lines.map((line) => `(${line}) Tj 0 -20 Td`).join(' ');
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] /MediaBox [0 0 612 792] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    stream(`BT /F1 12 Tf 72 720 Td ${shown} ET`),
    stream(map),
  ]);
}

/** Builds a PDF of one page with a form: a text, a choice, a password and a button; and with a note. */
export function buildFormPdf(): Buffer {
  const page = 'BT /F1 12 Tf 72 720 Td (Antrag) Tj ET';
  const widget = (entries: string) =>
    `<< /Type /Annot /Subtype /Widget /P 4 0 R /Rect [9 9 99 29] ${entries} >>`;
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R 8 0 R 9 0 R] >> >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] /MediaBox [0 0 612 792] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R] >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    widget('/FT /Tx /T (name) /V (Wombat)'),
    widget('/FT /Ch /Ff 131072 /T (often) /V (m) /Opt [[(m) (Monatlich)] [(y) (Jaehrlich)]]'),
    widget('/FT /Tx /Ff 8192 /T (code) /V (geheim)'),
    widget('/FT /Btn /T (ok) /V /Yes /AS /Yes'),
    '<< /Type /Annot /Subtype /Text /P 4 0 R /Rect [9 9 29 29] /Contents (Bitte pruefen) >>',
  ]);
}

/** Writes a PDF of objects, numbered from 1; the first is the catalog. */
function writePdf(objects: readonly string[], trailer = ''): Buffer {
  const parts = ['%PDF-1.4\n'];
  let length = parts.join('').length;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  const entries = ['0000000000 65535 f \n'];
  for (const [index, object] of objects.entries()) {
    entries.push(`${String(length).padStart(10, '0')} 00000 n \n`);
    add(`${index + 1} 0 obj\n${object}\nendobj\n`);
  }
  const start = length;
  add(`xref\n0 ${entries.length}\n${entries.join('')}`);
  add(`trailer\n<< /Size ${entries.length} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}

/** The trailer entries of an encrypted PDF, whose keys match no password. */
export const encryptedTrailer =
  `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] ` +
  `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`;

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

/** Builds a part of a DOCX file from the content of `w:document`, `w:footnotes` or similar. */
export function buildPart(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><w:${name} ${namespaces}>${content}</w:${name}>`;
}

/** Builds a paragraph of a DOCX file. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/**
 * Builds a DOCX file.
 *
 * @param body XML of the body
 * @param parts further parts by name
 */
export function buildDocx(body: string, parts: Zippable = {}): Buffer {
  const document = strToU8(buildPart('document', `<w:body>${body}</w:body>`));
  return buildZip({ '[Content_Types].xml': strToU8(contentTypes), 'word/document.xml': document, ...parts });
}

/** Builds a DOCX file with its parts in the order of LibreOffice, which writes the types last. */
export function buildDocxTypesLast(body: string): Buffer {
  const document = strToU8(buildPart('document', `<w:body>${body}</w:body>`));
  return buildZip({ 'word/document.xml': document, '[Content_Types].xml': strToU8(contentTypes) });
}

/** Builds a zip archive. */
export function buildZip(files: Zippable): Buffer {
  return Buffer.from(zipSync(files));
}
