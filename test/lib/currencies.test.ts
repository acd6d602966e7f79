import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCurrency } from '@trellis/schema/values/currencies.ts';

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

test('isCurrency knows the 155 currencies in use, all of them also known to Intl', () => {
  const codes = letters.flatMap((first) =>
    letters.flatMap((second) => letters.map((third) => first + second + third)),
  );
  const current = codes.filter(isCurrency);
  assert.equal(current.length, 155);
  const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
  for (const code of current) {
    assert.ok(names.of(code), `${code} is no currency`);
  }
});

test('isCurrency knows recent changes', () => {
  for (const code of ['EUR', 'USD', 'JPY', 'CHF', 'XOF', 'SLE', 'VED', 'VES', 'XCG', 'ZWG']) {
    assert.equal(isCurrency(code), true, code);
  }
  for (const code of ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL', 'DEM']) {
    assert.equal(isCurrency(code), false, code);
  }
});

test('isCurrency refuses codes that are not in use, and other texts', () => {
  const units = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XAD', 'XDR', 'XSU', 'XUA'];
  for (const code of [...units, 'XBA', 'XAU', 'XAG', 'XTS', 'XXX', 'eur', 'EURO', 'XYZ', '', '€', ' EUR']) {
    assert.equal(isCurrency(code), false, code);
  }
});
