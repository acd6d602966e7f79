/** The choice of a language, in browsers that keep it, keep something else, or keep nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepLanguage, readChosenLanguage } from '../../../packages/console/src/text/language.ts';

/** A browser's storage with what it keeps. */
function keeping(kept: Map<string, string>) {
  return () => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
}

test('a chosen language is kept until it is that of the browser again', () => {
  const kept = new Map<string, string>();
  assert.equal(readChosenLanguage(keeping(kept)), null);
  for (const language of ['de', 'en', null] as const) {
    keepLanguage(language, keeping(kept));
    assert.equal(readChosenLanguage(keeping(kept)), language);
  }
  assert.equal(kept.size, 0);
});

test('a kept value that is no language is ignored, and a storage that refuses is survived', () => {
  for (const value of ['', 'fr', 'DE', 'de-AT', '{"language":"de"}', '<b>de</b>', 'constructor'])
    assert.equal(readChosenLanguage(keeping(new Map([['trellis.language', value]]))), null, value);
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  assert.equal(readChosenLanguage(refuse), null);
  keepLanguage('de', refuse);
  keepLanguage(null, refuse);
});
