import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PhoneFault, parsePhone, parsePhoneQuery, readPhone } from '@trellis/schema/values/phone.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const anyCountry = fastCheck.constantFrom(
  'DE',
  'US',
  'GB',
  'IT',
  'FR',
  'RU',
  'JP',
  'BR',
  'AR',
  'MX',
  'AU',
  'CN',
);

/** Digits in groups, as numbers are written, with or without a plus sign or zeros in front. */
const anyNotation = fastCheck
  .tuple(
    fastCheck.constantFrom('', '+', '0', '00', '(0)'),
    fastCheck.array(fastCheck.stringMatching(/^[0-9]{1,5}$/), { minLength: 1, maxLength: 5 }),
    fastCheck.constantFrom('', ' ', '-', '.', '/', ' \u2013 '),
  )
  .map(([before, groups, separator]) => before + groups.join(separator));

describe('parsePhone', () => {
  test('reads international notations', () => {
    for (const number of [
      ...[
        '+493012345678',
        '+49 30 12345678',
        '+49 (0)30 / 123 456-78',
        '+49.30.1234.5678',
        ' +49\t30\u00a012345678 ',
      ],
      ...[
        '+49 30 12345678 ext. 12',
        '+49 30 12345678x12',
        '+493012345678;ext=12',
        '＋４９３０１２３４５６７８',
      ],
      ...['\u202a+49 30 12345678\u202c', '+٤٩٣٠١٢٣٤٥٦٧٨', '+49\u201130\u201112345678'],
    ]) {
      assert.equal(parsePhone(number, null), '+493012345678', number);
      assert.equal(parsePhone(number, 'US'), '+493012345678', number);
    }
    assert.equal(parsePhone('+800 1234 5678', null), '+80012345678');
  });

  test('reads national notations with their country', () => {
    for (const [number, country, expected] of [
      ['030 12345678', 'DE', '+493012345678'],
      ['0049 30 12345678', 'DE', '+493012345678'],
      ['011 49 30 12345678', 'US', '+493012345678'],
      ['(415) 555-2671', 'US', '+14155552671'],
      ['020 7946 0018', 'GB', '+442079460018'],
      ['01.23.45.67.89', 'FR', '+33123456789'],
      ['8 (495) 123-45-67', 'RU', '+74951234567'],
      ['06 698 12345', 'IT', '+390669812345'],
      ['011 15 2345 6789', 'AR', '+5491123456789'],
    ] as const) {
      assert.equal(parsePhone(number, country), expected);
      // With 00, most countries call abroad.
      const elsewhere = number.startsWith('00') ? expected : null;
      assert.equal(parsePhone(number, null), elsewhere, number);
      assert.equal(parsePhone(number, 'AQ'), elsewhere, number);
    }
  });

  test('accepts ranges that are not in use', () => {
    assert.equal(parsePhone('+1 555 123 4567', null), '+15551234567');
  });

  test('refuses text that is not a number, and numbers of a wrong length', () => {
    for (const number of [
      ...[
        '',
        '+',
        '0',
        '+1',
        '+123',
        '+49',
        '+999 12345678',
        '+49 30 1234567890123',
        '1'.repeat(300),
        'phone',
      ],
      ...['+49 30 12345678 or +49 30 12345679', '+49 30 12345678 abc'],
    ]) {
      for (const country of [null, 'US', 'DE']) {
        assert.equal(parsePhone(number, country), null, `${number} ${country}`);
      }
    }
    // Only for its own country, without the area code, and with zeros that lead nowhere.
    for (const [number, country] of [
      ['110', 'DE'],
      ['555-1234', 'US'],
      ['445 8329', 'CA'],
      ['000919', 'AT'],
    ] as const) {
      assert.equal(parsePhone(number, country), null, number);
    }
    for (const country of ['', 'de', 'DEU', 'constructor', '__proto__']) {
      assert.equal(parsePhone('030 12345678', country), null, country);
    }
  });

  test('reads what people and systems write around a number', () => {
    for (const [number, country, expected] of [
      ['+5215512345678', null, '+525512345678'],
      ['+52 1 55 1234 5678', null, '+525512345678'],
      ['0052 1 55 1234 5678', 'DE', '+525512345678'],
      ['044 55 1234 5678', 'MX', '+525512345678'],
      ['+229 97 12 34 56', null, '+2290197123456'],
      ['97 12 34 56', 'BJ', '+2290197123456'],
      ['0049 30 12345678', null, '+493012345678'],
      ['tel:+1-201-555-0123', null, '+12015550123'],
      ['tel:+1-201-555-0123;ext=456', null, '+12015550123'],
      ['tel:555-0123;phone-context=+1201', null, '+12015550123'],
      ['TEL:201-555-0123', 'US', '+12015550123'],
      ['Tel.: +49 30 12345678', null, '+493012345678'],
      ['Fax: 030 12345678', 'DE', '+493012345678'],
      ['+49 30 12345678 Durchwahl 12', null, '+493012345678'],
      ['030 12345678 DW 12', 'DE', '+493012345678'],
      ['030 12345678 App. 5', 'DE', '+493012345678'],
      ['(201) 555-0123 extension 7', 'US', '+12015550123'],
      ['201-555-0123 #7', 'US', '+12015550123'],
      ['201-555-0123,,7#', 'US', '+12015550123'],
      ['1-800-FLOWERS', 'US', '+18003569377'],
      ['1-800-MATTRESS', 'US', '+18006288737'],
      ['+1 800 flowers', null, '+18003569377'],
      ['0800 REIMANN', 'DE', '+498007346266'],
    ] as const) {
      assert.equal(parsePhone(number, country), expected, number);
    }
  });

  test('takes what only the country of the number can dial, without an international form', () => {
    for (const [number, country] of [
      ['110', 'DE'],
      ['311', 'US'],
      ['555-1234', 'US'],
      ['030 1234567890123', 'DE'],
    ] as const) {
      assert.deepEqual(readPhone(number, country), { e164: null, fault: null }, number);
      assert.equal(readPhone(number, null).fault, 'country', number);
    }
  });

  test('says why a text is refused', () => {
    const reasons: readonly (readonly [string, string | null, PhoneFault])[] = [
      ['', 'DE', 'text'],
      ['call me', 'US', 'text'],
      ['n/a', 'US', 'text'],
      ['hunter2', 'US', 'text'],
      ['12 Monkeys', 'US', 'text'],
      ['030 1234567 or 030 7654321', 'DE', 'text'],
      ['12', 'DE', 'too short'],
      ['12345678901234567890', 'DE', 'too long'],
      ['1'.repeat(300), null, 'too long'],
      ['+49', null, 'too short'],
      ['+1 23', null, 'too short'],
      ['+49 30 1234567890123456', null, 'too long'],
      ['+999 123 456 789', 'DE', 'calling code'],
      ['030 1234567', null, 'country'],
      ['030 1234567', 'AQ', 'country'],
    ];
    for (const [number, country, fault] of reasons)
      assert.deepEqual(readPhone(number, country), { e164: null, fault }, number);
  });

  test('parses its own result again, whatever the country', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyNotation, anyCountry, anyCountry, (number, country, other) => {
        const parsed = parsePhone(number, country);
        if (parsed !== null) {
          assert.match(parsed, /^\+[1-9][0-9]{1,14}$/);
          assert.equal(parsePhone(parsed, other), parsed);
          assert.equal(parsePhone(parsed, null), parsed);
        }
      }),
      3000,
    );
  });
});

describe('parsePhoneQuery', () => {
  test('returns the digits to search for', () => {
    for (const [text, country, expected] of [
      ['+49 30 123', null, ['4930123']],
      ['+49 (0)30 123', null, ['4930123']],
      ['+49 030 123', null, ['4930123']],
      ['030 123', 'DE', ['30123']],
      ['030 123', null, ['30123']],
      ['(030) 123', 'AQ', ['30123']],
      ['0049 30 123', 'DE', ['4930123']],
      ['0049 30 123', null, ['4930123']],
      ['011 49 30 123', 'US', ['114930123', '4930123']],
      ['8 495 123', 'RU', ['8495123', '7495123']],
      ['8 (495) 123-45-67', 'RU', ['84951234567', '74951234567']],
      ['2671', 'US', ['2671']],
      ['0114', 'US', ['114']],
      ['555.2671', null, ['5552671']],
      ['\u202a+49 30 123\u202c', null, ['4930123']],
      ['٠٣٠ ١٢٣', 'DE', ['30123']],
      ['415 555 2671 ext. 5', 'US', ['14155552671']],
      ['2001 Odyssey', 'US', []],
    ] as const) {
      assert.deepEqual(parsePhoneQuery(text, country), expected, text);
    }
  });

  test('returns nothing for other texts and for too few digits', () => {
    for (const text of [
      '',
      '+',
      '00',
      '12',
      '0012',
      '+1',
      'abc',
      'abc 123',
      '+49 abc',
      'jane@example.com',
      '()',
      '₂₃₄',
    ]) {
      for (const country of [null, 'DE']) {
        assert.deepEqual(parsePhoneQuery(text, country), [], text);
      }
    }
  });

  test('finds a number by every notation and every part of it', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyNotation, anyCountry, fastCheck.nat(10), (number, country, start) => {
        const parsed = parsePhone(number, country);
        if (parsed !== null) {
          assert.ok(
            parsePhoneQuery(number, country).some((digits) => parsed.includes(digits)),
            `${number} ${country}`,
          );
          const part = parsed.slice(1).slice(start, start + 5);
          assert.ok(
            part.replace(/^0+/, '').length < 3 ||
              parsePhoneQuery(part, country).some((digits) => parsed.includes(digits)),
          );
        }
      }),
      2000,
    );
  });
});
