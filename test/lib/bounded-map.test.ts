/** A bounded map knows the entries that were used last, and never exceeds its limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from '@trellis/server/kernel/lib/bounded-map.ts';

test('an entry that was used among the last half stays, however old it is', () => {
  const map = new BoundedMap<string, number>(6);
  map.set('read', 1);
  map.set('written', 2);
  for (let key = 0; key < 100; key += 1) {
    map.set(`other ${key}`, key);
    assert.equal(map.get('read'), 1);
    map.set('written', key);
  }
  assert.equal(map.get('written'), 99);
  assert.equal(map.get('other 99'), 99);
  assert.equal(map.get('other 90'), undefined);
});

test('never has more entries than the limit, and half of it at least', () => {
  const map = new BoundedMap<number, number>(100);
  for (let key = 0; key < 10_000; key += 1) {
    map.set(key, key);
    map.set(key, key);
    assert.ok(map.size <= 100, `${map.size}`);
  }
  for (let key = 9_950; key < 10_000; key += 1) assert.equal(map.get(key), key);
  assert.equal(map.get(9_000), undefined);
  assert.ok(map.size <= 100);
});

test('a value that is set anew replaces an older one', () => {
  const map = new BoundedMap<string, number>(4);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  assert.equal(map.get('a'), 2);
  assert.equal(map.size, 3);
});
