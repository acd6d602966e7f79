import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  classOf,
  countWords,
  hasRunOfMarks,
  mark,
  other,
  wordCharacter,
} from '@trellis/schema/values/characters.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** Texts in which words, marks, apostrophes and characters beyond the first plane stand next to each other. */
const text = fastCheck
  .array(
    fastCheck.oneof(
      fastCheck.constantFrom(
        'a',
        'é',
        '字',
        '5',
        ' ',
        "'",
        '’',
        '-',
        '\u0300',
        '\u0316',
        '𝒜',
        '𑀀',
        '😀',
        '\ud835',
      ),
      fastCheck.string({ unit: 'binary', maxLength: 1 }),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join(''));

test('every code point has the class that Unicode gives it', () => {
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const expected = /[\p{L}\p{N}]/u.test(character)
      ? wordCharacter
      : /\p{M}/u.test(character)
        ? mark
        : other;
    if (classOf(code) !== expected) assert.fail(`U+${code.toString(16)}: ${classOf(code)}, not ${expected}`);
  }
});

test('words are runs of letters and digits with the marks and apostrophes inside', (context) => {
  assert.equal(countWords(''), 0);
  assert.equal(countWords("the gardener's hat"), 3);
  assert.equal(countWords("'quoted' words -- and 3 more"), 5);
  checkProperty(
    context,
    fastCheck.property(text, (it) => {
      assert.equal(countWords(it), it.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu)?.length ?? 0);
    }),
  );
});

test('runs of marks are found at any position', (context) => {
  assert.equal(hasRunOfMarks(`a${'\u0300'.repeat(30)}`, 30), false);
  assert.equal(hasRunOfMarks(`a${'\u0300'.repeat(31)}`, 30), true);
  checkProperty(
    context,
    fastCheck.property(text, fastCheck.integer({ min: 0, max: 3 }), (it, most) => {
      assert.equal(hasRunOfMarks(it, most), new RegExp(`\\p{M}{${most + 1}}`, 'u').test(it));
    }),
  );
});
