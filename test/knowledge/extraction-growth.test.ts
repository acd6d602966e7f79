/**
 * Growth of the cost of extraction: linear in the size of the file, for hostile inputs of every format. The cost is the
 * processor time of this process, where only the parser runs. The largest size is cheap when the growth is linear, and takes
 * minutes when it is quadratic.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TextCollector } from '@trellis/server/features/knowledge/extraction/collector.ts';
import { extractDocx } from '@trellis/server/features/knowledge/extraction/docx.ts';
import { extractEmail } from '@trellis/server/features/knowledge/extraction/email.ts';
import { ExtractionError } from '@trellis/server/features/knowledge/extraction/errors.ts';
import { extractHtml } from '@trellis/server/features/knowledge/extraction/html.ts';
import { extractPdf } from '@trellis/server/features/knowledge/extraction/pdf.ts';
import { extractPlain } from '@trellis/server/features/knowledge/extraction/plain.ts';
import { extractRtf } from '@trellis/server/features/knowledge/extraction/rtf.ts';
import { extractXlsx } from '@trellis/server/features/knowledge/extraction/xlsx.ts';
import { defaultExtractionLimits } from '@trellis/server/features/knowledge/extraction.ts';
import { buildDocx, buildPdf, paragraph } from '../support/documents.ts';
import { createRow, createWorkbook } from '../support/workbook.ts';

const limits = defaultExtractionLimits;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-growth-'));
});
after(() => rm(folder, { recursive: true, force: true }));

type Read = (file: number, into: TextCollector) => unknown;
const html: Read = (file, into) => extractHtml(file, limits, into);
const docx: Read = (file, into) => extractDocx(file, limits, into);
const pdf: Read = (file, into) => extractPdf(file, limits, into);
const rtf: Read = (file, into) => extractRtf(file, limits, into);
const xlsx: Read = (file, into) => extractXlsx(file, limits, into);
const email: Read = (file, into) => extractEmail(file, limits, into);
const plain: Read = (file, into) => extractPlain(file, limits, into);

interface Hostile {
  readonly name: string;
  readonly read: Read;
  /** Its size at the smallest; the other is eight times as large. */
  readonly size: number;
  readonly build: (size: number) => string | Buffer;
}

const marks = '\u0300\u0316';
const hostile: readonly Hostile[] = [
  { name: 'HTML, nested', read: html, size: 50_000, build: (size) => `<html>${'<div>'.repeat(size)}x` },
  {
    name: 'HTML, nested and closed by names that are not open',
    read: html,
    size: 50_000,
    build: (size) => `<html>${'<i>'.repeat(size)}${'</b>'.repeat(size)}x`,
  },
  {
    name: 'HTML, nested and closed in the wrong order',
    read: html,
    size: 50_000,
    build: (size) => `<html>${'<div><span>'.repeat(size)}${'</div>x'.repeat(size)}`,
  },
  {
    name: 'HTML, forms inside of forms',
    read: html,
    size: 50_000,
    build: (size) => `<html>${'<div><form>'.repeat(size)}x`,
  },
  {
    name: 'HTML, marks by reference',
    read: html,
    size: 20_000,
    build: (size) => `<html>a${'&#768;&#790;'.repeat(size)}`,
  },
  {
    name: 'HTML, a comment without an end',
    read: html,
    size: 500_000,
    build: (size) => `<html>x<!-- ${'-'.repeat(size)}`,
  },
  {
    name: 'DOCX, nested paragraphs',
    read: docx,
    size: 1_200,
    build: (size) => buildDocx(`${'<w:p>'.repeat(size)}x${'</w:p>'.repeat(size)}`),
  },
  {
    name: 'DOCX, nested paragraphs that each declare a name space',
    read: docx,
    size: 1_200,
    build: (size) => buildDocx(`${'<w:p xmlns:v="urn:v">'.repeat(size)}x${'</w:p>'.repeat(size)}`),
  },
  {
    name: 'DOCX, many paragraphs',
    read: docx,
    size: 20_000,
    build: (size) => buildDocx(paragraph('x').repeat(size)),
  },
  {
    name: 'DOCX, attributes of one element',
    read: docx,
    size: 20_000,
    build: (size) => {
      const attributes = Array.from({ length: size }, (_, index) => `w:a${index}="b"`).join(' ');
      return buildDocx(`<w:p ${attributes}>x</w:p>`);
    },
  },
  {
    name: 'DOCX, name spaces of one element',
    read: docx,
    size: 20_000,
    build: (size) => {
      const names = Array.from({ length: size }, (_, index) => `xmlns:a${index}="urn:a"`).join(' ');
      return buildDocx(`<w:p ${names}>x</w:p>`);
    },
  },
  { name: 'plain text, marks', read: plain, size: 40_000, build: (size) => `a${marks.repeat(size)}` },
  {
    name: 'Markdown, nested quotes and brackets',
    read: plain,
    size: 200_000,
    build: (size) => '> ['.repeat(size),
  },
  { name: 'CSV, quotes', read: plain, size: 200_000, build: (size) => '"","'.repeat(size) },
  {
    name: 'CSV, line ends and control characters',
    read: plain,
    size: 200_000,
    build: (size) => '\r\n\u0085\v\u0001'.repeat(size),
  },
  {
    name: 'PDF, hyphens at line ends',
    read: pdf,
    size: 2_000,
    build: (size) => buildPdf(['a- \t'.repeat(size)]),
  },
  {
    name: 'RTF, groups',
    read: rtf,
    size: 1_200,
    build: (size) => `{\\rtf1 ${'{\\b x'.repeat(size)}${'}'.repeat(size)}}`,
  },
  {
    name: 'RTF, notes and characters of two bytes',
    read: rtf,
    size: 20_000,
    build: (size) => `{\\rtf1\\ansicpg932 ${"{\\footnote x}\\'93\\'8c".repeat(size)}}`,
  },
  {
    name: 'e-mail, header fields',
    read: email,
    size: 10_000,
    build: (size) => `From: a@example.com\r\n${'X-A: =?utf-8?Q?=C3?=\r\n'.repeat(size)}\r\nText`,
  },
  {
    name: 'e-mail, boundaries',
    read: email,
    size: 2_000,
    build: (size) =>
      `From: a@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(size)}`,
  },
  {
    name: 'XLSX, a format of numbers without an end',
    read: xlsx,
    size: 20_000,
    build: (size) =>
      Buffer.from(
        createWorkbook({ sheets: [{ name: 'S', rows: createRow(1, ['x']) }], formats: ['['.repeat(size)] }),
      ),
  },
  {
    name: 'XLSX, shared texts of many parts',
    read: xlsx,
    size: 20_000,
    build: (size) =>
      Buffer.from(
        createWorkbook({
          sheets: [{ name: 'S', rows: '<row r="1"><c t="s"><v>0</v></c></row>' }],
          strings: `<si>${'<r><t>x</t></r>'.repeat(size)}</si>`,
        }),
      ),
  },
  {
    name: 'PDF, marks',
    read: pdf,
    size: 20_000,
    build: (size) => buildPdf(['x '.repeat(size)]),
  },
];

/** A growth that is not linear is measured as often as this before it counts. */
const mostRuns = 4;

/** Processor time of one reading, in ms. */
async function measure({ read, build }: Hostile, size: number): Promise<number> {
  const path = join(folder, 'file');
  await writeFile(path, build(size));
  const file = openSync(path, 'r');
  try {
    const started = process.cpuUsage();
    try {
      await read(file, new TextCollector(limits.characters));
    } catch (error) {
      // A refusal is valid as well.
      assert.ok(error instanceof ExtractionError, String(error));
    }
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  } finally {
    closeSync(file);
  }
}

for (const file of hostile) {
  test(`linear cost: ${file.name}`, async (context) => {
    await measure(file, file.size);
    // Eight times the input costs eight times as much, or 64 times if the growth is quadratic. The shortest of several runs
    // counts: whatever else the process does only adds to its time.
    let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const isLinear = () => large < 24 * (small + 5);
    for (let runs = 0; runs < mostRuns && !isLinear(); runs += 1) {
      small = Math.min(small, await measure(file, file.size));
      large = Math.min(large, await measure(file, 8 * file.size));
    }
    const found = `${small.toFixed(1)} ms, eight times as much: ${large.toFixed(1)} ms`;
    context.diagnostic(found);
    assert.ok(isLinear(), found);
  });
}
