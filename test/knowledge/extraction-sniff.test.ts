/** Recognition of media types from the bytes; the name only distinguishes kinds of text. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isExtractable, sniffMediaType } from '@trellis/server/features/knowledge/extraction.ts';
import { strToU8 } from 'fflate';
import { buildDocx, buildDocxTypesLast, buildPdf, buildZip, paragraph } from '../support/documents.ts';
import { makeNoise } from '../support/noise.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const unknown = 'application/octet-stream';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-sniff-'));
});
after(() => rm(folder, { recursive: true, force: true }));

type Case = [content: Uint8Array | string, fileName: string | null, expected: string];

async function check(cases: readonly Case[]): Promise<void> {
  for (const [content, fileName, expected] of cases) {
    const path = join(folder, 'file');
    await writeFile(path, content);
    const shown = Buffer.from(content).subarray(0, 40).toString('latin1');
    assert.equal(await sniffMediaType(path, fileName), expected, `${fileName}: ${shown}`);
  }
}

test('a binary format is recognized from its bytes, whatever the name', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const sheetTypes =
    '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>';
  await check([
    [buildPdf(['Text']), 'notes.txt', 'application/pdf'],
    [buildPdf(['Text']), null, 'application/pdf'],
    [Buffer.concat([makeNoise(500), buildPdf(['Text'])]), 'late.txt', 'application/pdf'],
    [buildDocx(paragraph('Text')), 'archive.zip', docx],
    [buildDocxTypesLast(paragraph('Text')), null, docx],
    [buildZip({ 'a.txt': strToU8('Text') }), 'report.docx', 'application/zip'],
    [
      buildZip({ '[Content_Types].xml': strToU8(sheetTypes), 'xl/workbook.xml': strToU8('<x/>') }),
      'report.docx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    [png, 'page.html', 'image/png'],
    [makeNoise(5000), 'notes.txt', unknown],
  ]);
});

test('text is Markdown, CSV or plain by its name', async () => {
  await check([
    ['# Title', 'README.md', 'text/markdown'],
    ['# Title', 'README.Markdown', 'text/markdown'],
    ['a,b', 'TABLE.CSV', 'text/csv'],
    ['a,b', 'table.txt', 'text/plain'],
    ['# Title', null, 'text/plain'],
    ['Text', 'report.pdf', 'text/plain'],
    ['Text', 'report.docx', 'text/plain'],
    ['Text', 'page.html', 'text/plain'],
    ['', 'report.pdf', 'text/plain'],
    ['', 'table.csv', 'text/csv'],
    ['', null, 'text/plain'],
    // The first letters of bitmaps, Windows programs and MP3 files.
    ['BMW,Audi', 'cars.csv', 'text/csv'],
    ['MZ is not a word', null, 'text/plain'],
    ['ID3 tags explained', 'music.md', 'text/markdown'],
  ]);
});

test('HTML is recognized by its beginning, but a Markdown file may begin with an element', async () => {
  await check([
    ['<!DOCTYPE html><p>Text', 'page.txt', 'text/html'],
    ['<HTML><p>Text', 'page.md', 'text/html'],
    ['\ufeff \n<!-- a note -->\n<!-- another -->\n<!doctype HTML>', null, 'text/html'],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y"><html/>', null, 'text/html'],
    ['<p align="center">Text', 'README.md', 'text/markdown'],
    ['<p align="center">Text', null, 'text/html'],
    ['<section>Text', 'page.html', 'text/html'],
    ['<section>Text', null, 'text/plain'],
    ['<head-count> is 5', null, 'text/plain'],
    ['<?xml version="1.0"?><feed/>', 'feed.html', 'application/xml'],
    [Buffer.from('\ufeff<html>Text', 'utf16le'), null, 'text/html'],
  ]);
});

test('text is what decodes without control characters, to its end', async () => {
  const utf16 = Buffer.from('\ufeffTäxt', 'utf16le');
  const chunk = 64 * 1024;
  await check([
    ['Täxt €', null, 'text/plain'],
    ['\ufeffTäxt', 'table.csv', 'text/csv'],
    [utf16, 'table.csv', 'text/csv'],
    [Buffer.from(utf16).swap16(), 'table.csv', 'text/csv'],
    [utf16.subarray(0, utf16.length - 1), 'table.csv', unknown],
    // Without a byte order mark.
    [utf16.subarray(2), 'table.csv', 'text/csv'],
    [Buffer.from(utf16.subarray(2)).swap16(), 'table.csv', 'text/csv'],
    [Buffer.from('Täxt', 'latin1'), 'table.csv', 'text/csv'],
    ['Text\0', 'table.csv', unknown],
    [Buffer.from('\ufeffa\0', 'utf16le'), 'table.csv', unknown],
    [Buffer.from('Täxt\u0002', 'latin1'), 'table.csv', unknown],
    // A character across the boundary of two chunks, and one that is cut off.
    [`${'a'.repeat(chunk - 1)}€`, null, 'text/plain'],
    [Buffer.from(`${'ä'.repeat(chunk)}€`).subarray(0, -1), null, 'text/plain'],
    [Buffer.concat([Buffer.alloc(3 * chunk, 'a'), Buffer.from([0xff, 0])]), null, unknown],
  ]);
});

test('a compound file is an encrypted DOCX only by its name', async () => {
  const compound = Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    makeNoise(600),
  ]);
  await check([
    [compound, 'secret.docx', docx],
    [compound, 'secret.doc', 'application/x-cfb'],
  ]);
});

test('text is not extracted from other types, and a missing file is an error of the system', async () => {
  for (const type of [unknown, 'image/png', 'application/zip', 'text/vcard', '', 'constructor']) {
    assert.equal(isExtractable(type), false, type);
  }
  await assert.rejects(sniffMediaType(join(folder, 'missing'), null), { code: 'ENOENT' });
});
