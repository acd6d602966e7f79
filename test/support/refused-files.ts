/** Beginnings of files that cannot be imported, with what the refusal says. */
import { strToU8, zipSync } from 'fflate';
import { createRow, createWorkbook } from './workbook.ts';

const bytes = (...values: readonly (number | string)[]) =>
  Buffer.concat(values.map((value) => Buffer.from(typeof value === 'string' ? value : [value])));
const zip = (...names: readonly string[]) =>
  zipSync(Object.fromEntries(names.map((name) => [name, strToU8('x')])));
const workbook = createWorkbook({ sheets: [{ name: 'S', rows: createRow(1, ['Name']) }] });

export const refusedFiles: readonly [content: string | Uint8Array, sentence: RegExp][] = [
  ['', /a\.x is empty\.$/],
  [bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), /old workbook.* save it as \.xlsx or "CSV UTF-8"/],
  [bytes(0x09, 0x08, 0, 0), /very old kind.* save it as \.xlsx/],
  ['%PDF-1.7', /is a PDF/],
  ['{\\rtf1 x}', /text document \(RTF\)/],
  [bytes(0x1f, 0x8b, 8), /compressed \(gzip\)\. Unpack it/],
  [bytes(0x89, 'PNG'), /is a picture/],
  [bytes('x', 0, 1, 2, 0, 0, 0), /neither text nor a known kind/],
  [zip('mimetype', 'content.xml', 'META-INF/manifest.xml'), /OpenDocument.* save it as \.xlsx/],
  [zip('Index/Document.iwa', 'preview.jpg'), /Numbers.*Export To/],
  [zip('[Content_Types].xml', 'word/document.xml'), /Word document/],
  [zip('[Content_Types].xml', 'ppt/presentation.xml'), /presentation/],
  [zip('xl/workbook.bin', 'xl/styles.xml'), /\.xlsb/],
  [zip('META-INF/container.xml'), /EPUB/],
  [zip('people.csv'), /is a ZIP archive\. Unpack it/],
  [zip('a.png'), /without a file that can be imported/],
  [workbook.subarray(0, 100), /damaged or incomplete/],
  [zip(...Array.from({ length: 10_001 }, (_, index) => `${index}.md`)), /more than 10000 files\. Unpack it/],
  ['<collection xmlns="http://www.loc.gov/MARC21/slim">', /MARC XML.* CSV or \.xlsx/],
  ['<marc:record xmlns:marc="http://www.loc.gov/MARC21/slim">', /MARC XML/],
  ['00714cam a2200205 a 45000010013000000', /ISO 2709/],
  ['<ONIXMessage release="2.1">', /before 3\.0/],
  [
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
    /XML spreadsheet of 2003/,
  ],
  ['<rss version="2.0"><channel>', /news feed.*WXR/],
  ['<feed xmlns="http://www.w3.org/2005/Atom">', /Blogger/],
  ['<!DOCTYPE html><table>', /table in HTML, .*\.xls\. Open it in Excel.* save it as \.xlsx or "CSV UTF-8"/],
  ['<html><body>', /web page.* save it as \.xlsx/],
  ['<opml version="2.0">', /XML document of the kind "opml"/],
  ['BEGIN:VCALENDAR', /calendar/],
  ['TY  - BOOK\n', /RIS/],
  ['% x\n@book{a,\n', /BibTeX/],
  ['dn: cn=a\n', /LDIF/],
  ['Hello world', /is not a table/],
  ['Hello, world\nand more\n', /is not a table/],
];
