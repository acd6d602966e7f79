/** Builds small office documents, books and archives for tests, with the parts that their programs write. */
import { strToU8, Zip, ZipDeflate, ZipPassThrough, type Zippable } from 'fflate';
import { buildZip } from './documents.ts';

const office = 'application/vnd.openxmlformats-officedocument.';
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/** Parts of an archive by name; texts are encoded as UTF-8. */
export type Parts = Readonly<Record<string, string | Uint8Array>>;

/** Encodes the parts of an archive. */
function encodeParts(parts: Parts): Zippable {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
  );
}

/** Builds an archive from texts. */
export function buildArchive(parts: Parts): Buffer {
  return buildZip(encodeParts(parts));
}

/**
 * Builds an archive as programs do that write to a stream: the sizes follow the content. Parts that are named are stored as they are.
 */
export function buildStreamed(parts: Parts, stored: readonly string[] = []): Buffer {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  for (const [name, content] of Object.entries(encodeParts(parts))) {
    const file = stored.includes(name) ? new ZipPassThrough(name) : new ZipDeflate(name);
    zip.add(file);
    file.push(content as Uint8Array, true);
  }
  zip.end();
  return Buffer.concat(pieces);
}

/** The list of types of a package whose main part has this type. */
export function contentTypes(part: string, type: string): string {
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${part}" ContentType="${type}"/></Types>`;
}

/** The references of a part, by id: kind and target. */
export function relationships(
  targets: Readonly<Record<string, readonly [kind: string, target: string]>>,
): string {
  const items = Object.entries(targets).map(
    ([id, [kind, target]]) => `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

/** The parts of a workbook with one sheet. @param rows XML of the rows */
export function workbookParts(rows: string, strings: string, further: Parts = {}): Parts {
  return {
    '[Content_Types].xml': contentTypes('xl/workbook.xml', `${office}spreadsheetml.sheet.main+xml`),
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><sheets><sheet name="Kontakte" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      rId1: ['worksheet', 'worksheets/sheet1.xml'],
      rId2: ['sharedStrings', 'sharedStrings.xml'],
      rId3: ['styles', '/xl/styles.xml'],
    }),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${spreadsheet}"><sheetData>${rows}</sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"Liste &amp;P</oddHeader></headerFooter></worksheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${spreadsheet}">${strings}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${spreadsheet}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    ...further,
  };
}

/** Text of a slide, of its notes or of a text box, a paragraph each. */
export function drawingPart(...paragraphs: readonly string[]): string {
  const body = paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');
  return `<p:sld xmlns:p="urn:p" xmlns:a="${drawing}"><p:txBody>${body}</p:txBody></p:sld>`;
}

/** The parts of a presentation with two slides, whose files are numbered in another order. */
export function presentationParts(first: string, second: string, further: Parts = {}): Parts {
  return {
    '[Content_Types].xml': contentTypes(
      'ppt/presentation.xml',
      `${office}presentationml.presentation.main+xml`,
    ),
    '_rels/.rels': relationships({ rId1: ['officeDocument', '/ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation xmlns:p="urn:p" xmlns:r="${relations}"><p:sldIdLst><p:sldId id="256" r:id="rId9"/><p:sldId id="257" r:id="rId3"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships({
      rId3: ['slide', 'slides/slide1.xml'],
      rId9: ['slide', 'slides/slide2.xml'],
    }),
    'ppt/slides/slide1.xml': second,
    'ppt/slides/slide2.xml': first,
    'ppt/slides/_rels/slide2.xml.rels': relationships({
      rId1: ['notesSlide', '../notesSlides/notesSlide1.xml'],
    }),
    'ppt/notesSlides/notesSlide1.xml': drawingPart('Notiz zur ersten'),
    ...further,
  };
}

const odfNamespaces = ['office', 'text', 'table', 'draw', 'style', 'presentation'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);

/** The parts of an OpenDocument file. @param kind text, spreadsheet or presentation */
export function openDocumentParts(kind: string, body: string, further: Parts = {}): Parts {
  const names = `${odfNamespaces.join(' ')} xmlns:dc="http://purl.org/dc/elements/1.1/"`;
  return {
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${names}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${names}><style:master-page><style:header><text:p>Kopfzeile</text:p></style:header><draw:frame><text:p>Platzhalter</text:p></draw:frame></style:master-page></office:document-styles>`,
    ...further,
  };
}

/** The parts of a book whose chapters are read in the order b, a. */
export function bookParts(a: string, b: string, further: Parts = {}): Parts {
  const page = (text: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Seite</title></head><body>${text}</body></html>`;
  return {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    'OEBPS/content.opf':
      '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Der Wal</dc:title><dc:creator>Herma Klein</dc:creator></metadata>' +
      '<manifest><item id="a" href="text/a%20.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/></manifest>' +
      '<spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
    'OEBPS/text/a .xhtml': page(a),
    'OEBPS/text/b.xhtml': page(b),
    ...further,
  };
}
