import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeDoi } from '@trellis/schema/values/doi.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const anySuffix = fastCheck.oneof(
  fastCheck.string({ minLength: 1, unit: 'binary' }),
  fastCheck.stringMatching(/^[-._;()/:A-Za-z0-9<>%#?é]+$/),
  // A letter that composes with the mark only when it is small, and one that is an ASCII letter once composed.
  fastCheck.constantFrom('H\u0331', '\u212a', '\u037e'),
);

test('normalizeDoi accepts the ways in which DOIs are written', () => {
  for (const [text, doi] of [
    ['10.1000/182', '10.1000/182'],
    ['https://doi.org/10.1000/182', '10.1000/182'],
    ['http://dx.doi.org/10.1000/182', '10.1000/182'],
    ['HTTPS://WWW.DOI.ORG/10.1000/182', '10.1000/182'],
    ['doi:10.1000/182', '10.1000/182'],
    ['DOI: 10.1000/182', '10.1000/182'],
    ['doi 10.1000/182', '10.1000/182'],
    ['doi.org/10.1000/182', '10.1000/182'],
    ['DOI: dx.doi.org/10.1000/182', '10.1000/182'],
    ['info:doi/10.1000/182', '10.1000/182'],
    ['urn:doi:10.1000/182', '10.1000/182'],
    ['doi:https://doi.org/10.1000/182 ', '10.1000/182'],
    ['10.1038/NATURE.2014.15681', '10.1038/nature.2014.15681'],
    ['10.1002/(SICI)1097-4571<1::AID-ASI1>3.0.CO;2-#', '10.1002/(sici)1097-4571<1::aid-asi1>3.0.co;2-#'],
    ['https://doi.org/10.1002/a%3C1%3E%23?utm=x#y', '10.1002/a<1>#'],
    ['https://doi.org/10.1000/%E2%84%AA', '10.1000/k'],
    ['10.1000/a%3C', '10.1000/a%3c'],
    ['10.1000.10/123', '10.1000.10/123'],
    ['10.123456789/x', '10.123456789/x'],
    ['10.1000/a/b', '10.1000/a/b'],
    ['10.1000/ÀE\u0301', '10.1000/ÀÉ'],
  ] as const) {
    assert.equal(normalizeDoi(text), doi);
  }
});

test('normalizeDoi refuses everything else', () => {
  for (const text of [
    ...[
      '',
      '10.1000',
      '10.1000/',
      '10.100/1',
      '10.1234567890/1',
      '11.1000/1',
      '10.1000./1',
      '10.a000/1',
      '/10.1000/1',
    ],
    ...[
      '10.1000/a b',
      '10.1000/a\u00a0b',
      '10.1000/a\u200bb',
      '10.1000/a\tb',
      'see 10.1000/1',
      'DOI10.1000/1',
    ],
    ...[
      'https://doi.org/',
      'https://doi.org/10.1000/%',
      'https://doi.org/10.1000/%20',
      'https://doi.org/10.1000/%ff',
    ],
    ...['https://doi.org.example/10.1000/1', 'https://example.com/10.1000/1', 'ftp://doi.org/10.1000/1'],
  ]) {
    assert.equal(normalizeDoi(text), null, text);
  }
});

test('normalizeDoi is idempotent and ignores ASCII letter case', (context) => {
  checkProperty(
    context,
    fastCheck.property(anySuffix, (suffix) => {
      const doi = normalizeDoi(`10.1000/${suffix}`);
      if (doi !== null) {
        assert.equal(normalizeDoi(doi), doi);
        assert.equal(normalizeDoi(`https://doi.org/${encodeURIComponent(doi)}`), doi);
        const upperCase = doi.replace(/[a-z]/g, (letter) => letter.toUpperCase());
        assert.equal(normalizeDoi(upperCase), doi);
      }
    }),
    2000,
  );
});
