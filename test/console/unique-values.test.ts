/** Which values of a form are looked for in other records, from the declarations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { uniqueValuesOf } from '../../packages/console/src/fields/unique-values.ts';

type Values = Readonly<Record<string, unknown>>;

function valuesOf(name: string, draft: Values, stored: Values | null = null) {
  const resource = resources.find((one) => one.name === name);
  assert.ok(resource);
  return uniqueValuesOf(resource, stored, draft).map(({ filter, value, pointer }) => [
    filter,
    value,
    pointer,
  ]);
}

test('unique fields, texts of lists and members of their objects are looked for at their places', () => {
  assert.deepEqual(
    valuesOf('companies', { domains: ['one.example', ' ', 'two.example'], externalId: 'c-1' }),
    [
      ['domain', 'one.example', '/domains'],
      ['domain', 'two.example', '/domains'],
      ['externalId', 'c-1', '/externalId'],
    ],
  );
  const emails = [{ address: 'ada@example.com', label: 'work' }, {}, { address: 'al@example.com' }];
  assert.deepEqual(valuesOf('contacts', { emails }), [
    ['email', 'ada@example.com', '/emails/0/address'],
    ['email', 'al@example.com', '/emails/2/address'],
  ]);
  assert.deepEqual(valuesOf('magazines', { issnOnline: '0028-0836' }), [
    ['issn', '0028-0836', '/issnOnline'],
  ]);
});

test('values that are not unique, not changed or empty are not looked for', () => {
  assert.deepEqual(
    valuesOf('contacts', { tags: ['reader'], phones: [{ number: '1' }], firstName: 'Ada' }),
    [],
  );
  assert.deepEqual(valuesOf('contacts', {}), []);
  assert.deepEqual(valuesOf('companies', { domains: [], externalId: null }), []);
  assert.deepEqual(valuesOf('companies', { externalId: '' }), []);
});

test('values that the stored record has itself are not looked for', () => {
  const stored = { domains: ['one.example', 'two.example'], externalId: 'c-1' };
  const draft = { domains: ['two.example', 'three.example'], externalId: 'c-1' };
  assert.deepEqual(valuesOf('companies', draft, stored), [['domain', 'three.example', '/domains']]);
  const emails = [{ address: 'ada@example.com' }];
  const more = [{ address: 'al@example.com' }, ...emails];
  assert.deepEqual(valuesOf('contacts', { emails: more }, { emails }), [
    ['email', 'al@example.com', '/emails/0/address'],
  ]);
});

test('every resource with an externalId is looked up by it', () => {
  const having = resources.filter(({ unique }) => Object.hasOwn(unique, 'externalId'));
  assert.ok(having.length > 8);
  for (const resource of having) {
    assert.deepEqual(
      uniqueValuesOf(resource, null, { externalId: 'key' }).map(({ filter }) => filter),
      ['externalId'],
      resource.name,
    );
  }
});
