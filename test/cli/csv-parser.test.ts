/** The parser of CSV files: compared with csv-parse for random texts in random chunks, and its line numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvDefect, CsvParser } from '@trellis/importer/readers/csv-parser.ts';
import { parse as parseReference } from 'csv-parse/sync';
import fc from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const largest = 1_000;
const mostCells = 1_000;

interface Parsed {
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly number[];
  readonly hasDefect: boolean;
}

/** Parses a text that arrives in chunks of these lengths, repeated. */
function parse(text: string, delimiter: string, lengths: readonly number[]): Parsed {
  const bytes = Buffer.from(text);
  const parser = new CsvParser(delimiter, largest, mostCells);
  const rows: string[][] = [];
  const lines: number[] = [];
  const take = (parsed: ReturnType<CsvParser['end']>) => {
    for (const { cells, line } of parsed) {
      rows.push(cells.map((cell) => Buffer.from(cell).toString('utf8')));
      lines.push(line);
    }
  };
  try {
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const length = lengths[index % lengths.length] ?? 1;
      take(parser.parse(bytes.subarray(at, at + length)));
      at += length;
    }
    take(parser.end());
  } catch (error) {
    if (!(error instanceof CsvDefect)) throw error;
    return { rows, lines, hasDefect: true };
  }
  return { rows, lines, hasDefect: false };
}

/** What csv-parse makes of it; null when it refuses the text. */
function parseByReference(text: string, delimiter: string): string[][] | null {
  try {
    return parseReference(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch {
    return null;
  }
}

const chunkLengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

for (const delimiter of [',', ';', '\t', '¦']) {
  test(`rows with the delimiter ${JSON.stringify(delimiter)} are those of csv-parse, however they are cut into chunks`, (context) => {
    const pieces = fc.constantFrom(
      'a',
      'é',
      '"',
      '""',
      delimiter,
      '\r',
      '\n',
      '\r\n',
      ' ',
      `"b${delimiter}"`,
    );
    const texts = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(''));
    checkProperty(
      context,
      fc.property(texts, chunkLengths, (text, lengths) => {
        const { rows, hasDefect } = parse(text, delimiter, lengths);
        const expected = parseByReference(text, delimiter);
        assert.equal(hasDefect, expected === null, 'defect');
        if (expected !== null) assert.deepEqual(rows, expected);
      }),
      2_000,
    );
  });
}

test('a row has the number of its first line, whatever ends the lines', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['a,b', '', '"x', 'y",1', '"\u00e9', '', 'z",2', 'last,3'].join(end);
    assert.deepEqual(parse(text, ',', [3]).lines, [1, 3, 5, 8], JSON.stringify(end));
  }
});

test('rows before a defect are read', () => {
  const long = `a,b\n1,2\n${'x'.repeat(largest + 1)},3\n4,5\n`;
  assert.deepEqual(parse(long, ',', [7]), {
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
    lines: [1, 2],
    hasDefect: true,
  });
  const open = 'a,b\n"1,2\n3,4\n';
  assert.deepEqual(parse(open, ',', [1]), { rows: [['a', 'b']], lines: [1], hasDefect: true });
});

test('every byte of a row counts toward its size, and none twice', () => {
  for (const part of [',', '"",', '""""', '"x"y,', 'x']) {
    const largestRow = part.repeat(Math.floor(largest / part.length));
    for (const lengths of [[1], [7], [largest]]) {
      assert.equal(parse(`${largestRow}\n1,2`, ',', lengths).hasDefect, false, part);
      const { rows, hasDefect } = parse(`1,2\n${largestRow}${part}\n`, ',', lengths);
      assert.deepEqual([rows, hasDefect], [[['1', '2']], true], part);
    }
  }
  const end = '" or not';
  const title = `"${'x'.repeat(largest - end.length - 1)}${end}`;
  assert.deepEqual(parse(title, ',', [3]).rows, [[title]]);
  assert.equal(parse(`${title},`, ',', [3]).hasDefect, true);
});

test('cells beyond the ones that are kept are counted', () => {
  const parser = new CsvParser(',', largest, 3);
  const rows = [...parser.parse(Buffer.from('a,b,c\na,,c,d,\n,,,,\n')), ...parser.end()];
  assert.deepEqual(
    rows.map(({ cells, count }) => [cells.map((cell) => Buffer.from(cell).toString()), count]),
    [
      [['a', 'b', 'c'], 3],
      [['a', '', 'c'], 5],
      [['', '', ''], 5],
    ],
  );
});
