/** Snippets of search results, by properties: whole characters, only text of the record, correct marks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from '@trellis/schema/values/text.ts';
import { foldWithPlaces } from '@trellis/server/kernel/lib/folded.ts';
import type { Term } from '@trellis/server/kernel/pipeline/search/analyzer/question.ts';
import { wordsOf } from '@trellis/server/kernel/pipeline/search/analyzer/words.ts';
import { createHighlighter } from '@trellis/server/kernel/pipeline/search/highlight.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const highlight = (
  texts: readonly { field: string; text: string }[],
  terms: readonly Term[],
  stems: readonly Term[] = [],
) => createHighlighter(terms, stems)(texts);

/** Letters with combining marks, surrogate pairs, ligatures, spaces, special characters of HTML, and words to find. */
const piece = fastCheck.constantFrom(
  'e\u0301',
  'a\u0300\u0316',
  'é',
  'Straße',
  'ﬁ',
  '😀',
  '👩🏽\u200d💻',
  '本',
  'İ',
  'Σ',
  ' ',
  '\n',
  '<b>',
  '&amp;',
  'zebra ',
  ' Zébra',
  'ze\u0301bra',
  'x'.repeat(70),
);
const text = fastCheck.array(piece, { maxLength: 200, size: 'max' }).map((pieces) => pieces.join(''));

/** The text of a snippet, without marks and escapes. */
function textOf(snippet: string): string {
  return snippet
    .replace(/^… /, '')
    .replace(/ …$/, '')
    .replace(/<\/?mark>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

test('folding by characters gives the same text as folding the whole, with the position of each character', (context) => {
  checkProperty(
    context,
    fastCheck.property(
      fastCheck.oneof(text, fastCheck.string({ unit: 'grapheme', maxLength: 100 })),
      (whole) => {
        const { folded, placeOf } = foldWithPlaces(whole);
        assert.equal(folded, foldText(whole));
        assert.equal(placeOf(folded.length), whole.length);
      },
    ),
  );
});

test('letters of Hangul that were apart are marked as the syllables that they become', () => {
  const apart = '한글 도서관'.normalize('NFD');
  const [found] = highlight(
    [{ field: 'body', text: `x ${apart}` }],
    [{ text: '도서', isPrefix: true, isAnywhere: true }],
  );
  assert.equal(
    found?.snippet,
    `x ${'한글'.normalize('NFD')} <mark>${'도서'.normalize('NFD')}</mark>${'관'.normalize('NFD')}`,
  );
  for (const text of [
    '\u1100\u1161',
    '\uac00\u11a8',
    '\u1100\u0301\u1161',
    '\u3131\u314f',
    '\u3260\u314f',
    '\u{16d67}\u{16d67}',
  ])
    assert.equal(foldWithPlaces(text).folded, foldText(text), JSON.stringify(text));
});

test('a snippet is a part of the text in whole characters, and marks only matching words', (context) => {
  checkProperty(
    context,
    fastCheck.property(text, fastCheck.boolean(), (whole, prefix) => {
      const [found] = highlight([{ field: 'body', text: whole }], [{ text: 'zebra', isPrefix: prefix }]);
      const words = wordsOf(foldText(whole.slice(0, 65_536))).flatMap(({ text: word, kind }) =>
        kind === 'word' ? [word] : [],
      );
      const matches = words.some((word) => (prefix ? word.startsWith('zebra') : word === 'zebra'));
      assert.equal(found !== undefined, matches);
      if (found === undefined) return;
      const shown = textOf(found.snippet);
      assert.ok(shown.isWellFormed(), 'half of a surrogate pair');
      assert.ok(whole.replace(/\s+/g, ' ').includes(shown), 'not a part of the text');
      assert.doesNotMatch(shown, /^\p{M}/u);
      assert.ok(
        placesOf(shown, whole.replace(/\s+/g, ' ')).some((rest) => !/^\p{M}/u.test(rest)),
        'a letter without its marks',
      );
      for (const [, marked = ''] of found.snippet.matchAll(/<mark>(.*?)<\/mark>/gs)) {
        const word = foldText(textOf(marked));
        assert.ok(prefix ? word.startsWith('zebra') : word === 'zebra', `marked ${marked}`);
      }
    }),
  );
});

test('a snippet that begins early in a text without spaces begins with a whole character', () => {
  for (const first of ['😀', 'e\u0301', '𝒳\u{1D165}', `e${'\u0301'.repeat(40)}`]) {
    for (let filled = 50; filled <= 62; filled += 1) {
      const whole = `${first}${'-'.repeat(filled)}zebra`;
      const [found] = highlight([{ field: 'body', text: whole }], [{ text: 'zebra', isPrefix: false }]);
      const shown = textOf(found?.snippet ?? '');
      assert.ok(shown.isWellFormed(), 'half of a surrogate pair');
      assert.ok(whole.endsWith(shown) && shown.endsWith('-zebra'), shown);
      if (first.length <= 32) assert.doesNotMatch(shown, /^\p{M}/u);
    }
  }
});

/** The text after each occurrence of a part in a text. */
function placesOf(shown: string, whole: string): string[] {
  const rests: string[] = [];
  for (let at = whole.indexOf(shown); at !== -1; at = whole.indexOf(shown, at + 1))
    rests.push(whole.slice(at + shown.length));
  return rests;
}

test('a match late in an accented text is found, but not beyond the first 65,536 characters', () => {
  const filler = `${'é'.repeat(50)} `;
  const near = `${filler.repeat(1_000)}zebra`;
  assert.match(
    highlight([{ field: 'body', text: near }], [{ text: 'zebra', isPrefix: false }])[0]?.snippet ?? '',
    /<mark>zebra</,
  );
  const far = `${filler.repeat(2_000)}zebra`;
  assert.deepEqual(highlight([{ field: 'body', text: far }], [{ text: 'zebra', isPrefix: false }]), []);
});

test('other forms of a word are marked when the word itself does not occur', () => {
  const terms = [{ text: 'publishing', isPrefix: true }];
  const stems = [{ text: 'publish', isPrefix: true }];
  const texts = [{ field: 'title', text: 'It was published.' }];
  assert.equal(highlight(texts, terms, stems)[0]?.snippet, 'It was <mark>published</mark>.');
  const both = [{ field: 'title', text: 'Published by a publishing house' }];
  assert.equal(highlight(both, terms, stems)[0]?.snippet, 'Published by a <mark>publishing</mark> house');
});
