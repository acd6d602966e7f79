/** The check of forms: what the rules of a resource refuse is found without a request, and nothing else is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { books } from '@trellis/schema/resources/books.ts';
import { contacts } from '@trellis/schema/resources/contacts.ts';
import { findFaults } from '../../../packages/console/src/fields/check-draft.ts';

const stored = { id: 'book_1', version: 3, title: 'Emma', tradeStatus: null, publicationDate: '1815-12-23' };
const undated = {
  pointer: '/publicationDate',
  code: 'required',
  detail: 'A FORTHCOMING book requires a publicationDate.',
};

test('fields of a new record are checked together', () => {
  assert.deepEqual(findFaults(books, null, { title: 'Emma', tradeStatus: 'FORTHCOMING' }), [undated]);
  const dated = { title: 'Emma', tradeStatus: 'FORTHCOMING', publicationDate: '2027' };
  assert.deepEqual(findFaults(books, null, dated), []);
});

test('a draft is checked together with what it leaves as it is', () => {
  assert.deepEqual(findFaults(books, stored, { tradeStatus: 'FORTHCOMING' }), []);
  const cleared = { tradeStatus: 'FORTHCOMING', publicationDate: null };
  assert.deepEqual(findFaults(books, stored, cleared), [undated]);
});

test('items of lists are compared with their defaults, and not before they are complete', () => {
  const price = { amount: '9.99', currency: 'EUR' };
  const [repeated] = findFaults(books, stored, { prices: [price, { ...price, territory: null }] });
  assert.equal(repeated?.pointer, '/prices/1');
  assert.deepEqual(findFaults(books, stored, { prices: [{}, {}] }), []);
});

test('phone numbers without a country are left to the server, which knows that of the organization', () => {
  const phonesOf = (...phones: object[]) =>
    findFaults(contacts, null, { phones }).map(({ pointer }) => pointer);
  assert.deepEqual(phonesOf({ number: '030 1234567' }, { number: '+49 30 1234567' }), []);
  assert.deepEqual(phonesOf({ number: '12', country: 'DE' }), ['/phones/0/number']);
  assert.deepEqual(phonesOf(), ['/firstName']);
});
