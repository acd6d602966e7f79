/** CSV tables as other systems write them: their encodings, delimiters, line ends, and notes before the header. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '@trellis/importer/errors.ts';
import { type CsvOptions, openCsv } from '@trellis/importer/readers/csv.ts';
import { encodings, readEncoding } from '@trellis/importer/readers/encoding.ts';
import { toFile } from '../support/source-file.ts';

const detected: CsvOptions = { columns: null, delimiter: null };

/** How a table is read, and its rows: their values, or why one cannot be read. */
async function readTable(content: string | Uint8Array, options: Partial<CsvOptions> = {}) {
  const source = await openCsv(toFile('table.csv', content), { ...detected, ...options });
  const rows: (unknown[] | string)[] = [];
  for await (const row of source.read()) {
    rows.push('unreadable' in row ? row.unreadable : [...row.fields.values()]);
  }
  return { columns: source.columns, table: source.table, rows, skipped: [...source.skipped] };
}

/** What the table is, the encoding that is recognized, its bytes in base64, and its first row. */
const tables: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'Western letters',
    'windows-1252',
    'Vm9ybmFtZTtOYWNobmFtZQpK/HJnZW47R3Jv3wpab+s7TfzfaWcK',
    ['Jürgen', 'Groß'],
  ],
  [
    'quotation marks in English',
    'windows-1252',
    'bmFtZSxxdW90ZQpKb2huLEhlIHNhaWQgk2hlbGxvlCBhbmQgZGlkbpJ0IGNhcmUgliByZWFsbHkKQW5uLJNZZXOUCg==',
    ['John', 'He said “hello” and didn’t care – really'],
  ],
  [
    'Polish',
    'windows-1250',
    'SW1p6jtOYXp3aXNrbwqjdWthc3o7V2Gz6nNhCkdyYb95bmE7V2mcbmlld3NrYQo=',
    ['Łukasz', 'Wałęsa'],
  ],
  ['Cyrillic', 'windows-1251', 'yOz/O9Tg7Ojr6P8KyOLg7TvP5fLw7uIKzODw6P870ezo8O3u4uAK', ['Иван', 'Петров']],
  ['Cyrillic of Unix', 'koi8-r', '6c3RO+bBzcnMydEK6dfBzjvwxdTSz9cK7cHSydE7883J0s7P18EK', ['Иван', 'Петров']],
  [
    'Turkish',
    'windows-1254',
    'QWQ7U295YWQ73mVoaXIK3WJyYWhpbTtZ/Wxk/Xo7RXNraf5laGlyCkF5/mU7R/xuZf47RGl5YXJiYWv9cgrHYfBsYXI73mFoaW47TXXwbGEK',
    ['İbrahim', 'Yıldız', 'Eskişehir'],
  ],
  ['Arabic', 'windows-1256', 'x+HH0+Msx+Hjz+3kyQrjzePPLMfh3sfl0ckKw83jzyzP49TeCg==', ['محمد', 'القاهرة']],
  ['Japanese', 'shift_jis', 'lryRTyyTc45zCo2yk6GJ1I5xLJHljeMK', ['佐藤花子', '大阪']],
  ['Japanese of Unix', 'euc-jp', 'zL7BsCzL3Aq6tMajLKSzpLOk7aTIpL2kzqTbpKsK', ['佐藤', 'こころとそのほか']],
  ['Chinese, simplified', 'gb18030', '0NXD+yyzx8rQCsDuu6ossbG+qQo=', ['李华', '北京']],
  ['Chinese, traditional', 'big5', 'qW2mVyyrsKWrCqpMpHCp+iyleKVfCg==', ['林小明', '台北']],
  ['Korean', 'euc-kr', 'wMy4pyy1tb3DCrHow7a89iy8rb/vCg==', ['김철수', '서울']],
  ['the classic Mac OS', 'macintosh', 'Vm9ybmFtZTtPcnQNSp9yZ2VuO0uabG4NWm+RO02fbnN0ZXIN', ['Jürgen', 'Köln']],
  [
    'UTF-16 without a mark',
    'utf-16le',
    'VgBvAHIAbgBhAG0AZQAJAE8AcgB0AA0ACgBKAPwAcgBnAGUAbgAJAEsA9gBsAG4ADQAKAA==',
    ['Jürgen', 'Köln'],
  ],
  [
    'UTF-16 without a mark, high bytes first',
    'utf-16be',
    'WdNUDQAsV85eAgAKZ05TTgAsUxdOrAAK',
    ['李华', '北京'],
  ],
  [
    'UTF-16 with a mark',
    'utf-16le',
    '//5WAG8AcgBuAGEAbQBlADsATwByAHQACgBKAPwAcgBnAGUAbgA7AEsA9gBsAG4ACgA=',
    ['Jürgen', 'Köln'],
  ],
  ['UTF-8 with a mark', 'utf-8', '77u/Vm9ybmFtZTtPcnQKSsO8cmdlbjtLw7Zsbgo=', ['Jürgen', 'Köln']],
];

for (const [what, encoding, content, row] of tables) {
  test(`the encoding of a table is recognized: ${what}`, async () => {
    const bytes = Buffer.from(content, 'base64');
    const { table, rows } = await readTable(bytes);
    assert.equal(table?.encoding, encoding);
    assert.deepEqual(rows[0], row);
    const small = await openCsv(
      {
        name: 'table.csv',
        size: bytes.length,
        async *read() {
          for (const byte of bytes) yield Uint8Array.of(byte);
        },
      },
      detected,
    );
    const firstRows: unknown[] = [];
    for await (const one of small.read()) firstRows.push('fields' in one && [...one.fields.values()]);
    assert.deepEqual(firstRows[0], row, 'also when characters are read in parts');
  });
}

test('a table of any length is recognized by its lines beyond ASCII, also far from its beginning', async () => {
  const ascii = 'Ada;Berlin\n'.repeat(60_000);
  const content = Buffer.concat([
    Buffer.from(`Vorname;Ort\n${ascii}J`),
    Buffer.from([0xfc]),
    Buffer.from('rgen;Bonn\n'),
  ]);
  const { table, rows } = await readTable(content);
  assert.equal(table?.encoding, 'windows-1252');
  assert.deepEqual(rows.at(-1), ['Jürgen', 'Bonn']);
});

test('one row in another encoding does not change how the others are read', async () => {
  const content = Buffer.concat([
    Buffer.from('Vorname;Ort\nZoë;Köln\nJ'),
    Buffer.from([0xfc]),
    Buffer.from('rgen;Bonn\n'),
  ]);
  const { table, rows } = await readTable(content);
  assert.equal(table?.encoding, 'utf-8');
  assert.deepEqual(rows, [
    ['Zoë', 'Köln'],
    'Vorname: Must be valid UTF-8. Choose the encoding of the file, or save it as "CSV UTF-8".',
  ]);
});

test('a wrong guess can be corrected, and bytes that the chosen encoding does not have reject their row', async () => {
  const czech = Buffer.from('Sm6pbm87UPj tm7tCg=='.replace(' ', ''), 'base64');
  assert.equal((await readTable(czech, { encoding: 'windows-1250' })).table?.encoding, 'windows-1250');
  const { rows } = await readTable(
    Buffer.concat([Buffer.from('a,b\n1,'), Buffer.from([0xff]), Buffer.from('\n2,3\n')]),
    {
      encoding: 'Shift-JIS',
    },
  );
  assert.deepEqual(rows, ['b: Has bytes that shift_jis does not have. Choose another encoding.', ['2', '3']]);
  await assert.rejects(readTable('a\n1\n', { encoding: 'klingon' }), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /^--encoding: "klingon" is not known\. Use one of utf-8, /);
    return true;
  });
});

test('encodings are found by every name of the standard', () => {
  const names = {
    latin1: 'windows-1252',
    sjis: 'shift_jis',
    GBK: 'gb18030',
    'UTF-16': 'utf-16le',
    'Windows-1252': 'windows-1252',
  };
  for (const [name, encoding] of Object.entries(names)) assert.equal(readEncoding(name), encoding);
  for (const encoding of encodings) assert.equal(readEncoding(encoding), encoding);
});

const shapes: readonly {
  readonly what: string;
  readonly content: string;
  readonly headerLine: number;
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}[] = [
  {
    what: 'a line that names the delimiter',
    content: 'sep=;\r\na;b\r\n1,5;2,5\r\n',
    headerLine: 2,
    delimiter: ';',
    columns: ['a', 'b'],
    rows: [['1,5', '2,5']],
  },
  {
    what: 'a line that names a delimiter that is no other',
    content: '"sep=^"\na^b,c\n1^2,3\n',
    headerLine: 2,
    delimiter: '^',
    columns: ['a', 'b,c'],
    rows: [['1', '2,3']],
  },
  {
    what: 'carriage returns as line ends',
    content: 'a;b\r1;2\r3;4\r',
    headerLine: 1,
    delimiter: ';',
    columns: ['a', 'b'],
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  },
  {
    what: 'bars',
    content: 'a|b|c\n1|2|3\n',
    headerLine: 1,
    delimiter: '|',
    columns: ['a', 'b', 'c'],
    rows: [['1', '2', '3']],
  },
  {
    what: 'a note with a quoted text before the header',
    content:
      'Notes:\n"Some addresses, as you know, are missing."\n\nFirst,Last,Mail\nA,B,\nC,D,c@example.com\n',
    headerLine: 4,
    delimiter: ',',
    columns: ['First', 'Last', 'Mail'],
    rows: [
      ['A', 'B'],
      ['C', 'D', 'c@example.com'],
    ],
  },
  {
    what: 'a title with the delimiters of a spreadsheet before the header',
    content: 'Adressen 2024;;\n;;\nName;Ort;Mail\nAda;Berlin;\nBo;;b@example.com\n',
    headerLine: 3,
    delimiter: ';',
    columns: ['Name', 'Ort', 'Mail'],
    rows: [
      ['Ada', 'Berlin'],
      ['Bo', 'b@example.com'],
    ],
  },
  {
    what: 'one column whose values have commas now and then',
    content: 'title\nOne, two\nThree\nFour\n',
    headerLine: 1,
    delimiter: ',',
    columns: ['title'],
    rows: [
      'The row has 2 cells instead of 1; the first extra one is " two". Does a cell with a delimiter lack quotation marks?',
      ['Three'],
      ['Four'],
    ],
  },
  {
    what: 'formulas that keep numbers texts',
    content: 'title,isbn\nOne,"=""0306406152"""\nTwo,"="""""\n',
    headerLine: 1,
    delimiter: ',',
    columns: ['title', 'isbn'],
    rows: [['One', '0306406152'], ['Two']],
  },
];

for (const { what, content, rows, columns, headerLine, delimiter } of shapes) {
  test(`the shape of a table is recognized: ${what}`, async () => {
    const read = await readTable(content);
    assert.deepEqual(
      [read.table?.headerLine, read.table?.delimiter, read.columns],
      [headerLine, delimiter, columns],
    );
    assert.deepEqual(read.rows, rows);
  });
}

test('lines before the header are counted, and another line can be chosen as the header', async () => {
  const content = 'Note\nx,y\na,b\n1,2\n';
  const recognized = await readTable(content);
  assert.deepEqual([recognized.table?.headerLine, recognized.skipped], [2, [['lines before the header', 1]]]);
  const chosen = await readTable(content, { headerLine: 3 });
  assert.deepEqual([chosen.columns, chosen.rows], [['a', 'b'], [['1', '2']]]);
  assert.deepEqual(chosen.skipped, [['lines before the header', 2]]);
  assert.deepEqual(
    chosen.table?.firstRows.map(({ line, text }) => `${line}: ${text}`),
    ['1: Note', '2: x · y', '3: a · b', '4: 1 · 2'],
  );
});
