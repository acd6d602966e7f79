import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isbn10To13, isbn13To10, normalizeIsbn13 } from '@trellis/schema/values/isbn.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** ISBN-13s made by the rule of ISO 2108 itself: the sum of the digits times 1, 3, 1, 3 ends with 0. */
const anyIsbn13 = fastCheck.stringMatching(/^(978[0-9]|979[1-9])[0-9]{8}$/).map((digits) => {
  const candidates = Array.from('0123456789', (checkDigit) => digits + checkDigit);
  return candidates.find((candidate) => weightedSum(candidate) % 10 === 0) ?? '';
});

function weightedSum(digits: string): number {
  return Array.from(digits, Number).reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0);
}

describe('normalizeIsbn13', () => {
  test('accepts hyphens, dashes and spaces of all kinds', () => {
    for (const text of [
      '9783161484100',
      '978-3-16-148410-0',
      '978 3 16 148410 0',
      ' 978\u20113\u201116\u2011148410\u20110 ',
      '978\u2013 3\u00a016\u2009148410\u22120',
      '\u200e978-3161484100',
    ]) {
      assert.equal(normalizeIsbn13(text), '9783161484100', text);
    }
    assert.equal(normalizeIsbn13('979-10-90636-07-1'), '9791090636071');
  });

  test('accepts ten digits, labels before the number and qualifiers behind it', () => {
    for (const text of [
      '3-16-148410-X',
      '316148410x',
      'ISBN 3-16-148410-X',
      'ISBN-10: 3-16-148410-X',
      'ISBN-13: 978-3-16-148410-0',
      'ISBN 978-3-16-148410-0 (pbk.)',
      'ISBN\u201113 978-3-16-148410-0 [hardcover]',
      'e-ISBN: 9783161484100',
      'isbn (print) 9783161484100',
      'urn:isbn:9783161484100',
    ]) {
      assert.equal(normalizeIsbn13(text), '9783161484100', text);
    }
  });

  test('refuses text that is not an ISBN-13', () => {
    for (const text of [
      ...[
        '',
        '978',
        '978316148410',
        '97831614841000',
        '9783161484101',
        '9783161484010',
        '3-16-148410-0',
        '3-16-148410',
      ],
      ...['977-2049363006', '9793161484100', '978316148410X', 'ISSN 9783161484100', 'ISBN', '978.3161484100'],
      ...['9783161484100\n', '９７８３１６１４８４１００', '٩٧٨٣١٦١٤٨٤١٠٠'],
    ]) {
      assert.equal(normalizeIsbn13(text), null, text);
    }
  });

  test('refuses numbers of printed music', () => {
    assert.equal(weightedSum('9790260000438') % 10, 0);
    assert.equal(normalizeIsbn13('979-0-2600-0043-8'), null);
  });

  test('accepts every ISBN, is idempotent, and detects every wrong digit', (context) => {
    const anyMistake = fastCheck.tuple(anyIsbn13, fastCheck.nat(12), fastCheck.integer({ min: 1, max: 9 }));
    checkProperty(
      context,
      fastCheck.property(anyMistake, ([isbn, position, difference]) => {
        assert.equal(normalizeIsbn13(isbn), isbn);
        const wrong = (Number(isbn[position]) + difference) % 10;
        assert.equal(normalizeIsbn13(isbn.slice(0, position) + wrong + isbn.slice(position + 1)), null);
      }),
    );
  });

  test('detects swapped neighbours, except those that differ by five', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyIsbn13, fastCheck.integer({ min: 4, max: 11 }), (isbn, position) => {
        const difference = Math.abs(Number(isbn[position]) - Number(isbn[position + 1]));
        const swapped = swapAt(isbn, position);
        assert.equal(normalizeIsbn13(swapped), difference % 5 === 0 ? swapped : null);
      }),
      2000,
    );
  });

  test('reads every ISBN with separators anywhere', (context) => {
    const anySeparators = fastCheck.array(
      fastCheck.constantFrom('', '-', ' ', '\u2011', '\u00a0', '\u200b'),
      {
        minLength: 14,
        maxLength: 14,
      },
    );
    checkProperty(
      context,
      fastCheck.property(anyIsbn13, anySeparators, (isbn, separators) => {
        const written = Array.from(isbn, (digit, index) => (separators[index] ?? '') + digit).join('');
        assert.equal(normalizeIsbn13(written + separators[13]), isbn);
      }),
    );
  });
});

/** ISBN-10s by the rule of ISO 2108:1992: the characters times 10, 9 and so on to 1 add up to a multiple of 11. */
const anyIsbn10 = fastCheck.stringMatching(/^[0-9]{9}$/).map((digits) => {
  const candidates = Array.from('0123456789X', (checkDigit) => digits + checkDigit);
  return candidates.find((candidate) => sumOf10(candidate) % 11 === 0) ?? '';
});

function sumOf10(characters: string): number {
  return Array.from(characters).reduce(
    (sum, character, index) => sum + (character === 'X' ? 10 : Number(character)) * (10 - index),
    0,
  );
}

/** The text with a character and its right neighbour in each other's place. */
function swapAt(text: string, position: number): string {
  const [before, first, second] = [text.slice(0, position), text.charAt(position), text.charAt(position + 1)];
  return before + second + first + text.slice(position + 2);
}

describe('isbn13To10 and isbn10To13', () => {
  test('detect every wrong digit and every swap of neighbours in an ISBN-10', (context) => {
    checkProperty(
      context,
      fastCheck.property(
        anyIsbn10,
        fastCheck.nat(9),
        fastCheck.nat(8),
        fastCheck.nat(10),
        (isbn10, position, swapped, other) => {
          assert.ok(isbn10To13(isbn10) !== null);
          const character = other === 10 ? 'X' : String(other);
          const wrong = isbn10.slice(0, position) + character + isbn10.slice(position + 1);
          assert.equal(isbn10To13(wrong) !== null, wrong === isbn10, wrong);
          const turned = swapAt(isbn10, swapped);
          assert.equal(isbn10To13(turned) !== null, turned === isbn10, turned);
        },
      ),
      3000,
    );
  });

  test('convert published pairs', () => {
    for (const [isbn10, isbn13] of [
      ['316148410X', '9783161484100'],
      ['0306406152', '9780306406157'],
      ['080442957X', '9780804429573'],
    ] as const) {
      assert.equal(isbn10To13(isbn10), isbn13);
      assert.equal(isbn13To10(isbn13), isbn10);
    }
    assert.equal(isbn10To13('3-16-148410-x'), '9783161484100');
    assert.equal(isbn13To10('978-3-16-148410-0'), '316148410X');
  });

  test('refuse numbers without a counterpart', () => {
    for (const text of [
      '',
      '3161484100',
      '0306406153',
      '306406152',
      '03064061520',
      '9783161484100',
      '30640615X2',
    ]) {
      assert.equal(isbn10To13(text), null, text);
    }
    for (const text of ['', '9791090636071', '9783161484101', '3161484100']) {
      assert.equal(isbn13To10(text), null, text);
    }
  });

  test('are inverse to each other', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyIsbn13, (isbn13) => {
        const isbn10 = isbn13To10(isbn13);
        assert.equal(isbn10 === null, isbn13.startsWith('979'));
        assert.ok(isbn10 === null || isbn10To13(isbn10) === isbn13, isbn13);
      }),
    );
  });
});
