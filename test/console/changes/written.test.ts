/** Values as people type them into forms: what is understood, and what may mean two things and is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDecimal } from '@trellis/schema/values/decimal.ts';
import {
  findOptions,
  listCurrencies,
  listLanguages,
  readAmount,
  readDate,
  readLanguage,
  readOption,
  writeAmount,
  writeDate,
} from '../../../packages/console/src/fields/written.ts';

test('amounts', () => {
  for (const [typed, amount] of [
    ['24,90', '24.90'],
    ['24.90', '24.90'],
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ["1'234.50", '1234.50'],
    ['1 234,5', '1234.5'],
    ['1.234.567', '1234567'],
    ['12', '12'],
  ])
    assert.equal(readAmount(typed ?? ''), amount);
  for (const typed of ['1.234', '1,234', '24,', '24,90 €', '$5', 'abc', '-1', '1,2,3'])
    assert.ok(!isDecimal(readAmount(typed)), typed);
  assert.deepEqual(
    [writeAmount('24.90', 'de'), writeAmount('24.90', 'en'), writeAmount('1,234', 'de')],
    ['24,90', '24.90', '1,234'],
  );
});

test('dates', () => {
  for (const [typed, date] of [
    ['15.03.2027', '2027-03-15'],
    ['15.3.2027', '2027-03-15'],
    ['2027-03-15', '2027-03-15'],
    ['03.2027', '2027-03'],
    ['2027', '2027'],
    ['15. März 2027', '2027-03-15'],
    ['March 15, 2027', '2027-03-15'],
    ['15/03/2027', '2027-03-15'],
    ['03/04/2027', '03/04/2027'],
    ['31.02.2027', '31.02.2027'],
    ['15.03.27', '15.03.27'],
    ['46461', '46461'],
  ])
    assert.equal(readDate(typed ?? ''), date);
  assert.deepEqual(
    [writeDate('2027-03-15', 'de'), writeDate('2027-03', 'de'), writeDate('2027-03-15', 'en')],
    ['15.03.2027', '03.2027', '2027-03-15'],
  );
});

test('currencies by code, name and sign, and no dollar without a country', () => {
  for (const locale of ['en', 'de']) {
    const options = listCurrencies(locale);
    for (const [typed, code] of [
      ['€', 'EUR'],
      ['eur', 'EUR'],
      ['Euro', 'EUR'],
      ['usd', 'USD'],
      ['$', null],
      ['x', null],
      ['', null],
    ] as const)
      assert.equal(readOption(options, typed), code, `${locale} ${typed}`);
    assert.equal(findOptions(options, '€')[0]?.value, 'EUR');
    assert.ok(findOptions(options, '$').length > 5);
  }
  assert.equal(readOption(listCurrencies('de'), 'Schweizer Franken'), null);
});

test('languages by name and tag', () => {
  const options = listLanguages('de');
  assert.equal(readOption(options, 'deutsch'), 'de');
  assert.equal(readOption(listLanguages('en'), 'German'), 'de');
  assert.deepEqual(
    [readLanguage('de-at'), readLanguage('DE'), readLanguage('deutsch'), readLanguage('??')],
    ['de-AT', 'de', null, null],
  );
});
