import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const anyInstantMs = fastCheck
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map(Number);

describe('toInstant', () => {
  test('writes UTC with milliseconds', () => {
    assert.equal(toInstant(0), '1970-01-01T00:00:00.000Z');
    assert.equal(toInstant(new Date('2026-01-31T10:30:00.5+01:00')), '2026-01-31T09:30:00.500Z');
    assert.equal(toInstant(1.9), '1970-01-01T00:00:00.001Z');
    assert.equal(toInstant(-0.1), '1969-12-31T23:59:59.999Z');
  });

  test('refuses years that four digits cannot express', () => {
    for (const date of [
      Number.NaN,
      new Date('x'),
      Number.POSITIVE_INFINITY,
      253_402_300_800_000,
      -62_135_596_800_001,
    ]) {
      assert.throws(() => toInstant(date), RangeError);
    }
    assert.equal(toInstant(253_402_300_799_999), '9999-12-31T23:59:59.999Z');
    assert.equal(toInstant(-62_135_596_800_000), '0001-01-01T00:00:00.000Z');
  });
});

describe('parseInstant', () => {
  test('reads back every instant, with any offset', (context) => {
    const anyOffset = fastCheck.tuple(fastCheck.constantFrom(1, -1), fastCheck.nat(23), fastCheck.nat(59));
    checkProperty(
      context,
      fastCheck.property(anyInstantMs, anyOffset, (instantMs, [sign, hours, minutes]) => {
        assert.equal(parseInstant(toInstant(instantMs)), instantMs);
        const localMs = instantMs + sign * (hours * 60 + minutes) * 60_000;
        const local = new Date(localMs).toISOString();
        if (/^(?!0000)\d{4}-/.test(local)) {
          const pad = (value: number): string => String(value).padStart(2, '0');
          const offset = `${sign < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
          assert.equal(parseInstant(local.replace('Z', offset)), instantMs);
        }
      }),
      1000,
    );
  });

  test('accepts the forms of RFC 3339', () => {
    const sameInstant = Date.UTC(1985, 3, 12, 23, 20, 50, 520);
    for (const text of [
      '1985-04-12T23:20:50.52Z',
      '1985-04-12t23:20:50.520z',
      '1985-04-12T23:20:50.520999999+00:00',
      '1985-04-12T23:20:50.52-00:00',
      '1985-04-13T01:20:50.52+02:00',
    ]) {
      assert.equal(parseInstant(text), sameInstant, text);
    }
    assert.equal(parseInstant('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29));
    assert.equal(parseInstant('0099-01-01T00:00:00Z'), Date.parse('0099-01-01T00:00:00.000Z'));
  });

  test('counts a leap second as the following second, and accepts it only at the end of a month', () => {
    assert.equal(parseInstant('1990-12-31T23:59:60Z'), Date.UTC(1991, 0, 1));
    assert.equal(parseInstant('1990-12-31T15:59:60.5-08:00'), Date.UTC(1991, 0, 1, 0, 0, 0, 500));
    assert.equal(parseInstant('1990-12-30T23:59:60Z'), null);
    assert.equal(parseInstant('1990-12-31T22:59:60Z'), null);
    assert.equal(parseInstant('1990-12-31T23:59:61Z'), null);
  });

  test('refuses everything else', () => {
    for (const text of [
      '',
      '2026-01-31',
      '2026-01-31T09:30:00',
      '2026-01-31 09:30:00Z',
      '2026-01-31T09:30Z',
      '2026-01-31T09:30:00.Z',
      '2026-01-31T09:30:00.1234567890Z',
      '2026-01-31T09:30:00,5Z',
      '2026-01-31T09:30:00+01',
      '2026-01-31T09:30:00+0100',
      '2026-01-31T09:30:00+24:00',
      '2026-01-31T09:30:00+01:60',
      '2026-01-31T24:00:00Z',
      '2026-01-31T09:60:00Z',
      '2026-02-29T00:00:00Z',
      '2100-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '+02026-01-31T09:30:00Z',
      '20260131T093000Z',
      ' 2026-01-31T09:30:00Z',
      '2026-01-31T09:30:00Z\n',
      '٢٠٢٦-01-31T09:30:00Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
    ]) {
      assert.equal(parseInstant(text), null, text);
    }
  });
});
