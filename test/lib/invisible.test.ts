import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanName, removeInvisible, trimInvisible } from '@trellis/schema/values/invisible.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** What comes along with copied text. */
const nothings = [
  '\ufeff',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u00ad',
  '\u2060',
  '\u202a',
  '\u202c',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u061c',
  '\u3164',
  '\u115f',
  '\uffa0',
  '\u034f',
  '\u180e',
  '\ufe0f',
  '\u{e0001}',
  '\u{e0020}',
  '\ufff9',
  '\u2800',
  '\u00a0',
  '\u202f',
  '\u3000',
  '\u2003',
];

/** Spelled with characters that nobody sees. */
const spelled = [
  'می\u200cخواهم',
  'श्री\u200dमान्\u200d',
  'ന്\u200d',
  '❤\ufe0f',
  '👩\u200d🚀',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '1\ufe0f\u20e3',
  'שלום\u200f C++\u200f Ltd',
  'ភាសា\u200bខ្មែរ',
  '葛\u{e0100}飾',
  'ᠮᠣᠩᠭᠣᠯ\u180e\u1820',
  '山田\u3000太郎',
];

describe('trimInvisible', () => {
  test('removes what nobody sees from both ends, and nothing else', () => {
    for (const nothing of nothings) {
      assert.equal(trimInvisible(`${nothing}Ada${nothing} ${nothing}`), 'Ada', JSON.stringify(nothing));
      assert.equal(trimInvisible(nothing.repeat(3)), '', JSON.stringify(nothing));
      assert.equal(trimInvisible(`A${nothing}da`), `A${nothing}da`);
    }
  });

  test('keeps the end of words that are spelled with it', () => {
    for (const text of spelled) assert.equal(trimInvisible(`\ufeff${text}\u200b`), text);
  });
});

test('removeInvisible leaves what people see', () => {
  for (const nothing of nothings.filter((one) => one !== '\u3000')) {
    assert.equal(
      removeInvisible(`${nothing}97${nothing}8${nothing}`).replaceAll(' ', ''),
      '978',
      JSON.stringify(nothing),
    );
  }
});

describe('cleanName', () => {
  test('removes from Latin names what nobody sees, and writes other spaces as plain ones', () => {
    for (const nothing of nothings) {
      const cleaned = cleanName(`${nothing}Ad${nothing}a Lovelace${nothing}`);
      const isSpace = /\p{Zs}/u.test(nothing);
      assert.equal(
        cleaned,
        nothing === '\u3000' ? 'Ad\u3000a Lovelace' : isSpace ? 'Ad a Lovelace' : 'Ada Lovelace',
        JSON.stringify(nothing),
      );
    }
  });

  test('keeps what the script needs', () => {
    for (const text of spelled) assert.equal(cleanName(text), text);
  });

  test('is idempotent', (context) => {
    const parts = fastCheck.constantFrom(...nothings, ...spelled, 'a', ' ', 'ا', 'न्', '👩', '\u0301');
    checkProperty(
      context,
      fastCheck.property(fastCheck.array(parts, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        for (const clean of [trimInvisible, removeInvisible, cleanName])
          assert.equal(clean(clean(text)), clean(text));
      }),
      3000,
    );
  });
});
