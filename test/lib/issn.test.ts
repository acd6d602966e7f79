import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeIssn } from '@trellis/schema/values/issn.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

test('normalizeIssn returns the printed form', () => {
  for (const [text, issn] of [
    ['0317-8471', '0317-8471'],
    ['03178471', '0317-8471'],
    [' 2049 3630 ', '2049-3630'],
    ['0378\u20135955', '0378-5955'],
    ['2434-561x', '2434-561X'],
    ['1050-124X', '1050-124X'],
    ['ISSN 0317-8471', '0317-8471'],
    ['eISSN: 0317-8471', '0317-8471'],
    ['E-ISSN 0317-8471', '0317-8471'],
    ['ISSN-L: 0317-8471', '0317-8471'],
    ['ISSN (online): 0317-8471', '0317-8471'],
    ['0317-8471 (print)', '0317-8471'],
    ['urn:issn:0317-8471', '0317-8471'],
    ['https://portal.issn.org/resource/ISSN/0317-8471', '0317-8471'],
  ] as const) {
    assert.equal(normalizeIssn(text), issn);
  }
});

test('normalizeIssn refuses everything else', () => {
  for (const text of [
    ...[
      '',
      '0317-8472',
      '0317-847',
      '0317-84711',
      '1050-1240',
      '105X-1240',
      'ISSN',
      'ISBN 0317-8471',
      '0317/8471',
    ],
    ...['977031784701', '０３１７-８４７１', '0317-8471\n'],
  ]) {
    assert.equal(normalizeIssn(text), null, text);
  }
});

test('normalizeIssn accepts one check digit of eleven, is idempotent, and detects swapped digits', (context) => {
  checkProperty(
    context,
    fastCheck.property(fastCheck.stringMatching(/^[0-9]{7}$/), fastCheck.nat(5), (digits, position) => {
      const accepted = Array.from('0123456789X', (checkDigit) => normalizeIssn(digits + checkDigit)).filter(
        (issn) => issn !== null,
      );
      assert.equal(accepted.length, 1);
      const issn = accepted[0] ?? '';
      assert.equal(normalizeIssn(issn), issn);
      const [before, first, second, after] = [
        digits.slice(0, position),
        digits.charAt(position),
        digits.charAt(position + 1),
        digits.slice(position + 2) + issn.slice(-1),
      ];
      assert.equal(normalizeIssn(before + second + first + after), first === second ? issn : null);
    }),
  );
});

test('normalizeIssn detects every wrong character and every swap with the check digit', (context) => {
  checkProperty(
    context,
    fastCheck.property(
      fastCheck.stringMatching(/^[0-9]{7}$/),
      fastCheck.nat(7),
      fastCheck.nat(10),
      (digits, position, other) => {
        const right = Array.from('0123456789X', (checkDigit) => digits + checkDigit).find(
          (issn) => normalizeIssn(issn) !== null,
        );
        assert.ok(right !== undefined);
        const character = other === 10 ? 'X' : String(other);
        const wrong = right.slice(0, position) + character + right.slice(position + 1);
        assert.equal(normalizeIssn(wrong) !== null, wrong === right, wrong);
        const turned = right.slice(0, 6) + right.charAt(7) + right.charAt(6);
        assert.equal(normalizeIssn(turned) !== null, turned === right, turned);
      },
    ),
    3000,
  );
});
