import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  codePointLength,
  escapeLikePattern,
  findForbiddenCharacter,
  foldText,
  hasExcessiveMarks,
  nearestName,
  normalizeText,
  withinOneEdit,
} from '@trellis/schema/values/text.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const anyText = fastCheck.string({ unit: 'binary' });

/** Letters, marks that sort differently, and characters whose compatible form is a mark. */
const markedText = fastCheck
  .array(
    fastCheck.constantFrom(
      'a',
      'é',
      '\u0958',
      '\u0300',
      '\u0316',
      '\u0334',
      '\uff9e',
      '\u0e33',
      '\ufdfa',
      'İ',
    ),
    {
      maxLength: 80,
    },
  )
  .map((parts) => parts.join(''));

/** Few letters, so that texts close to each other are drawn often. */
const shortText = fastCheck.stringMatching(/^[ab😀é]{0,6}$/u);

describe('normalizeText', () => {
  test('composes and trims', () => {
    assert.equal(normalizeText('\u2003 e\u0301tude\u00a0\n'), 'étude');
    assert.equal(normalizeText(' \t '), '');
  });

  test('keeps thirty marks of a run at most', () => {
    assert.equal(normalizeText(`e${'\u0301'.repeat(200)}x`), `é${'\u0301'.repeat(29)}x`);
    assert.equal(hasExcessiveMarks(`a${'\u0300'.repeat(30)}b${'\u0316'.repeat(30)}`), false);
    assert.equal(hasExcessiveMarks(`a${'\u0300\u0316'.repeat(15)}\u0300`), true);
    // Devanagari QA falls apart into KA and a mark: thirty marks after it become thirty-one.
    const text = `\u0958${'\u0300'.repeat(30)}`;
    assert.equal(normalizeText(normalizeText(text)), normalizeText(text));
  });

  test('relies on properties of Unicode normalization that hold', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const character = String.fromCodePoint(codePoint);
      const [canonical, compatible] = [character.normalize('NFD'), character.normalize('NFKD')];
      const name = `U+${codePoint.toString(16)}`;
      // Composition joins at most four code points, which bounds the length of a text before it.
      assert.ok(Array.from(canonical).length <= 4, name);
      const isMark = /^\p{Mark}$/u.test(character);
      // Marks are dropped before they are decomposed: nothing else may come out of them.
      if (isMark) assert.match(compatible, /^\p{Mark}+$/u, name);
      // Only marks are sorted: other characters must keep their place beside marks of all classes.
      else if (canonical === character) {
        assert.equal(`\u0345${character}`.normalize('NFD'), `\u0345${character}`, name);
        assert.equal(`${character}\u0334`.normalize('NFD'), `${character}\u0334`, name);
      }
      if (!isMark) assert.doesNotMatch(canonical, /^\p{Mark}/u, name);
    }
  });

  test('is idempotent', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(anyText, markedText), (text) => {
        const normalized = normalizeText(text);
        assert.equal(normalizeText(normalized), normalized);
      }),
    );
  });
});

describe('findForbiddenCharacter', () => {
  test('finds the first one', () => {
    assert.equal(findForbiddenCharacter('a\u0000b\u0001'), 1);
    assert.equal(findForbiddenCharacter('😀\u007f'), 2);
    assert.equal(findForbiddenCharacter('ab\u0085'), 2);
    assert.equal(findForbiddenCharacter('\r\n'), 0);
    assert.equal(findForbiddenCharacter('a\ud83d\u0000'), 1);
    assert.equal(findForbiddenCharacter('\u0000\ud83d'), 0);
    assert.equal(findForbiddenCharacter('a\udc00'), 1);
  });

  test('accepts everything else', () => {
    assert.equal(findForbiddenCharacter(''), -1);
    assert.equal(findForbiddenCharacter('Tab\tand\nline, é, 日本, 😀, \u00a0\u200d'), -1);
  });

  test('agrees with the definition for every UTF-16 code unit', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const isControl = (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      const expected = isControl || isSurrogate ? 1 : -1;
      assert.equal(findForbiddenCharacter(`a${String.fromCharCode(code)}b`), expected, code.toString(16));
    }
  });
});

test('codePointLength equals the count of iteration', (context) => {
  const units = fastCheck
    .array(fastCheck.constantFrom('a', '\ud83d', '\ude00', '😀', 'é'))
    .map((parts) => parts.join(''));
  checkProperty(
    context,
    fastCheck.property(fastCheck.oneof(units, anyText), (text) => {
      assert.equal(codePointLength(text), Array.from(text).length);
    }),
  );
});

describe('foldText', () => {
  test('folds letters to their plain form', () => {
    const examples: readonly (readonly [text: string, folded: string])[] = [
      ['Crème BRÛLÉE', 'creme brulee'],
      ['Łódź', 'lodz'],
      ['Straße STRAẞE', 'strasse strasse'],
      ['Ærø Œuvre', 'aero oeuvre'],
      ['Đặng Þór Ðað', 'dang thor dad'],
      ['İstanbul Iğdır', 'istanbul igdir'],
      ['Sámi ŋ Malta Ħamrun', 'sami n malta hamrun'],
      ['ﬁne Ⅷ ２', 'fine viii 2'],
      ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
      ['Ёлка', 'елка'],
    ];
    for (const [text, folded] of examples) {
      assert.equal(foldText(text), folded);
    }
  });

  test('folds every character completely', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      const folded = foldText(String.fromCodePoint(codePoint));
      if (foldText(folded) !== folded) {
        assert.fail(`U+${codePoint.toString(16)} folds to ${folded}, which folds on to ${foldText(folded)}`);
      }
    }
  });

  test('drops marks, composed or not, in any order', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(anyText, markedText), (text) => {
        const folded = foldText(text);
        assert.equal(foldText(text.normalize('NFD')), folded);
        assert.equal(foldText(text.normalize('NFC')), folded);
        // The same without the care for runs of marks, which is slow for long ones.
        assert.equal(foldText(text.normalize('NFKD').replace(/\p{Mark}/gu, '')), folded);
      }),
    );
  });

  test('is idempotent', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, (text) => {
        const folded = foldText(text);
        assert.equal(foldText(folded), folded);
      }),
    );
  });

  test('ignores letter case and normalization forms', (context) => {
    const latin = fastCheck.stringMatching(/^[a-zà-öù-ýā-ďē-įĺ-ľńňō-š ]*$/);
    checkProperty(
      context,
      fastCheck.property(latin, (text) => {
        assert.equal(foldText(text.toUpperCase()), foldText(text));
        assert.equal(foldText(text.normalize('NFD')), foldText(text));
      }),
    );
  });
});

test('escapeLikePattern escapes the characters with a meaning in LIKE', () => {
  assert.equal(escapeLikePattern('100%_a\\b'), '100\\%\\_a\\\\b');
  assert.equal(escapeLikePattern('plain'), 'plain');
});

describe('nearestName', () => {
  const candidates = ['title', 'subtitle', 'createdAt', 'updatedAt', 'isbn13'];

  test('finds the intended name', () => {
    assert.equal(nearestName('tilte', candidates), 'title');
    assert.equal(nearestName('Title', candidates), 'title');
    assert.equal(nearestName('created_at', candidates), 'createdAt');
    assert.equal(nearestName('created-on', candidates), 'createdAt');
    assert.equal(nearestName('isbn', candidates), null);
    assert.equal(nearestName('isbn-1', candidates), 'isbn13');
    assert.equal(nearestName('sub_titel', candidates), 'subtitle');
  });

  test('finds none if none is close', () => {
    assert.equal(nearestName('colour', candidates), null);
    assert.equal(nearestName('x', candidates), null);
    assert.equal(nearestName('', candidates), null);
    assert.equal(nearestName('title', []), null);
    assert.equal(nearestName('t'.repeat(1_000_000), candidates), null);
  });

  test('returns the first of equally close names, and a closer one after it', () => {
    assert.equal(nearestName('bat', ['cat', 'rat']), 'cat');
    assert.equal(nearestName('rats', ['cats', 'rat', 'rats']), 'rats');
  });

  test('counts a swap of neighbours as one edit and allows one edit in short names', () => {
    assert.equal(nearestName('ab', ['ba']), 'ba');
    assert.equal(nearestName('ab', ['cd']), null);
  });

  test('stays within a third of the length', () => {
    assert.equal(nearestName('abcdef', ['abcdxy']), 'abcdxy');
    assert.equal(nearestName('abcdef', ['abcxyz']), null);
  });
});

describe('withinOneEdit', () => {
  test('accepts the four kinds of edits', () => {
    for (const other of ['word', 'ord', 'wrd', 'wor', 'xword', 'wxord', 'wordx', 'wxrd', 'owrd', 'wodr']) {
      assert.equal(withinOneEdit('word', other), true, other);
    }
    for (const other of ['wd', 'wordxx', 'drow', 'xwordx', 'oxrd', 'rowd']) {
      assert.equal(withinOneEdit('word', other), false, other);
    }
  });

  test('agrees with trying every edit', (context) => {
    checkProperty(
      context,
      fastCheck.property(shortText, shortText, (left, right) => {
        assert.equal(withinOneEdit(left, right), reachableByOneEdit(left).has(right));
      }),
      3000,
    );
  });
});

/** Every text that one edit or none makes of a text, with the letters that the property draws. */
function reachableByOneEdit(text: string): Set<string> {
  const letters = Array.from(text);
  const reachable = new Set([text]);
  for (let index = 0; index <= letters.length; index += 1) {
    const [left, right] = [letters.slice(0, index), letters.slice(index)];
    reachable.add([...left, ...right.slice(1)].join(''));
    for (const letter of ['a', 'b', '😀', 'é']) {
      reachable.add([...left, letter, ...right].join(''));
      reachable.add([...left, letter, ...right.slice(1)].join(''));
    }
    const [first, second, ...others] = right;
    if (first !== undefined && second !== undefined) {
      reachable.add([...left, second, first, ...others].join(''));
    }
  }
  return reachable;
}
