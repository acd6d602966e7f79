/** The names of event types, derived from those of resources and of what happened to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '@trellis/schema/event-types.ts';
import { type EventWords, nameEventType } from '../../../packages/console/src/features/events/event-names.ts';
import { loadNames } from '../../../packages/console/src/text/names.ts';
import type { Language } from '../../../packages/console/src/text/text.ts';

async function wordsOf(language: Language): Promise<EventWords> {
  const names = await loadNames(language);
  return { names, everything: 'Everything', allOf: (kind) => `${kind}: everything` };
}

test('event types have names that no two of them share, in both languages', async () => {
  for (const language of ['en', 'de'] as const) {
    const words = await wordsOf(language);
    const names = eventTypes.map(({ type }) => nameEventType(type, words));
    assert.equal(new Set(names).size, eventTypes.length, language);
    for (const name of names) assert.match(name, /^\p{Lu}[\p{L}-]*(?: [\p{L}-]+)*:? [\p{L}-]+(?: \p{L}+)*$/u);
  }
});

test('names of event types read as a sentence', async () => {
  const english = await wordsOf('en');
  const german = await wordsOf('de');
  const named = (type: string) => [nameEventType(type, english), nameEventType(type, german)];
  assert.deepEqual(named('article.published'), ['Article published', 'Artikel veröffentlicht']);
  assert.deepEqual(named('knowledge-file.ready'), ['Knowledge file ready', 'Datei bereit']);
  assert.deepEqual(named('member.password_changed'), [
    'Member: Password changed',
    'Mitglied: Passwort geändert',
  ]);
  assert.deepEqual(named('visitor.erased'), ['Visitor erased', 'Besucher gelöscht']);
  assert.deepEqual(named('session.created'), ['Session created', 'Sitzung angelegt']);
  assert.deepEqual(named('book.*'), ['Book: everything', 'Buch: everything']);
  assert.equal(named('*')[0], 'Everything');
});
