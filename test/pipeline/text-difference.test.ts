/** Differences of texts: an old text made of a new one and the differences since, beside texts that were kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOfTexts, OldText } from '@trellis/server/kernel/pipeline/text-difference.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const text = fastCheck.string({ unit: fastCheck.constantFrom('a', 'b', '😀', '😁', 'é', ' ') });

test('every older text is made again by taking the differences back', (context) => {
  checkProperty(
    context,
    fastCheck.property(fastCheck.array(text, { minLength: 2, maxLength: 12 }), (texts) => {
      const newest = texts.at(-1) ?? '';
      const old = new OldText(newest);
      for (let place = texts.length - 2; place >= 0; place -= 1) {
        const [before = '', after = ''] = texts.slice(place, place + 2);
        const [was, is, from, kept] = differenceOfTexts(before, after);
        assert.equal(after.slice(from, after.length - kept), is);
        assert.ok(was.isWellFormed() && is.isWellFormed());
        old.replace(from, kept, was);
        assert.equal(old.read(), before);
      }
    }),
  );
});

test('thousands of differences are taken back, also across the pieces of earlier ones', () => {
  const texts = ['x'.repeat(2_000)];
  for (let number = 1; number <= 3_000; number += 1) {
    const last = texts.at(-1) ?? '';
    const from = (number * 7_919) % (last.length - 40);
    texts.push(`${last.slice(0, from)}${number}${last.slice(from + (number % 40))}`.padEnd(200, '.'));
  }
  const old = new OldText(texts.at(-1) ?? '');
  for (let place = texts.length - 2; place >= 0; place -= 1) {
    const [was, , from, kept] = differenceOfTexts(texts[place] ?? '', texts[place + 1] ?? '');
    old.replace(from, kept, was);
    if (place % 97 === 0) assert.equal(old.read(), texts[place]);
  }
  assert.equal(old.read(), texts[0]);
});
