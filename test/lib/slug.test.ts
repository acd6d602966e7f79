import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isSlug, makeSlug, makeSlugs, slugPattern } from '@trellis/schema/values/slug.ts';
import { codePointLength } from '@trellis/schema/values/text.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const languages = fastCheck.constantFrom(null, 'de', 'da', 'hr', 'en', 'ru', 'tr');
const anyTitle = fastCheck.oneof(
  fastCheck.string({ unit: 'binary' }),
  fastCheck.stringMatching(/^[ a-zA-ZéßäØđ0-9'–+#.-]*$/),
  fastCheck.stringMatching(/^[ हिन्दी東京ДомไทยΣ٣-]*$/),
);

describe('makeSlug', () => {
  test('creates the expected slugs', () => {
    const examples: readonly (readonly [title: string, slug: string])[] = [
      ['Hello, World!', 'hello-world'],
      ['  --Crème   Brûlée-- ', 'creme-brulee'],
      ['Straße & Łódź', 'strasse-lodz'],
      ['100% Ærlig', '100-aerlig'],
      ['Tokyo 東京', 'tokyo-東京'],
      ['Как установить Docker', 'как-установить-docker'],
      ['Йога и ёлка', 'йога-и-ёлка'],
      ['管理系统', '管理系统'],
      ['العربية', 'العربية'],
      ['Ελληνικά ΟΔΟΣ', 'ελληνικά-οδος'],
      ['Tiếng Việt', 'tieng-viet'],
      ['İstanbul’da kış', 'istanbul-da-kis'],
      ['Ｆｕｌｌ', 'full'],
      ['C', 'c'],
      ['C++', 'c-plus-plus'],
      ['C#', 'c-sharp'],
      ['F# and C＃', 'f-sharp-and-c-sharp'],
      ['C/C++ in 2 days', 'c-c-plus-plus-in-2-days'],
      ['.NET', 'dotnet'],
      ['ASP.NET Core', 'asp-net-core'],
      ['The .NET 8 release', 'the-dotnet-8-release'],
      ['The net', 'the-net'],
      ['A+ at 18+', 'a-plus-at-18-plus'],
      ['Issue #5, 1+1', 'issue-5-1-1'],
      ['Node.js', 'node-js'],
      ['東京 タワー', '東京-タワー'],
      ['Дом и САД', 'дом-и-сад'],
      ['हिन्दी समाचार', 'हिन्दी-समाचार'],
      ['ภาษาไทย', 'ภาษาไทย'],
      ['２０２４年', '2024年'],
      ['2024', '2024'],
      ['Ångström', 'angstrom'],
    ];
    for (const [title, slug] of examples) {
      assert.equal(makeSlug(title, 100), slug.normalize('NFC'));
    }
  });

  test('writes letters as the language does', () => {
    const examples: readonly (readonly [title: string, language: string | null, slug: string])[] = [
      ['Müller über Öl & Äpfel', 'de', 'mueller-ueber-oel-aepfel'],
      ['ÜBER', 'de-CH', 'ueber'],
      ['U\u0308ber', 'DE', 'ueber'],
      ['Müller', 'en', 'muller'],
      ['Müller', null, 'muller'],
      ['Müller', 'sv', 'muller'],
      ['Blåbærgrød', 'da', 'blaabaergroed'],
      ['Ærlig på øya', 'nb-NO', 'aerlig-paa-oeya'],
      ['Åsa Öberg', 'sv', 'asa-oberg'],
      ['Hämeenlinna', 'fi', 'hameenlinna'],
      ['Đorđe', 'hr', 'djordje'],
      ['Đà Nẵng', 'vi', 'da-nang'],
      ['Größe', 'de', 'groesse'],
      ['Москва Ü', 'de', 'москва-ue'],
      ['x', 'constructor', 'x'],
    ];
    for (const [title, language, slug] of examples) {
      assert.equal(makeSlug(title, 100, language), slug, `${title} ${language}`);
      assert.ok(makeSlugs(title, 100).includes(slug), `${title} ${language}`);
    }
    assert.deepEqual(makeSlugs('Plain title', 100), ['plain-title']);
  });

  test('is composed even if only the lower-case letter has a composed form', () => {
    assert.equal(makeSlug('\u03a1\u0313', 100), '\u1fe4');
  });

  test('returns nothing for a title without letters and digits', () => {
    for (const title of ['', ' ', '!!!', '😀', '\u0301', '—']) {
      assert.equal(makeSlug(title, 100), '');
    }
  });

  test('cuts between words if possible', () => {
    assert.equal(makeSlug('one two three', 13), 'one-two-three');
    assert.equal(makeSlug('one two three', 12), 'one-two');
    assert.equal(makeSlug('one two three', 7), 'one-two');
    assert.equal(makeSlug('one two three', 6), 'one');
    assert.equal(makeSlug('one two three', 4), 'one');
    assert.equal(makeSlug('one two three', 2), 'on');
    assert.equal(makeSlug('𐐨𐐩𐐪', 2), '𐐨𐐩');
  });

  test('always creates a valid slug, and returns a slug unchanged', (context) => {
    checkProperty(
      context,
      fastCheck.property(
        anyTitle,
        fastCheck.integer({ min: 1, max: 12 }),
        languages,
        (title, maxLength, language) => {
          const slug = makeSlug(title, maxLength, language);
          assert.ok(slug === '' || isSlug(slug), slug);
          assert.ok(codePointLength(slug) <= maxLength, slug);
          assert.equal(makeSlug(slug, maxLength, language), slug);
        },
      ),
      3000,
    );
  });
});

describe('isSlug', () => {
  test('accepts the grammar', () => {
    for (const slug of ['a', 'a-b', 'a1-2b', 'дом', 'हिन्दी', '東京-2', 'é', '٣']) {
      assert.equal(isSlug(slug), true, slug);
    }
    for (const text of [
      '',
      '-',
      'a-',
      '-a',
      'a--b',
      'A',
      'Дом',
      'a b',
      'a_b',
      'a.b',
      'a/b',
      '\u0301a',
      'a\n',
      '😀',
      'ǅ',
    ]) {
      assert.equal(isSlug(text), false, text);
    }
  });

  test('agrees with the pattern for JSON Schema', () => {
    const pattern = new RegExp(slugPattern, 'u');
    assert.ok(pattern.test('a-b') && !pattern.test('a--b'));
  });
});

test('a slug has no characters that nobody sees, so that it stays the same when it is sent back', () => {
  assert.equal(makeSlug('0\ufe0f\u20e3 1\ufe0f\u20e3', 20), '0\u20e3-1\u20e3');
});
