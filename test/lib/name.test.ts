import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName } from '@trellis/schema/values/name.ts';

const nobody = { firstName: null, lastName: null, emails: [], phones: [] };
const emails = [{ address: 'Old@example.com' }, { address: 'New@example.com', isPrimary: true }];
const phones = [
  { number: '030 1', isPrimary: false },
  { number: '030 2', isPrimary: true },
];

test('displayName uses the name, complete or not', () => {
  const reachable = { ...nobody, emails, phones };
  assert.equal(displayName({ ...reachable, firstName: 'Ada', lastName: 'Lovelace' }), 'Ada Lovelace');
  assert.equal(displayName({ ...reachable, firstName: 'Ada' }), 'Ada');
  assert.equal(displayName({ ...reachable, firstName: '', lastName: 'Lovelace' }), 'Lovelace');
});

test('displayName falls back to the primary address, then to the primary number, as typed', () => {
  assert.equal(displayName({ ...nobody, emails, phones }), 'New@example.com');
  assert.equal(displayName({ ...nobody, firstName: '', phones }), '030 2');
});

test('displayName uses the first item if none is primary, and is null without any', () => {
  assert.equal(displayName({ ...nobody, emails: emails.slice(0, 1) }), 'Old@example.com');
  assert.equal(displayName({ ...nobody, phones: phones.slice(0, 1) }), '030 1');
  assert.equal(displayName(nobody), null);
});
