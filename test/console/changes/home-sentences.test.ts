/** The sentences of recent changes on the first page: one for each type of events, in both languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '@trellis/schema/event-types.ts';
import { findSentence, isLeftOut } from '../../../packages/console/src/features/home/sentences.ts';
import { texts } from '../../../packages/console/src/features/home/texts.ts';

type Language = 'en' | 'de';
interface Said {
  readonly type: string;
  readonly isNamed?: boolean;
  readonly isOwn?: boolean;
}

/** What is said of events of a type; null where there is no sentence. */
function say({ type, isNamed = true, isOwn = false }: Said, language: Language): string | null {
  const [resource = '', action = ''] = type.split('.');
  const found = findSentence({ resource, actions: [action], isNamed, isOwn });
  if (found === null) return null;
  const values: Readonly<Record<string, string>> = {
    name: 'Ada',
    what: isNamed ? 'Emma' : '3 …',
    done: found.verbs.map((verb) => texts[verb][language]).join(', '),
  };
  const several = /\{count, plural, one \{.*?\} other \{((?:\{\w+\}|[^{}])*)\}\}/g;
  return texts[found.id][language]
    .replaceAll(several, '$1')
    .replaceAll(/\{(\w+)\}/g, (_, value: string) => values[value] ?? `{${value}}`);
}

const shown = eventTypes.map(({ type }) => type).filter((type) => !isLeftOut(type));

test('each type of events that home shows has a sentence, of one record and of several, in both languages', () => {
  assert.ok(shown.length > 60, `${shown.length} types`);
  const bad: string[] = [];
  for (const type of shown)
    for (const language of ['en', 'de'] as const)
      for (const isNamed of [true, false]) {
        const sentence = say({ type, isNamed }, language) ?? '';
        const isWhole = /^(Ada|The|Der) /.test(sentence) && sentence.includes(isNamed ? 'Emma' : '3 …');
        if (!isWhole || /[{}]|undefined| {2}/.test(sentence)) bad.push(`${type} ${language}: ${sentence}`);
      }
  assert.deepEqual(bad, []);
});

test('a type of events without a sentence is found', () => {
  assert.equal(say({ type: 'book.eaten' }, 'en'), null);
});

test('sentences say what happened', () => {
  const cases: readonly (readonly [said: Said, english: string, german: string])[] = [
    [{ type: 'article.created' }, 'Ada created Emma', 'Ada hat Emma angelegt'],
    [{ type: 'article.unpublished' }, 'Ada unpublished Emma', 'Ada hat Emma zurückgezogen'],
    [{ type: 'member.created', isOwn: true }, 'Emma joined', 'Emma ist beigetreten'],
    [{ type: 'member.created' }, 'Ada added Emma', 'Ada hat Emma hinzugefügt'],
    [{ type: 'invitation.created' }, 'Ada invited Emma', 'Ada hat Emma eingeladen'],
    [{ type: 'invitation.created', isNamed: false }, 'Ada sent 3 …', 'Ada hat 3 … verschickt'],
    [
      { type: 'article.schedule_failed' },
      'The server could not change Emma as scheduled',
      'Der Server konnte Emma nicht wie geplant ändern',
    ],
  ];
  for (const [said, english, german] of cases)
    assert.deepEqual([say(said, 'en'), say(said, 'de')], [english, german], said.type);
});

test('several actions are one sentence in their order, or the last of them', () => {
  const of = (resource: string, actions: readonly string[], isNamed = true) =>
    findSentence({ resource, actions, isNamed, isOwn: false });
  assert.deepEqual(of('article', ['submitted', 'created']), { id: 'did', verbs: ['created', 'submitted'] });
  assert.deepEqual(of('invitation', ['revoked', 'created']), { id: 'invitationRevoked', verbs: [] });
  assert.deepEqual(of('invitation', ['revoked', 'created'], false), { id: 'did', verbs: ['updated'] });
});
