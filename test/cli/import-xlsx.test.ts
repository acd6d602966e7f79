/** Workbooks of spreadsheet programs: the rows that are read of them, and what hostile ones do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportStopped, UsageError } from '@trellis/importer/errors.ts';
import { readNumberStyle, showNumber } from '@trellis/importer/readers/xlsx/cell-values.ts';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { toFile } from '../support/source-file.ts';
import { openFile, readFile, readPlaces } from '../support/source-rows.ts';
import { createRow, createWorkbook } from '../support/workbook.ts';

const toWorkbook = (...parts: Parameters<typeof createWorkbook>) =>
  toFile('book.xlsx', createWorkbook(...parts));
const header = createRow(1, ['Name', 'ISBN', 'Note']);

test('cells of every kind are read as people see them, and numbers exactly', async () => {
  const cells: [xml: string, value: string | undefined][] = [
    ['<c t="s"><v>0</v></c>', 'Ada Example'],
    ['<c t="inlineStr"><is><r><t>Ada </t></r><r><rPr><b/></rPr><t>Example</t></r></is></c>', 'Ada Example'],
    ['<c t="s"><v>1</v></c>', '東京'],
    ['<c t="str"><f>A1</f><v>result</v></c>', 'result'],
    ['<c t="s"><v>2</v></c>', 'two\nlines'],
    ['<c><v>9780306406157</v></c>', '9780306406157'],
    ['<c><v>9.780306406157E12</v></c>', '9780306406157'],
    ['<c><v>9.9900000000000002</v></c>', '9.99'],
    ['<c><v>-0.5</v></c>', '-0.5'],
    ['<c s="1"><v>1067</v></c>', '01067'],
    ['<c s="2"><v>37658</v></c>', '2003-02-06'],
    ['<c s="3"><v>37658.4375</v></c>', '2003-02-06 10:30:00'],
    ['<c s="4"><v>37653</v></c>', '2003-02'],
    ['<c s="5"><v>0.4375</v></c>', '10:30:00'],
    ['<c s="6"><v>12.5</v></c>', '12.5'],
    ['<c t="d"><v>2003-02-06T00:00:00</v></c>', '2003-02-06'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="b"><v>0</v></c>', 'FALSE'],
    ['<c t="e"><v>#N/A</v></c>', undefined],
    ['<c><f>A1+1</f></c>', undefined],
    ['<c s="1"/>', undefined],
  ];
  const rows = cells.map(([xml], index) => `<row r="${index + 2}"><c t="str"><v>row</v></c>${xml}</row>`);
  const source = await openFile(
    toWorkbook({
      sheets: [{ name: 'S', rows: createRow(1, ['Kind', 'Value']) + rows.join('') }],
      strings:
        '<si><t>Ada Example</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>two_x000D_\nlines</t></si>',
      formats: ['00000', 14, 'yyyy\\-mm\\-dd hh:mm', 17, 20, '#,##0.00\\ &quot;days&quot;'],
    }),
  );
  const read = (await readPlaces(source)).map(([, row]) => (typeof row === 'string' ? row : row.Value));
  assert.deepEqual(
    read,
    cells.map(([, value]) => value),
  );
  assert.deepEqual([...source.skipped.values()], [1, 1]);
});

test('formats of numbers', () => {
  const cases: [id: number, code: string | null, number: string, shown: string, isFrom1904?: boolean][] = [
    [0, null, '1', '1'],
    [14, null, '1', '1900-01-01'],
    [14, null, '59', '1900-02-28'],
    [14, null, '61', '1900-03-01'],
    [14, null, '0', '1904-01-01', true],
    [14, null, '36196', '2003-02-06', true],
    [22, null, '37658.5', '2003-02-06 12:00:00'],
    [22, null, '37658', '2003-02-06'],
    [164, 'dd/mm/yyyy', '37658', '2003-02-06'],
    [164, '[$-407]d. mmmm yyyy;@', '37658', '2003-02-06'],
    [164, 'yyyy', '37658', '2003'],
    [164, 'yyyy"年"m"月"', '37658', '2003-02'],
    [164, '[h]:mm:ss', '0.5', '12:00:00'],
    [164, '000\\-00\\-0000', '12345678', '012-34-5678'],
    [164, '(000) 000-0000', '5550100123', '(555) 010-0123'],
    [164, '00000', '1234567', '1234567'],
    [164, '0', '12', '12'],
    [164, '0.00', '9.5', '9.5'],
    [164, '#,##0', '1234', '1234'],
    [164, '[Red]#,##0;[Blue]-#,##0', '1234', '1234'],
    [164, '"day "0', '3', '3'],
    [164, '@', '37658', '37658'],
    [164, '0.00E+00', '9780306406157', '9780306406157'],
    [14, null, '99999999', '99999999'],
    [14, null, 'x', 'x'],
  ];
  for (const [id, code, number, shown, isFrom1904 = false] of cases) {
    assert.equal(showNumber(number, readNumberStyle(id, code), isFrom1904), shown, `${code} ${number}`);
  }
});

test('the first visible sheet with rows is read, another one if it is named', async () => {
  const file = toWorkbook({
    sheets: [
      { name: 'Cover', rows: '' },
      { name: 'Old', rows: header + createRow(2, ['hidden']), isHidden: true },
      { name: 'People', rows: header + createRow(2, ['Ada', 1, 'x']) },
      { name: 'More', rows: header + createRow(2, ['Bo']) },
    ],
  });
  assert.deepEqual(await readFile(file), [{ Name: 'Ada', ISBN: '1', Note: 'x' }]);
  assert.deepEqual((await openFile(file)).parts, { names: ['People', 'Old', 'More'], chosen: 'People' });
  assert.deepEqual(await readFile(file, { sheet: 'more' }), [{ Name: 'Bo' }]);
  assert.match(String((await openFile(file, { sheet: 'Old' })).notes), /hidden/);
  for (const [sheet, sentence] of [
    ['Cover', '--sheet: the sheet "Cover" has no rows. Sheets with rows: "Old", "People", "More".'],
    [
      'Nothing',
      '--sheet: the sheet "Nothing" is not in the file. Sheets with rows: "Old", "People", "More".',
    ],
  ] as const) {
    await assert.rejects(openFile(file, { sheet }), new UsageError(sentence));
  }
});

test('titles above the table, empty and hidden rows, merged cells and columns without a name', async () => {
  const source = await openFile(
    toWorkbook({
      sheets: [
        {
          name: 'S',
          rows: `${createRow(2, ['Our books'])}<row r="4"><c r="A4" t="str"><v>Publisher</v></c><c r="B4" t="str"><v> Title
 of book </v></c></row><row r="5"><c r="A5" t="str"><v>Example Press</v></c><c r="B5" t="str"><v>One</v></c></row><row r="6" hidden="1"><c r="B6" t="str"><v>Two</v></c><c r="D6" t="str"><v>extra</v></c></row><row r="7"/><row r="8"><c r="B8" t="str"><v>Three</v></c></row>`,
          after: '<mergeCells count="1"><mergeCell ref="A5:A7"/></mergeCells>',
        },
      ],
    }),
  );
  assert.deepEqual(source.columns, ['Publisher', 'Title of book', 'column D']);
  assert.deepEqual(await readPlaces(source), [
    ['row 5', { Publisher: 'Example Press', 'Title of book': 'One' }],
    ['row 6', { Publisher: 'Example Press', 'Title of book': 'Two', 'column D': 'extra' }],
    ['row 8', { 'Title of book': 'Three' }],
  ]);
  assert.deepEqual(source.notes, [
    'The names of the columns are in row 4.',
    'One row is hidden in the file; it is imported like the others.',
  ]);
});

test('titles of several cells are told from the header, which can be chosen', async () => {
  const rows = [
    createRow(1, ['Members']),
    createRow(2, ['as of', '2024']),
    createRow(3, ['Name', 'City', 'Phone', 'Note']),
    createRow(4, ['Ada', 'Ulm', '1', 'x']),
    createRow(5, ['Ben', 'Bonn', '2', 'y']),
    createRow(6, ['printed by', 'Cleo']),
  ].join('');
  const file = toWorkbook({ sheets: [{ name: 'S', rows }] });
  assert.deepEqual((await openFile(file)).columns, ['Name', 'City', 'Phone', 'Note']);
  assert.deepEqual((await openFile(file, { headerLine: 4 })).columns, ['Ada', 'Ulm', '1', 'x']);
  await assert.rejects(
    openFile(file, { headerLine: 9 }),
    new UsageError('--header-line: row 9 of the sheet is empty.'),
  );
  // A header that lacks a name, or two of four, is none the less the first row.
  for (const names of [['Name'], ['Name', 'City'], ['Name', 'City', 'Phone']]) {
    const narrow =
      createRow(1, names) + createRow(2, ['Ada', 'Ulm', '1']) + createRow(3, ['Ben', 'Bonn', '2']);
    const { columns } = await openFile(toWorkbook({ sheets: [{ name: 'S', rows: narrow }] }));
    assert.equal(columns?.[0], names.length === 1 ? 'Ada' : 'Name');
  }
});

test('a workbook without a header takes names; its rejected rows are JSON lines', async () => {
  const source = await openFile(toWorkbook({ sheets: [{ name: 'S', rows: createRow(1, ['Ada', 7]) }] }), {
    columns: ['name', 'n'],
  });
  for await (const row of source.read()) {
    const rejected = source.formatRejected(
      { place: row.place, externalId: null, reasons: ['Not this.'] },
      row.original,
    );
    assert.equal(
      Buffer.from(rejected).toString(),
      '{"rejected_because":"row 1: Not this.","name":"Ada","n":"7"}\n',
    );
  }
});

test('strict workbooks, prefixes and absolute targets are read', async () => {
  const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
  const file = toWorkbook(
    { sheets: [{ name: 'S', rows: '' }] },
    {
      '_rels/.rels': strToU8(
        `<Relationships><Relationship Id="r1" Type="${strict}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        `<Relationships><Relationship Id="r1" Type="${strict}/worksheet" Target="/xl/worksheets/a.xml"/></Relationships>`,
      ),
      'xl/worksheets/a.xml': strToU8(
        '<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c t="str"><x:v>Name</x:v></x:c><x:c t="str"><x:v>B</x:v></x:c></x:row><x:row><x:c t="str"><x:v>Ada</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      ),
    },
  );
  assert.deepEqual(await readFile(file), [{ Name: 'Ada' }]);
});

test('damaged and hostile workbooks are refused in a sentence', async () => {
  const whole = createWorkbook({ sheets: [{ name: 'S', rows: header + createRow(2, ['Ada']) }] });
  const bomb = (path: string, text: string) =>
    createWorkbook({ sheets: [{ name: 'S', rows: header }] }, { [path]: strToU8(text) });
  const laughs = `<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>`;
  const cases: [bytes: Uint8Array, sentence: RegExp][] = [
    [whole.subarray(0, whole.length - 30), /damaged or incomplete/],
    [whole.subarray(0, 40), /damaged or incomplete/],
    [
      bomb('xl/worksheets/sheet1.xml', `<s>${`<a x="${' '.repeat(2_000)}"/>`.repeat(10_000)}</s>`),
      /too large/,
    ],
    [bomb('xl/worksheets/sheet1.xml', `<s>${' '.repeat(17_000_000)}</s>`), /a text has more than 16777216/],
    [bomb('xl/sharedStrings.xml', laughs), /declares entities/],
    [bomb('xl/worksheets/sheet1.xml', '<row>'.repeat(200)), /nested more than 100 deep/],
    [bomb('xl/worksheets/sheet1.xml', '<worksheet><sheetData><row><c>'), /cannot be read beyond line 1/],
    [bomb('xl/worksheets/sheet1.xml', `<row>${'<c/>'.repeat(200_001)}</row>`), /more than 200000 elements/],
    [
      createWorkbook({ sheets: [{ name: 'S', rows: createRow(1, ['A', 'A']) }] }),
      /Two columns have the name "A"/,
    ],
    [createWorkbook({ sheets: [{ name: 'S', rows: '' }] }), /has no rows: all its sheets are empty/],
    [
      // Cut by a program that copies parts.
      zipSync(
        Object.fromEntries(
          Object.entries(
            unzipSync(createWorkbook({ sheets: [{ name: 'S', rows: createRow(1, ['A']) }] })),
          ).filter(([name]) => !name.includes('sheet1')),
        ),
      ),
      /incomplete: its part "xl\/worksheets\/sheet1\.xml" is missing.*save it again/,
    ],
    [createWorkbook({ sheets: [] }), /has no sheet with cells.* save them as CSV/],
  ];
  for (const [bytes, sentence] of cases) {
    await assert.rejects(readFile(toFile('book.xlsx', bytes)), (error) => {
      assert.ok(error instanceof ImportStopped || error instanceof UsageError, String(error));
      assert.match(error.message, sentence);
      return true;
    });
  }
  const encrypted = Uint8Array.from(whole);
  // The flag of each entry in the directory.
  for (let at = 0; at < encrypted.length - 4; at += 1) {
    if (encrypted[at] === 0x50 && encrypted[at + 1] === 0x4b && encrypted[at + 2] === 1)
      encrypted[at + 8] = 1;
  }
  await assert.rejects(readFile(toFile('book.xlsx', encrypted)), /protected by a password/);
});

test('bytes that look like a further file within a stored one are part of that one', async () => {
  const inner = createWorkbook({ sheets: [{ name: 'Inner', rows: createRow(1, ['wrong', 'x']) }] });
  const file = toWorkbook(
    { sheets: [{ name: 'S', rows: header + createRow(2, ['Ada']) }] },
    { 'a/first.bin': [inner, { level: 0 }] },
  );
  assert.deepEqual(await readFile(file), [{ Name: 'Ada' }]);
});
