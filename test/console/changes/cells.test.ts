/** Where keys lead in a list, and how its rows show the changes that are kept in the browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAfter } from '@trellis/console/lists/grid/keys.ts';
import { isSeenByReaders } from '@trellis/console/outbox/edit/readers.ts';
import type { Change } from '@trellis/console/outbox/store/change.ts';
import { withChanges } from '@trellis/console/records/edit/with-changes.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';

test('keys stay within the rows and columns of a list', () => {
  const end = { row: 9, column: 4 };
  const press = (key: string, from: [row: number, column: number], modifiers: object = {}) => {
    const [row, column] = from;
    const none = { ctrlKey: false, metaKey: false, altKey: false };
    const place = placeAfter({ key, ...none, ...modifiers }, { row, column }, end, 5);
    return place && [place.row, place.column];
  };
  assert.deepEqual(press('ArrowDown', [9, 1]), [9, 1]);
  assert.deepEqual(press('ArrowUp', [0, 1]), [0, 1]);
  assert.deepEqual(press('ArrowRight', [3, 4]), [3, 4]);
  assert.deepEqual(press('ArrowLeft', [3, 2]), [3, 1]);
  assert.deepEqual(press('PageDown', [3, 2]), [8, 2]);
  assert.deepEqual(press('PageUp', [3, 2]), [0, 2]);
  assert.deepEqual(press('Home', [3, 2]), [3, 0]);
  assert.deepEqual(press('End', [3, 2], { ctrlKey: true }), [9, 4]);
  // These belong to the browser.
  assert.equal(press('ArrowLeft', [3, 2], { altKey: true }), null);
  assert.equal(press('ArrowDown', [3, 2], { metaKey: true }), null);
  assert.equal(press('a', [3, 2]), null);
});

/** A change of a record, as far as rows depend on it. */
function changeOf(record: string, body: object, isRefused: boolean): Change {
  const refusal = isRefused ? { code: 'validation_failed', status: 422, reasons: [], members: {} } : null;
  const request = { method: 'PATCH', path: `/v1/books/${record}`, body, ifMatch: '"1"' };
  return { record, request, base: {}, refusal } as unknown as Change;
}

test('a row has the changes of its record that wait or were refused, and says which columns these are', () => {
  const row = { id: 'one', version: 1, title: 'Emma', group: { name: 'a', other: 'b' } };
  const changes = [
    changeOf('one', { title: 'Persuasion' }, false),
    changeOf('one', { group: { name: 'c' } }, true),
    changeOf('other', { title: 'Sanditon' }, false),
  ];
  const { record, states } = withChanges(row, changes);
  assert.deepEqual(record, { ...row, title: 'Persuasion', group: { name: 'c', other: 'b' } });
  assert.deepEqual(
    [...states],
    [
      ['title', 'waiting'],
      ['group.name', 'refused'],
    ],
  );
  assert.equal(withChanges(row, []).record, row);
});

test('what readers see is known from the status of a row', () => {
  const [books, articles] = [resourceByName('books'), resourceByName('articles')];
  const draft = { status: 'DRAFT' };
  assert.equal(isSeenByReaders(books, ['subtitle'], draft), false);
  assert.equal(isSeenByReaders(books, ['subtitle'], { status: 'PUBLISHED' }), true);
  const published = { state: 'CHANGED', versionData: { status: 'DRAFT' } };
  assert.equal(isSeenByReaders(articles, ['versionData.title'], published), false);
  assert.equal(isSeenByReaders(articles, ['articleData.slug'], published), true);
});
