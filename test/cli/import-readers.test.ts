/** The readers of files to import: the rows that they make of hostile contents, without a server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repairLanguage } from '@trellis/importer/convert.ts';
import { UsageError } from '@trellis/importer/errors.ts';
import { openCsv } from '@trellis/importer/readers/csv.ts';
import { findHeading, findReasonToSkip, openMarkdown } from '@trellis/importer/readers/markdown.ts';
import { openNdjson } from '@trellis/importer/readers/ndjson.ts';
import type { Source } from '@trellis/importer/source.ts';
import { findSuperlinear, hostileUnits } from '../support/growth.ts';
import { toFile } from '../support/source-file.ts';

const openTable = (content: string | Buffer) =>
  openCsv(toFile('table.csv', content), { columns: null, delimiter: ',' });

/** The rows: the place of each with its values, or with the reason why it cannot be read. */
async function readRows(source: Source) {
  const rows: [string, unknown[] | string][] = [];
  for await (const row of source.read())
    rows.push([row.place, 'unreadable' in row ? row.unreadable : [...row.fields.values()]]);
  return rows;
}

test('a row with more cells than are read is refused, and the others are read', async () => {
  const many = ','.repeat(2_000);
  const source = await openTable(`name,notes\n1,2\n${many}\n${many}x\n3,4${many}\n,\n5,6,,,\n`);
  assert.deepEqual(await readRows(source), [
    ['line 2', ['1', '2']],
    ['line 3', 'The row has 2001 cells; at most 1000 are read.'],
    ['line 4', 'The row has 2001 cells; at most 1000 are read.'],
    ['line 5', 'The row has 2002 cells; at most 1000 are read.'],
    ['line 7', ['5', '6']],
  ]);
  assert.deepEqual([...source.skipped], [['empty rows', 1]]);
});

test('a header with more columns than are read is refused, even when the first ones have no name', async () => {
  for (const header of [`${','.repeat(999)},x`, 'x,'.repeat(1_000), ','.repeat(1_000)]) {
    await assert.rejects(openTable(`${header}\n1\n`), (error) => {
      assert.ok(error instanceof UsageError);
      assert.equal(error.message, 'The file has 1001 columns; at most 1000 are read.');
      return true;
    });
  }
  const largest = await openTable(`${Array.from({ length: 1_000 }, (_, index) => `c${index}`).join(',')}\n`);
  assert.equal(largest.columns?.length, 1_000);
});

test('each cell, line and file is decoded once, and a second time only when it is not valid', async (context) => {
  const rows = 'ä,b,c\n'.repeat(100);
  const foreign = Buffer.concat([Buffer.from('d,'), Buffer.from([0xff]), Buffer.from(',e\n')]);
  const lines = '{"name":"a"}\n'.repeat(100);
  const table = await openTable(Buffer.concat([Buffer.from(`1,2,3\n${rows}`), foreign]));
  const ndjson = openNdjson(toFile('lines.ndjson', Buffer.concat([Buffer.from(lines), foreign])));
  const post = openMarkdown('post.md', [toFile('post.md', '# Title\n')], new Map());
  const decode = context.mock.method(TextDecoder.prototype, 'decode');
  const counts = [];
  for (const source of [table, ndjson, post]) {
    decode.mock.resetCalls();
    const { length } = await readRows(source);
    counts.push([length, decode.mock.callCount()]);
  }
  // Of a line that is not valid, the parser of JSON decodes both ways as well.
  assert.deepEqual(counts, [
    [101, 3 * 101 + 1],
    [101, 101 + 2],
    [1, 1],
  ]);
});

test('the line of a Markdown file with invalid UTF-8 or a NUL character is told, also after U+FFFD itself', async () => {
  const post = (...parts: readonly (string | number)[]) =>
    toFile(
      'post.md',
      Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'string' ? part : [part]))),
    );
  const files = [
    post('\ufffd\n\ufffd', 0xff, '\n\ufffd'),
    post(0xc3, '\n'),
    post('é\n\n', 0xf0, 0x9f, 0x98),
    post('\ufeffé\ufffd\r\na', 0, '\n'),
    post('\ufffd\n'),
  ];
  assert.deepEqual(
    (await readRows(openMarkdown('posts', files, new Map()))).map(([, row]) => row),
    [
      'The file is not valid UTF-8 in line 2. Save it as UTF-8.',
      'The file is not valid UTF-8 in line 1. Save it as UTF-8.',
      'The file is not valid UTF-8 in line 3. Save it as UTF-8.',
      'The file has a NUL character in line 2. Remove it.',
      ['\ufffd\n', 'post', 'post'],
    ],
  );
});

test('the title of a post without one is its first heading, as CommonMark reads it', () => {
  const headings: [body: string, heading: string | undefined][] = [
    ['# Title\n', 'Title'],
    ['text\n\n#\t Title  \r\n', 'Title'],
    ['# Title ##  \n', 'Title'],
    ['# Learning C#\n', 'Learning C#'],
    ['# C# #', 'C#'],
    ['# \n#\n# ##\n##\n# Title\r', 'Title'],
    ['#Title\n## Title\n #\n', undefined],
  ];
  for (const [body, heading] of headings) assert.equal(findHeading(body), heading, JSON.stringify(body));
});

test('headings and languages are read in time that grows with their length', () => {
  for (const unit of [...hostileUnits, '# ', '# \n', ' #']) {
    const heading = findSuperlinear(20_000, (size) => findHeading(`# a${unit.repeat(size / unit.length)}x`));
    assert.equal(heading, null, `heading ${JSON.stringify(unit)}`);
    const language = findSuperlinear(20_000, (size) =>
      repairLanguage(`${unit.repeat(size / unit.length)}\n`),
    );
    assert.equal(language, null, `language ${JSON.stringify(unit)}`);
  }
});

test('the format of a file of a folder is told by its name as anywhere else', () => {
  assert.equal(findReasonToSkip('Post.MarkDown'), null);
  assert.equal(findReasonToSkip('post.md'), null);
  assert.equal(findReasonToSkip('post.txt'), 'files that are not posts');
  assert.equal(findReasonToSkip('.post.md'), 'hidden files and folders');
});
