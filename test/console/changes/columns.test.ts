/** The order and the width of a list's columns, and what lists can be sorted by. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addColumn, boundWidth, layOut, moveColumn } from '@trellis/console/lists/columns/order.ts';
import { sortsOf } from '@trellis/console/lists/columns/sorts.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { readColumn, writeColumn } from '@trellis/schema/resources/view-columns.ts';
import { sortsOf as sortsOfApi } from '@trellis/server/kernel/pipeline/sorts.ts';

test('lists offer every order that the API has', () => {
  for (const resource of resources) {
    const offered = sortsOf(resource).flatMap(({ orders }) => orders);
    assert.deepEqual(offered.toSorted(), Object.keys(sortsOfApi(resource)).toSorted(), resource.name);
  }
});

test('a column moves to its place, and the title stays first', () => {
  const columns = ['title', 'a', 'b', 'c'];
  assert.deepEqual(moveColumn(columns, 'a', 3), ['title', 'b', 'c', 'a']);
  assert.deepEqual(moveColumn(columns, 'c', 1), ['title', 'c', 'a', 'b']);
  for (const [column, place] of [
    ['a', 0],
    ['a', 1],
    ['a', 4],
    ['title', 2],
    ['unknown', 1],
  ] as const)
    assert.equal(moveColumn(columns, column, place), columns, `${column} ${place}`);
});

test('a column that is added stands where the declaration has it, unless others were moved', () => {
  const declared = ['a', 'title', 'b', 'c'];
  assert.deepEqual(addColumn(['title', 'c'], 'b', declared), ['title', 'b', 'c']);
  assert.deepEqual(addColumn(['title', 'c', 'b'], 'a', declared), ['title', 'a', 'c', 'b']);
  assert.deepEqual(addColumn(['title', 'b'], 'c', declared), ['title', 'b', 'c']);
});

test('a width is read and written, and what is not one is left out', () => {
  assert.deepEqual(readColumn('versionData.title-320'), { name: 'versionData.title', width: 320 });
  assert.equal(writeColumn({ name: 'status', width: 90 }), 'status-90');
  assert.equal(writeColumn({ name: 'status', width: null }), 'status');
  for (const digits of ['', '59', '1001', '99999', '-90', '1e3', '0x60', ' 90', '٣٢٠', '9'.repeat(400)])
    assert.deepEqual(readColumn(`status-${digits}`), { name: 'status', width: null }, digits);
  assert.deepEqual([boundWidth(-1), boundWidth(90.4), boundWidth(1e9)], [60, 90, 1_000]);
});

test('columns share the room that those with a width leave', () => {
  const { template, least } = layOut(['title', 'a', 'b'], { a: 320 }, () => 1);
  assert.equal(template, '20px minmax(200px, 1fr) 320px minmax(90px, 1fr)');
  assert.equal(least, 24 + 20 + 3 * 16 + 200 + 320 + 90);
});
