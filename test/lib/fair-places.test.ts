/** Tests of the places that owners share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairPlaces } from '@trellis/server/kernel/lib/fair-places.ts';

/** Places whose work lasts until it is ended, and the order in which it began. */
function open(...given: ConstructorParameters<typeof FairPlaces>) {
  const places = new FairPlaces(...given);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const take = (owner: string) =>
    places.take(owner, () => {
      order.push(owner);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    order,
    take,
    async end(index: number) {
      await settle();
      ends[index]?.();
      await settle();
    },
  };
}

test('an owner leaves a place for others, whatever it has waiting', async () => {
  const { take, end, order } = open({ slots: 3, slotsOfOwner: 2, waiting: 10, waitingOfOwner: 10 });
  for (let count = 0; count < 5; count += 1) take('a');
  await end(-1);
  assert.deepEqual(order, ['a', 'a']);
  take('b');
  take('c');
  await end(-1);
  assert.deepEqual(order, ['a', 'a', 'b'], 'at once');
  await end(0);
  assert.deepEqual(order, ['a', 'a', 'b', 'c'], 'whoever has none goes first');
});

test('owners that do as much take turns', async () => {
  const { take, end, order } = open({ slots: 1, slotsOfOwner: 1, waiting: 20, waitingOfOwner: 20 });
  for (const owner of 'aaaabbbcc') take(owner);
  for (let index = 0; index < 9; index += 1) await end(index);
  assert.equal(order.join(''), 'abcabcaba');
});

test('an owner that has many waiting is refused before others are', async () => {
  const { take, end } = open({ slots: 2, slotsOfOwner: 2, waiting: 3, waitingOfOwner: 2 });
  for (const owner of 'aaaa') assert.notEqual(take(owner), null);
  assert.equal(take('a'), null, 'two of it wait');
  assert.notEqual(take('b'), null);
  assert.equal(take('b'), null, 'three wait');
  // Whoever has nothing waiting is let in: the others must not fill the queue against them.
  assert.notEqual(take('c'), null);
  await end(0);
  assert.equal(take('a'), null);
});

test('work that fails gives its place back', async () => {
  const places = new FairPlaces({ slots: 1, slotsOfOwner: 1, waiting: 5, waitingOfOwner: 5 });
  await assert.rejects(places.take('a', () => Promise.reject(new Error('no'))) ?? assert.fail(), /no/);
  assert.equal(await places.take('a', async () => 'done'), 'done');
});
