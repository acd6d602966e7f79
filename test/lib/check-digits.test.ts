import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigitModulo11, removeSeparators } from '@trellis/schema/values/check-digits.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

test('removeSeparators leaves everything but dashes, spaces and invisible characters', () => {
  assert.equal(
    removeSeparators('\u200e978-3\u201016\u2011148\u2212410 0\u00a0\u2013\u00ad\ufeff'),
    '9783161484100',
  );
  assert.equal(removeSeparators('a_b.c/d\te\n'), 'a_b.c/d\te\n');
});

test('checkDigitModulo11 makes the weighted sum a multiple of 11', (context) => {
  checkProperty(
    context,
    fastCheck.property(fastCheck.stringMatching(/^[0-9]{1,12}$/), (digits) => {
      const checkDigit = checkDigitModulo11(digits);
      const values = Array.from(digits, Number);
      values.push(checkDigit === 'X' ? 10 : Number(checkDigit));
      const sum = values.reverse().reduce((total, value, index) => total + value * (index + 1), 0);
      assert.equal(sum % 11, 0);
    }),
  );
});
