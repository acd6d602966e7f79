import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BodyFormat, countBodyWords } from '@trellis/schema/values/body-words.ts';
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

test('the words of a body are those that readers see', (context) => {
  const cases: readonly (readonly [body: string, format: BodyFormat, words: number])[] = [
    ['**Five** _words_ of `plain` text', 'MARKDOWN', 5],
    ['[Five words](https://example.com/a-long/address_here "T")\nand three more', 'MARKDOWN', 5],
    ['![Two words](/pictures/org_1/pic-2.jpg)', 'MARKDOWN', 2],
    ['See https://example.com/a/b?c=d here', 'MARKDOWN', 3],
    ['<https://example.com/a>', 'MARKDOWN', 1],
    ['A [link][1]\n\n[1]: https://example.com/a/b', 'MARKDOWN', 3],
    ['A note[^1]\n\n[^1]: Three more words', 'MARKDOWN', 7],
    ['Not a link](and so on', 'MARKDOWN', 6],
    ['1 < 2 and 3 > 2 &amp; so on', 'MARKDOWN', 7],
    ['<p class="first one">Two words<br>here</p><!-- no word -->', 'HTML', 3],
    ['One &ndash; two&nbsp;three', 'HTML', 3],
    ['An <open tag', 'HTML', 3],
    ['<!-- an open comment', 'HTML', 3],
  ];
  for (const [body, format, words] of cases) assert.equal(countBodyWords(body, format), words, body);
  checkProperty(
    context,
    fastCheck.property(text, (it) => {
      const plain = it.replaceAll(/[<&[\]:]/g, ' ');
      assert.equal(countBodyWords(plain, 'MARKDOWN'), countWords(plain));
    }),
  );
});
