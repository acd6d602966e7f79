import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalPattern } from '@trellis/schema/values/decimal.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const largestMillionths = 10n ** 21n - 1n;

/** An amount in millionths, often a round one, and one way to write it. */
const anyAmount = fastCheck
  .tuple(
    fastCheck.oneof(
      fastCheck.bigInt({ min: -largestMillionths, max: largestMillionths }),
      fastCheck.bigInt({ min: -500n, max: 500n }).map((hundredths) => hundredths * 10_000n),
    ),
    fastCheck.nat(6),
  )
  .map(([millionths, zeros]) => ({ millionths, text: write(millionths, zeros) }));

/** The amount without some of the zeros at its end. */
function write(millionths: bigint, zeros: number): string {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0');
  let fraction = digits.slice(-6);
  for (let dropped = 6 - zeros; dropped > 0 && fraction.endsWith('0'); dropped -= 1) {
    fraction = fraction.slice(0, -1);
  }
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}

const largest = '999999999999999.999999';

/** As JSON Schema has it. */
const pattern = new RegExp(decimalPattern, 'u');

test('the pattern accepts amounts', () => {
  for (const text of ['0', '0.00', '0.000001', '1', '19.90', '10', '1000000', largest]) {
    assert.match(text, pattern);
  }
});

test('the pattern refuses everything else', () => {
  for (const text of [
    ...['-1', '-0.01', '-19.90', `-${largest}`],
    ...[
      '',
      '-',
      '.',
      '.5',
      '5.',
      '+1',
      '01',
      '00',
      '00.5',
      '-01',
      '-0',
      '-0.00',
      '--1',
      '1e3',
      '1,5',
      '1.000,00',
    ],
    ...['1 000', ' 1', '1\n', '0x1', 'NaN', 'Infinity', '１', '1.2.3', '1.0000000', '1000000000000000', '$1'],
  ]) {
    assert.doesNotMatch(text, pattern);
  }
});

test('the pattern accepts every number without a sign', (context) => {
  checkProperty(
    context,
    fastCheck.property(anyAmount, ({ millionths, text }) => {
      assert.equal(pattern.test(text), millionths >= 0n);
    }),
  );
});
