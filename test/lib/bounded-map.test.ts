/** A bounded map evicts the least recently used entry, and never exceeds its limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from '@trellis/server/lib/bounded-map.ts';

test('the least recently used entry is evicted first', () => {
  const map = new BoundedMap<string, number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
  assert.equal(map.get('a'), 0);
  map.set('d', 3);
  assert.equal(map.get('b'), undefined);
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => map.get(key)),
    [0, 2, 3],
  );
  map.set('a', 10);
  map.set('e', 4);
  assert.equal(map.get('c'), undefined);
  assert.equal(map.get('a'), 10);
  assert.equal(map.size, 3);
});

test('never has more entries than the limit', () => {
  const map = new BoundedMap<number, number>(100);
  for (let key = 0; key < 10_000; key += 1) map.set(key, key);
  assert.equal(map.size, 100);
  assert.equal(map.get(9_900), 9_900);
  assert.equal(map.get(9_899), undefined);
});
