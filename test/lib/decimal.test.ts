import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastCheck from 'fast-check';
import {
  canonicalizeDecimal,
  decimalPattern,
  isSignedDecimal,
  signedDecimalPattern,
} from '../../src/lib/decimal.ts';
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

/** The amount with as many of the zeros at its end as asked for and as it has. */
function write(millionths: bigint, zeros: number): string {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0');
  let fraction = digits.slice(-6);
  for (let dropped = 6 - zeros; dropped > 0 && fraction.endsWith('0'); dropped -= 1) {
    fraction = fraction.slice(0, -1);
  }
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}

const largest = '999999999999999.999999';

/** As JSON Schema has it: for amounts that take no sign. */
const unsigned = new RegExp(decimalPattern, 'u');

describe('isSignedDecimal', () => {
  test('accept amounts', () => {
    for (const text of ['0', '0.00', '0.000001', '1', '19.90', '10', '1000000', largest]) {
      assert.ok(isSignedDecimal(text) && unsigned.test(text), text);
    }
    for (const text of ['-1', '-0.01', '-19.90', `-${largest}`]) {
      assert.ok(isSignedDecimal(text) && !unsigned.test(text), text);
    }
  });

  test('refuse everything else', () => {
    for (const text of [
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
      ...[
        '1 000',
        ' 1',
        '1\n',
        '0x1',
        'NaN',
        'Infinity',
        '１',
        '1.2.3',
        '1.0000000',
        '1000000000000000',
        '$1',
      ],
    ]) {
      assert.ok(!unsigned.test(text) && !isSignedDecimal(text), text);
    }
  });

  test('are what the patterns for JSON Schema say', () => {
    assert.ok(unsigned.test('19.90') && !unsigned.test('-1'));
    assert.ok(
      new RegExp(signedDecimalPattern, 'u').test('-1') && !new RegExp(signedDecimalPattern, 'u').test('-0'),
    );
  });

  test('accept what can be written', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyAmount, ({ millionths, text }) => {
        assert.equal(isSignedDecimal(text), true);
        assert.equal(unsigned.test(text), millionths >= 0n);
      }),
    );
  });
});

describe('canonicalizeDecimal', () => {
  test('drops what does not change the amount', () => {
    for (const [text, canonical] of [
      ['19.90', '19.9'],
      ['019.900', '19.9'],
      ['+19.9', '19.9'],
      ['100', '100'],
      ['100.000000', '100'],
      ['-0.00', '0'],
      ['0', '0'],
      ['000', '0'],
      ['-0.50', '-0.5'],
      ['1.5000000000', '1.5'],
      [`000${largest}000`, largest],
    ] as const) {
      assert.equal(canonicalizeDecimal(text), canonical);
    }
  });

  test('refuses what is no decimal and what is too long', () => {
    for (const text of [
      '',
      '.5',
      '5.',
      '1e3',
      '1,5',
      ' 1',
      '1\n',
      '--1',
      '+-1',
      '0.0000001',
      '1000000000000000',
    ]) {
      assert.equal(canonicalizeDecimal(text), null, text);
    }
    assert.equal(canonicalizeDecimal(`${'0'.repeat(1_000_000)}x`), null);
  });

  test('gives equal amounts one form and changes it no further', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyAmount, ({ millionths, text }) => {
        const canonical = canonicalizeDecimal(text);
        assert.equal(canonical, write(millionths, 0));
        assert.equal(canonicalizeDecimal(canonical), canonical);
        assert.equal(isSignedDecimal(canonical), true);
      }),
    );
  });
});
