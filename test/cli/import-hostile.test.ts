/** Files that were made to take hours or all memory: their readers need time in proportion to their size, or refuse them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildRecord } from '@trellis/importer/build-record.ts';
import { simplify } from '@trellis/importer/columns.ts';
import { ImportStopped, UsageError } from '@trellis/importer/errors.ts';
import { detectText } from '@trellis/importer/readers/detect.ts';
import { FrontMatterError, splitPost } from '@trellis/importer/readers/front-matter.ts';
import { hostOf, withLastPart } from '@trellis/importer/readers/wordpress.ts';
import { convertBody } from '@trellis/importer/readers/wordpress-body.ts';
import { nameColumn, readNumberStyle } from '@trellis/importer/readers/xlsx/cell-values.ts';
import { readWrittenAmount } from '@trellis/importer/written-numbers.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { strToU8 } from 'fflate';
import { findSuperlinear } from '../support/growth.ts';
import { toFile } from '../support/source-file.ts';
import { openFile, readFile } from '../support/source-rows.ts';
import { createWorkbook } from '../support/workbook.ts';

/** Runs what may refuse its input. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof FrontMatterError)) throw error;
  }
}

const lines = (count: number, toLine: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${toLine(index)}\n`).join('');

/** Builds a contact whose cells are lists of e-mail addresses and of their labels. */
function buildEmails(size: number): unknown {
  const addresses = Array.from({ length: size }, (_, index) => `a${index}@example.com`).join(';');
  const cells = new Map([
    ['address', addresses],
    ['label', 'work;'.repeat(size).slice(0, -1)],
  ]);
  const members = new Map([['emails', [{ constants: {}, cells }]]]);
  const row = { values: new Map(), members, modes: new Map(), repairs: [], faults: [] };
  return buildRecord(resourceByName('contacts'), row, false);
}

test('readers need time in proportion to the length of hostile texts', () => {
  const cases: [what: string, size: number, work: (size: number) => unknown][] = [
    [
      'document types without an end',
      1_500,
      (size) => detectText('a', `${'<!DOCTYPE['.repeat(size / 10)}${']'.repeat(size)}`, false),
    ],
    ['comments without an end', 4_000, (size) => detectText('a', '<!--'.repeat(size / 4), false)],
    ['addresses of blogs', 20_000, (size) => hostOf(`https://a${'/'.repeat(size)}b`)],
    ['addresses of posts', 20_000, (size) => withLastPart(`/${'a'.repeat(size)}//`, 'b')],
    ['quotation marks in JSON', 20_000, (size) => splitPost(`{"${'\\"'.repeat(size / 2)}`)],
    ['names in YAML', 2_000, (size) => splitPost(`---\n${lines(size, (index) => `a${index}: 1`)}---\n`)],
    [
      'references in YAML',
      2_000,
      (size) =>
        splitPost(
          `---\n${lines(size, (index) => `a${index}: &b${index} 1`)}${lines(size, (index) => `c${index}: *b${index}`)}---\n`,
        ),
    ],
    ['amounts of money', 2_000, (size) => readWrittenAmount(`1${' '.repeat(size)}a b`, null)],
    ['slugs', 2_000, (size) => makeSlug('\u0300\u0316'.repeat(size), 100)],
    ['names of columns', 2_000, (size) => simplify('\uff9e\u0316'.repeat(size))],
    ['members of list items', 500, buildEmails],
    ['formats of numbers', 60, (size) => readNumberStyle(200, `${'0'.repeat(size)}x`)],
  ];
  for (const [what, size, work] of cases) {
    assert.equal(
      findSuperlinear(size, (length) => attempt(() => work(length))),
      null,
      what,
    );
  }
});

test('a text cannot be multiplied by marks of the reader that it contains', () => {
  const mark = '<pre data-kept="0">';
  assert.equal(convertBody(`<pre>a</pre>\n\n${mark}`), `<pre>a</pre>\n\n${mark}`);
});

test('the Markdown of a post of Ghost is found in its cards, not in texts that look like one', async () => {
  const card = ['markdown', { cardName: 'markdown', markdown: 'A **text**' }];
  const cases: [mobiledoc: string, body: string | undefined][] = [
    [JSON.stringify({ version: '0.3.1', cards: [['hr', {}], card] }), 'A **text**'],
    [
      JSON.stringify({ cards: [['card-markdown', { markdown: '["markdown",{"markdown":"no"}]' }]] }),
      '["markdown",{"markdown":"no"}]',
    ],
    ['["markdown",{'.repeat(100_000), undefined],
    ['not JSON', undefined],
  ];
  for (const [mobiledoc, body] of cases) {
    const posts = [{ id: '1', title: 'One', mobiledoc }];
    const [row] = await readFile(
      toFile('ghost.json', JSON.stringify({ db: [{ meta: {}, data: { posts } }] })),
    );
    assert.equal(typeof row === 'object' ? row['(body)'] : row, body);
  }
});

test('names that repeat in YAML are refused with their line, and references up to a number are read', () => {
  assert.throws(
    () => splitPost('---\na: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n---\n'),
    /line 6: Map keys must be unique/,
  );
  const references = (count: number) =>
    splitPost(
      `---\n${lines(count, (index) => `a${index}: &a${index} x`)}b:\n${lines(count, (index) => `- *a${index}`)}---\n`,
    );
  assert.deepEqual(references(100).metadata.b, Array(100).fill('x'));
  assert.throws(() => references(101), /refers to anchors more than 100 times/);
});

test('a post with too long an address has none, and its former slugs do not multiply it', async () => {
  const wordpress = (link: string) =>
    toFile(
      'export.xml',
      `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><item><title>A</title><link>${link}</link><wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>old</wp:meta_value></wp:postmeta><wp:post_type>post</wp:post_type></item></channel></rss>`,
    );
  const addresses = async (link: string) => {
    for await (const row of (await openFile(wordpress(link))).read()) {
      return 'unreadable' in row ? row.unreadable : row.addresses;
    }
    return null;
  };
  assert.deepEqual(await addresses('https://a.example/2020/new/'), ['/2020/new/', '/2020/old/']);
  assert.deepEqual(await addresses(`https://a.example/${'a'.repeat(3_000)}/new/`), ['/old/']);
});

test('workbooks cannot make their readers go through gigabytes of rows without a value', async () => {
  const empty = `<worksheet><sheetData>${`<row a="${'a'.repeat(8_000)}"/>`.repeat(2_050)}</sheetData></worksheet>`;
  const sheets = Array.from({ length: 9 }, (_, index) => ({ name: `S${index}`, rows: '' }));
  const links = sheets.map(
    (_, index) => `<Relationship Id="r${index + 1}" Type="x/worksheet" Target="worksheets/sheet1.xml"/>`,
  );
  const bytes = createWorkbook(
    { sheets },
    {
      'xl/worksheets/sheet1.xml': strToU8(empty),
      'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${links.join('')}</Relationships>`),
    },
  );
  await assert.rejects(openFile(toFile('book.xlsx', bytes)), (error) => {
    return error instanceof ImportStopped && /too many rows without a value/.test(error.message);
  });
});

test('a workbook cannot make a row of gigabytes by cells that refer to one long text', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `<c t="inlineStr"><is><t>c${index}</t></is></c>`);
  const shared = '<c t="s"><v>0</v></c>';
  const open = (rows: string, after = '') =>
    createWorkbook({
      sheets: [{ name: 'S', rows: `<row r="1">${names.join('')}</row>${rows}`, after }],
      strings: `<si><t>${'a'.repeat(1_000_000)}</t></si>`,
    });
  const filled = open(`<row r="2">${shared.repeat(names.length)}</row>`);
  // Each row begins a merged cell, which all later rows have as well.
  const columns = names.map((_, index) => [nameColumn(index), index + 2] as const);
  const merged = open(
    columns
      .map(([column, row]) => `<row r="${row}">${shared.replace('<c', `<c r="${column}${row}"`)}</row>`)
      .join(''),
    `<mergeCells>${columns.map(([column, row]) => `<mergeCell ref="${column}${row}:${column}400"/>`).join('')}</mergeCells>`,
  );
  for (const bytes of [filled, merged]) {
    await assert.rejects(readFile(toFile('book.xlsx', bytes)), (error) => {
      return error instanceof ImportStopped && /more than 1048576 characters/.test(error.message);
    });
  }
});
