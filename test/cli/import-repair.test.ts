/** The repairs of values in an import, and the values that are left for the API's rules to refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repairIsbn } from '@trellis/importer/computed.ts';
import {
  repairCountry,
  repairInteger,
  repairLanguage,
  repairPartialDate,
  repairWebAddress,
} from '@trellis/importer/convert.ts';
import { splitList, splitNames } from '@trellis/importer/split.ts';

test('names in one cell are split at semicolons, else at commas, except inverted names and suffixes', () => {
  const cases: [string, string[]][] = [
    ['Mary Shelley', ['Mary Shelley']],
    ['J.K. Rowling, Mary GrandPré', ['J.K. Rowling', 'Mary GrandPré']],
    ['Rowling, J.K.', ['Rowling, J.K.']],
    ['Rowling, J. K.', ['Rowling, J. K.']],
    ['King, Stephen', ['King, Stephen']],
    ['Rowling, J.K.; GrandPré, Mary', ['Rowling, J.K.', 'GrandPré, Mary']],
    ['Homer, Robert Fagles', ['Homer', 'Robert Fagles']],
    ['Homer, Robert Fagles, E.V. Rieu', ['Homer', 'Robert Fagles', 'E.V. Rieu']],
    ['Kurt Vonnegut, Jr.', ['Kurt Vonnegut, Jr.']],
    ['Kurt Vonnegut, Jr., Ada Lovelace', ['Kurt Vonnegut, Jr.', 'Ada Lovelace']],
    [' ; Ada ;', ['Ada']],
  ];
  for (const [text, names] of cases) assert.deepEqual(splitNames(text), names, text);
  assert.deepEqual(splitList('a, b;c,,'), ['a', 'b', 'c']);
  assert.deepEqual(splitList('News|Sport'), ['News', 'Sport']);
});

test('complete ISBNs are kept, damaged ones computed where possible, and lost ones reported', () => {
  const value = (thirteen?: string, other?: string) => repairIsbn(thirteen, other).value;
  assert.equal(value('978-0-14-143947-1'), '9780141439471');
  assert.equal(value('9780141439471.0', undefined), '9780141439471');
  assert.equal(value(undefined, '0141439475'), '9780141439471');
  assert.equal(value('9.78014143947e+12', '141439475'), '9780141439471');
  assert.equal(value('9.78014143947E+12', '141439475.0'), '9780141439471');
  assert.equal(value('0141439475', undefined), '9780141439471');
  assert.equal(value('', undefined), undefined);
  // A valid ISBN-13 takes precedence over a different ISBN-10, without a report, since it was not changed.
  assert.deepEqual(repairIsbn('9780141439471', '439023483'), {
    value: '9780141439471',
    repairs: [],
    fault: null,
  });
  for (const [thirteen, other] of [
    ['9.78067172365e+12', undefined],
    ['9.78067172365e+12', '141439476'],
    ['9780141439470', undefined],
    [undefined, '141439476'],
    [undefined, '1,41439E+08'],
    ['12345', undefined],
  ] as const) {
    const repaired = repairIsbn(thirteen, other);
    assert.equal(repaired.value, undefined, `${thirteen} ${other}`);
    assert.ok(repaired.fault, `${thirteen} ${other}`);
  }
});

test('dates, numbers, languages, countries, addresses', () => {
  const dates: [string, string | undefined][] = [
    ['2008', '2008'],
    ['2008.0', '2008'],
    ['2008-05', '2008-05'],
    ['2008-05-01 00:00:00', '2008-05-01'],
    ['2008/5/1', '2008-05-01'],
    ['1.5.2008', '2008-05-01'],
    ['975.0', '0975'],
    ['-720.0', undefined],
    ['0', undefined],
    // The order of month and day is ambiguous.
    ['5/1/2008', '5/1/2008'],
    ['2008-02-30', '2008-02-30'],
    ['31.02.2008', '31.02.2008'],
  ];
  for (const [text, expected] of dates) assert.equal(repairPartialDate(text).value, expected, text);
  assert.equal(repairInteger('12.0').value, '12');
  assert.equal(repairInteger('12.5').value, '12.5');
  for (const [text, expected] of [
    ['eng', 'en'],
    ['fre', 'fr'],
    ['fra', 'fr'],
    ['ger', 'de'],
    ['en_US', 'en-US'],
    ['German', 'de'],
    ['mul', 'mul'],
  ] as const) {
    assert.equal(repairLanguage(text).value, expected, text);
  }
  assert.equal(repairLanguage('en-US').repair, undefined);
  assert.equal(repairCountry('Germany').value, 'DE');
  assert.equal(repairCountry('united kingdom').value, 'GB');
  assert.equal(repairCountry('de').value, 'DE');
  assert.equal(repairCountry('Atlantis').value, 'Atlantis');
  assert.equal(repairWebAddress('www.example.com/a').value, 'https://www.example.com/a');
  assert.equal(repairWebAddress('javascript:alert(1)').value, 'javascript:alert(1)');
});
