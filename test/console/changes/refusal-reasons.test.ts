/** Why a change was refused, in the words of the form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articles } from '@trellis/schema/resources/articles.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import type { Refusal } from '../../../packages/console/src/outbox/store/refusal.ts';
import { reasonsOf } from '../../../packages/console/src/pending/refusal-reasons.ts';
import { loadNames } from '../../../packages/console/src/text/names.ts';

const refusal = (members: Refusal['members'], reasons = ['as it was stored']): Refusal => ({
  code: 'validation_failed',
  status: 422,
  reasons,
  members,
});
const errors = [
  { pointer: '/emails/1/address', code: 'invalid', detail: 'Must be an address.' },
  { pointer: '/timezone', code: 'invalid', detail: 'Must be a time zone.' },
  { pointer: '', code: 'invalid', detail: 'Needs a name.' },
];

test('faults of a refused change name the fields as the form does, in both languages', async () => {
  const english = { names: await loadNames('en'), item: (number: number) => `no. ${number}` };
  const german = { names: await loadNames('de'), item: (number: number) => `Nr. ${number}` };
  assert.deepEqual(reasonsOf(refusal({ errors }), contacts, english), [
    'Emails, no. 2, Address: Must be an address.',
    'Time zone: Must be a time zone.',
    'Needs a name.',
  ]);
  assert.deepEqual(reasonsOf(refusal({ errors }), null, german).slice(0, 2), [
    'E-Mails, Nr. 2, Adresse: Must be an address.',
    'Zeitzone: Must be a time zone.',
  ]);
  const title = [{ pointer: '/versionData/title', code: 'invalid', detail: 'Is too long.' }];
  assert.deepEqual(reasonsOf(refusal({ errors: title }), articles, english), ['Title: Is too long.']);
});

test('a refusal without faults that can be read says what it was stored with', async () => {
  const words = { names: await loadNames('en'), item: String };
  for (const members of [{}, { errors: 'none' }, { errors: [{ pointer: '/title' }] }])
    assert.deepEqual(reasonsOf(refusal(members), contacts, words), ['as it was stored']);
  const header = [{ header: 'If-Match', code: 'invalid', detail: 'Is no entity tag.' }];
  assert.deepEqual(reasonsOf(refusal({ errors: header }), contacts, words), ['If-Match: Is no entity tag.']);
});
