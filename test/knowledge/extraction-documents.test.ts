/**
 * Documents as other programs write them: each is recognized by its bytes, and the words that its reader sees are found whole, in every part
 * that has text.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TextCollector } from '@trellis/server/features/knowledge/extraction/collector.ts';
import { loadExtract } from '@trellis/server/features/knowledge/extraction/formats.ts';
import { textFormatOf } from '@trellis/server/features/knowledge/extraction/media-types.ts';
import {
  defaultExtractionLimits,
  type ExtractedText,
  ExtractionError,
  type ExtractionLimits,
  type ExtractionReason,
  sniffMediaType,
} from '@trellis/server/features/knowledge/extraction.ts';
import { buildDocx, buildFormPdf, buildLinesPdf, buildPart, paragraph } from '../support/documents.ts';
import {
  bookParts,
  buildArchive,
  buildStreamed,
  contentTypes,
  drawingPart,
  openDocumentParts,
  type Parts,
  presentationParts,
  relationships,
  workbookParts,
} from '../support/office-documents.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const pptx = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const odf = 'application/vnd.oasis.opendocument.';

let folder: string;
let path: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-documents-'));
  path = join(folder, 'file');
});
after(() => rm(folder, { recursive: true, force: true }));

interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** By which the client calls it. */
  readonly fileName?: string;
  readonly mediaType: string;
  /** The text, by pages. */
  readonly pages: readonly string[];
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const bytesOf = (hexadecimal: string) => Buffer.from(hexadecimal.replaceAll(' ', ''), 'hex');
const word = (body: string) => buildPart('document', `<w:body>${body}</w:body>`);
const wordTypes = contentTypes(
  'word/document.xml',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
);
const wordParts = (text: string, further: Parts = {}): Parts => ({
  '[Content_Types].xml': wordTypes,
  ...further,
  'word/document.xml': word(paragraph(text)),
});
const inner = buildDocx(paragraph('Inneres'));
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;

const documents: readonly Sample[] = [
  {
    name: 'DOCX with headers, footers, notes and comments',
    bytes: buildArchive(
      wordParts('Text', {
        'word/comments.xml': buildPart('comments', paragraph('Kommentar')),
        'word/footer2.xml': buildPart('ftr', paragraph('Fuß')),
        'word/header1.xml': buildPart('hdr', paragraph('Kopf')),
        'word/endnotes.xml': buildPart('endnotes', paragraph('Endnote')),
        'word/charts/chart1.xml': drawingPart('Diagramm'),
      }),
    ),
    mediaType: docx,
    pages: ['Text\n\nKopf\n\nFuß\n\nEndnote\n\nKommentar\n\nDiagramm'],
  },
  {
    name: 'DOCX with hyphens that do not divide words',
    bytes: buildDocx(
      `<w:p>${run('Ge\u00adsamt')}<w:r><w:softHyphen/></w:r>${run('konzept')}<w:r><w:noBreakHyphen/></w:r>${run('19')}</w:p>`,
    ),
    mediaType: docx,
    pages: ['Gesamtkonzept-19'],
  },
  {
    name: 'DOCX with unknown elements that are called like members of every object',
    bytes: buildDocx(`<w:p>${run('vor')}<w:constructor/>${run('nach')}<w:toString/></w:p>`),
    mediaType: docx,
    pages: ['vornach'],
  },
  {
    name: 'DOCX with readings above words',
    bytes: buildDocx(
      `<w:p><w:r><w:ruby><w:rt>${run('とう')}</w:rt><w:rubyBase>${run('東')}</w:rubyBase></w:ruby></w:r>${run('京')}</w:p>`,
    ),
    mediaType: docx,
    pages: ['東京'],
  },
  {
    name: 'DOCX with a text box within a paragraph',
    bytes: buildDocx(`<w:p>${run('außen')}<w:txbxContent>${paragraph('innen')}</w:txbxContent></w:p>`),
    mediaType: docx,
    pages: ['außen\ninnen'],
  },
  {
    name: 'strict DOCX',
    bytes: buildArchive({
      '[Content_Types].xml': wordTypes,
      'word/document.xml': `<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body>${paragraph('Streng')}</w:body></w:document>`,
    }),
    mediaType: docx,
    pages: ['Streng'],
  },
  {
    name: 'DOCX whose document has a number, in another folder',
    bytes: buildArchive({
      '_rels/.rels': relationships({ rId1: ['officeDocument', 'text/document7.xml'] }),
      'text/document7.xml': word(paragraph('Nummer')),
      'text/header1.xml': buildPart('hdr', paragraph('Kopf')),
      '[Content_Types].xml': wordTypes,
    }),
    mediaType: docx,
    pages: ['Nummer\n\nKopf'],
  },
  {
    name: 'DOCX with backslashes in names, without a list of types',
    bytes: buildArchive({ 'word\\document.xml': word(paragraph('Schräg')) }),
    mediaType: docx,
    pages: ['Schräg'],
  },
  {
    name: 'DOCX of a stream with a document stored in it first',
    bytes: buildStreamed({ 'word/embeddings/inner.docx': inner, ...wordParts('Äußeres') }, [
      'word/embeddings/inner.docx',
    ]),
    mediaType: docx,
    pages: ['Äußeres'],
  },
  {
    name: 'DOCX with macros',
    bytes: buildArchive({
      ...wordParts('Makro'),
      '[Content_Types].xml': contentTypes(
        'word/document.xml',
        'application/vnd.ms-word.document.macroEnabled.main+xml',
      ),
    }),
    mediaType: 'application/vnd.ms-word.document.macroenabled.12',
    pages: ['Makro'],
  },
  {
    name: 'XLSX with strings, inline text, dates, numbers, comments and a text box',
    bytes: buildArchive(
      workbookParts(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"/><c r="C1" t="inlineStr"><is><t>Ort</t></is></c></row><row r="2"/>' +
          '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>45292</v></c><c r="C3" s="2"><v>2.5</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="str"><f>A1</f><v>Formel</v></c></row>',
        '<si><t>Name</t></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="1"><t>トウ</t></rPh></si>',
        {
          'xl/worksheets/_rels/sheet1.xml.rels': relationships({
            rId1: ['comments', '../comments1.xml'],
            rId2: ['drawing', '../drawings/drawing1.xml'],
          }),
          'xl/comments1.xml':
            '<comments><commentList><comment ref="A1"><text><r><t>Kommentar</t></r></text></comment></commentList></comments>',
          'xl/drawings/drawing1.xml': drawingPart('Textfeld'),
        },
      ),
    ),
    mediaType: xlsx,
    pages: ['Kontakte\nName\tOrt\n東京\t2024-01-01\t2.5\tTRUE\tFormel\nListe\nKommentar\nTextfeld'],
  },
  {
    name: 'PPTX: slides in their order, with notes',
    bytes: buildArchive(presentationParts(drawingPart('Erste', 'Folie'), drawingPart('Zweite'))),
    mediaType: pptx,
    pages: ['Erste\nFolie\nNotiz zur ersten', 'Zweite'],
  },
  {
    name: 'ODT with notes, comments, changes, readings and headers',
    bytes: buildArchive(
      openDocumentParts(
        'text',
        '<text:tracked-changes><text:p>gelöscht</text:p></text:tracked-changes>' +
          '<text:h>Titel</text:h><text:p>Wort<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Fußnote</text:p></text:note-body></text:note>stamm' +
          '<text:s text:c="2"/>x<text:s text:c="-3"/>z<office:annotation><dc:creator>Ida</dc:creator><text:p>Anmerkung</text:p></office:annotation><text:tab/>y</text:p>' +
          '<text:p><text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby>京</text:p>',
      ),
    ),
    mediaType: `${odf}text`,
    pages: ['Titel\nWortstamm  x z\ty\n東京\nKopfzeile\nFußnote\nAnmerkung'],
  },
  {
    name: 'ODS',
    bytes: buildArchive(
      openDocumentParts(
        'spreadsheet',
        '<table:table table:name="Blatt"><table:table-row><table:table-cell><text:p>a</text:p><text:p>b</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000"/><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row>' +
          '<table:table-row><table:table-cell/></table:table-row><table:table-row><table:table-cell><text:p>d</text:p></table:table-cell></table:table-row></table:table>',
        { 'styles.xml': '<styles/>' },
      ),
    ),
    mediaType: `${odf}spreadsheet`,
    pages: ['Blatt\na b\tc\nd'],
  },
  {
    name: 'ODP: slides are pages',
    bytes: buildArchive(
      openDocumentParts(
        'presentation',
        '<draw:page><draw:frame><draw:text-box><text:p>Erste</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Notiz</text:p></presentation:notes></draw:page><draw:page><text:p>Zweite</text:p></draw:page>',
      ),
    ),
    mediaType: `${odf}presentation`,
    pages: ['Erste\nNotiz', 'Zweite'],
  },
  {
    name: 'EPUB in reading order',
    bytes: buildArchive(bookParts('<p>Ende&nbsp;<ruby>横<rt>よこ</rt>浜</ruby></p>', '<h1>Anfang</h1>')),
    mediaType: 'application/epub+zip',
    pages: ['Der Wal\nHerma Klein\nSeite\nAnfang\n\nSeite\nEnde\u00a0横浜'],
  },
  {
    name: 'RTF with code pages, Unicode, notes, hidden parts and deletions',
    bytes: latin1(
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}{\info{\author Ida}}{\*\generator x;}` +
        String.raw`Gr\'fc\'dfe{\footnote Fu\u223 sszeile} aus K\u246?ln\-er\par {\f1\'cc\'ee\'f1\'ea\'e2\'e0}\tab {\v versteckt}{\deleted weg}a\_b` +
        String.raw`{\*\unknown geheim}{\pict 0102}{\field{\*\fldinst HYPERLINK x}{\fldrslt Verweis}}\{\}}`,
    ),
    mediaType: 'application/rtf',
    pages: ['Grüße aus Kölner\nМосква\ta-bVerweis{}Fußszeile'],
  },
  {
    name: 'RTF with unknown words that are called like members of every object',
    bytes: latin1(String.raw`{\rtf1 vor \constructor nach\toString }`),
    mediaType: 'application/rtf',
    pages: ['vor nach'],
  },
  {
    name: 'RTF in Shift-JIS',
    bytes: latin1(String.raw`{\rtf1\ansi\ansicpg932 \'93\'8c\'8b\'9e\par}`),
    mediaType: 'application/rtf',
    pages: ['東京'],
  },
  {
    name: 'a message with an encoded subject, quoted-printable and an attachment',
    bytes: [
      'From: =?utf-8?Q?K=C3=A4the?= <kaethe@example.com>',
      'To: ben@example.com',
      'Subject: =?utf-8?B?S8O8bmRpZ3VuZw==?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Die Gesch=E4ftsf=',
      '=FChrung dankt.',
      '--b',
      "Content-Disposition: attachment; filename*=utf-8''R%C3%BCckblick.pdf",
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERg==',
      '--b--',
    ].join('\r\n'),
    fileName: 'a.eml',
    mediaType: 'message/rfc822',
    pages: [
      'Kündigung\nKäthe kaethe@example.com\nben@example.com\nDie Geschäftsführung dankt.\n\nRückblick.pdf',
    ],
  },
  {
    name: 'a message in HTML, base64 and Shift-JIS, without a name',
    bytes:
      'Received: from x\r\nFrom: a@example.com\r\nContent-Type: text/html; charset=shift_jis\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+k4yLnjwvcD4=\r\n',
    mediaType: 'message/rfc822',
    pages: ['a@example.com\n東京'],
  },
  {
    name: 'a message that was never sent',
    bytes: 'Content-Type: multipart/mixed;\n\tboundary=b\n\n--b\nContent-Type: text/plain\n\nEntwurf\n--b--',
    fileName: 'draft.eml',
    mediaType: 'message/rfc822',
    pages: ['Entwurf'],
  },
  {
    name: 'a note that looks like the beginning of a message',
    bytes: 'Date: Monday\nSubject: lunch\n\nSoup.',
    fileName: 'a.txt',
    mediaType: 'text/plain',
    pages: ['Date: Monday\nSubject: lunch\n\nSoup.'],
  },
  {
    name: 'HTML with readings above words',
    bytes:
      '<!doctype html><p><ruby>横<rt>よこ<rb>浜<rt>はま</ruby>港 <ruby>札幌<rp>(</rp><rt>さっぽろ</rt><rp>)</rp></ruby>駅',
    mediaType: 'text/html',
    pages: ['横浜港 札幌駅'],
  },
  {
    name: 'HTML in a declared encoding',
    bytes: latin1('<html><head><meta charset="iso-8859-1"><title>Gr\xfc\xdfe</title>'),
    fileName: 'a.doc',
    mediaType: 'text/html',
    pages: ['Grüße'],
  },
  {
    name: 'HTML in Shift-JIS, declared for HTTP',
    bytes: Buffer.concat([
      latin1('<html><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>'),
      bytesOf('93 8c 8b 9e'),
    ]),
    mediaType: 'text/html',
    pages: ['東京'],
  },
  {
    name: 'text in GBK',
    bytes: bytesOf('ba cf cd ac c6 da cf de'),
    fileName: 'a.txt',
    mediaType: 'text/plain',
    pages: ['合同期限'],
  },
  {
    name: 'a PDF with words divided at line ends and ligatures',
    bytes: buildLinesPdf([
      'Der Geschaefts-',
      'bericht im Ober~',
      'of|ce, Haupt-',
      'und Neben-',
      'Themen, COVID-',
      '19',
    ]),
    mediaType: 'application/pdf',
    pages: ['Der Geschaeftsbericht im Oberoffice, Haupt- und Neben-\nThemen, COVID-\n19'],
  },
  {
    name: 'a PDF with a form and a note',
    bytes: buildFormPdf(),
    mediaType: 'application/pdf',
    pages: ['Antrag\nBitte pruefen\nWombat\nMonatlich'],
  },
];

/** Extracts in this process, since these files are not hostile. */
async function extract(mediaType: string, limits: Partial<ExtractionLimits> = {}): Promise<ExtractedText> {
  const format = textFormatOf(mediaType);
  assert.ok(format !== null, mediaType);
  const read = await loadExtract(format);
  const all = { ...defaultExtractionLimits, ...limits };
  const into = new TextCollector(all.characters);
  const file = openSync(path, 'r');
  try {
    return into.finish(await read(file, all, into));
  } finally {
    closeSync(file);
  }
}

for (const { name, bytes, fileName, mediaType, pages } of documents) {
  test(`text of ${name}`, async () => {
    await writeFile(path, bytes);
    const recognized = await sniffMediaType(path, fileName ?? null);
    assert.equal(recognized, mediaType);
    const text = await extract(recognized);
    assert.deepEqual([text.pages, text.truncated], [pages, false]);
    assert.equal(text.pageCount, /pdf|presentation/.test(mediaType) ? pages.length : null);
  });
}

interface Refused {
  readonly name: string;
  readonly bytes: () => Uint8Array | string;
  readonly mediaType: string;
  readonly reason: ExtractionReason;
  readonly limits?: Partial<ExtractionLimits>;
}

/** A kilobyte that unpacks to megabytes. */
const blank = (megabytes: number) => ' '.repeat(megabytes * 1024 * 1024);
const small = { unzippedBytes: 2 * 1024 * 1024 };
const laughs =
  '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><x><t>&c;</t></x>';
const deep = '<text:p>'.repeat(20_000) + '</text:p>'.repeat(20_000);
const row = '<row><c><v></v></c></row>';

const refused: readonly Refused[] = [
  {
    name: 'a workbook that unpacks to more',
    bytes: () => buildArchive(workbookParts(blank(3), '')),
    mediaType: xlsx,
    reason: 'TOO_LARGE',
    limits: small,
  },
  {
    name: 'a sheet of many empty rows',
    bytes: () => buildArchive(workbookParts(row.repeat(100_000), '')),
    mediaType: xlsx,
    reason: 'TOO_LARGE',
    limits: small,
  },
  {
    name: 'shared strings that unpack to more',
    bytes: () => buildArchive(workbookParts('', blank(3))),
    mediaType: xlsx,
    reason: 'TOO_LARGE',
    limits: small,
  },
  {
    name: 'parts that unpack to more together',
    bytes: () => buildArchive(presentationParts(blank(1) + drawingPart('a'), drawingPart(blank(1)))),
    mediaType: pptx,
    reason: 'TOO_LARGE',
    limits: small,
  },
  {
    name: 'a book whose chapter unpacks to more',
    bytes: () => buildArchive(bookParts(blank(3), '')),
    mediaType: 'application/epub+zip',
    reason: 'TOO_LARGE',
    limits: small,
  },
  {
    name: 'entities in a slide',
    bytes: () => buildArchive(presentationParts(laughs, '')),
    mediaType: pptx,
    reason: 'DAMAGED',
  },
  {
    name: 'entities in shared strings',
    bytes: () => buildArchive(workbookParts('', '', { 'xl/sharedStrings.xml': laughs })),
    mediaType: xlsx,
    reason: 'DAMAGED',
  },
  {
    name: 'nested elements of OpenDocument',
    bytes: () => buildArchive(openDocumentParts('text', deep)),
    mediaType: `${odf}text`,
    reason: 'TOO_DEEP',
  },
  {
    name: 'nested groups of RTF',
    bytes: () => `{\\rtf1 ${'{'.repeat(20_000)}`,
    mediaType: 'application/rtf',
    reason: 'TOO_DEEP',
  },
  {
    name: 'an encrypted OpenDocument file',
    bytes: () =>
      buildArchive(
        openDocumentParts('text', '', {
          'META-INF/manifest.xml':
            '<manifest:manifest xmlns:manifest="urn:m"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
        }),
      ),
    mediaType: `${odf}text`,
    reason: 'ENCRYPTED',
  },
  {
    name: 'an encrypted chapter',
    bytes: () =>
      buildArchive(
        bookParts('', '', {
          'META-INF/encryption.xml': '<encryption><CipherReference URI="OEBPS/text/b.xhtml"/></encryption>',
        }),
      ),
    mediaType: 'application/epub+zip',
    reason: 'ENCRYPTED',
  },
  {
    name: 'an archive cut off',
    bytes: () => buildArchive(workbookParts('', '')).subarray(0, -30),
    mediaType: xlsx,
    reason: 'DAMAGED',
  },
  {
    name: 'an archive without its main part',
    bytes: () => buildArchive({ 'a.txt': 'Text' }),
    mediaType: pptx,
    reason: 'DAMAGED',
  },
];

test('files that would take too much, or cannot be read, are refused with their reason', async () => {
  for (const { name, bytes, mediaType, reason, limits = {} } of refused) {
    await writeFile(path, bytes());
    await assert.rejects(extract(mediaType, limits), (error) => {
      // Errors of the parsers are those of the file (`worker.ts`).
      const found = error instanceof ExtractionError ? error.reason : 'DAMAGED';
      assert.equal(found, reason, `${name}: ${String(error)}`);
      return true;
    });
  }
});

test('a long sheet and a long presentation end as text up to the limit', async () => {
  const filled = '<row><c t="inlineStr"><is><t>abcdefgh</t></is></c></row>';
  await writeFile(path, buildArchive(workbookParts(filled.repeat(200_000), '')));
  const sheet = await extract(xlsx, { characters: 1_000, unzippedBytes: 2 * 1024 * 1024 });
  assert.deepEqual([sheet.characters, sheet.truncated], [1_000, true]);
  await writeFile(path, buildArchive(presentationParts(drawingPart('Erste'), drawingPart('Zweite'))));
  const slides = await extract(pptx, { pages: 1 });
  assert.deepEqual(
    [slides.pages, slides.pageCount, slides.truncated],
    [['Erste\nNotiz zur ersten'], 2, true],
  );
});
