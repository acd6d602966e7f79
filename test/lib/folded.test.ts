/** The positions of a folded text must equal those of a simple implementation that folds character by character. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { foldText } from '@trellis/schema/values/text.ts';
import { foldWithPlaces } from '@trellis/server/kernel/lib/folded.ts';
import { Random } from '../fuzz/random.ts';
import { chooseSeed } from '../support/seed.ts';

/** The simple implementation: the folded text, and the original position of each of its code units and of its end. */
function foldOneByOne(text: string): { folded: string; places: number[] } {
  const places: number[] = [];
  let folded = '';
  let index = 0;
  for (const character of text) {
    const one = foldText(character);
    folded += one;
    for (let unit = 0; unit < one.length; unit += 1) places.push(index);
    index += character.length;
  }
  return { folded, places: [...places, text.length] };
}

const pieces = [
  'plain',
  'A',
  ' ',
  'é',
  'e\u0301',
  '\u0301\u0302',
  'ß',
  'ﬃ',
  '😀',
  '𝔸',
  'Straße',
  'Ǆ',
  '漢字',
  'Σ',
  'ﷺ',
  '\n',
  'Å',
];

test('every position in a folded text is that of the original character', (context) => {
  const random = new Random(chooseSeed(context), 'folded places');
  for (let round = 0; round < 2_000; round += 1) {
    const text = Array.from({ length: random.integer(0, 12) }, () => random.pick(pieces)).join('');
    const { folded, placeOf } = foldWithPlaces(text);
    const expected = foldOneByOne(text);
    assert.equal(folded, expected.folded);
    assert.deepEqual(
      Array.from({ length: folded.length + 1 }, (_, index) => placeOf(index)),
      expected.places,
      JSON.stringify(text),
    );
  }
});
