/** Tests of the places that owners share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { setImmediate } from 'node:timers/promises';
import { FairPlaces, type PlaceLimits } from '@trellis/server/kernel/lib/fair-places.ts';

class Refusal extends Error {}

/** Places whose work lasts until it is ended, and the order in which it began or was refused. */
function open(limits: PlaceLimits) {
  const places = new FairPlaces(limits, () => new Refusal());
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const end = async (index: number) => {
    await setImmediate();
    ends[index]?.();
    await setImmediate();
  };
  return {
    places,
    begun,
    refused,
    end,
    /** @param label the owner and the number of its work, such as `a1` */
    come(label: string, isPreferred = false) {
      const work = () => {
        begun.push(label);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      places.take(label.slice(0, 1), work, isPreferred).catch((error: unknown) => {
        assert.ok(error instanceof Refusal);
        refused.push(label);
      });
    },
    /** Ends all work, one after the other. */
    async finish() {
      for (let index = 0; index < Math.max(1, ends.length); index += 1) await end(index);
    },
  };
}

test('an owner leaves a place for others, whatever it has waiting', async () => {
  const { come, end, begun } = open({ slots: 3, slotsOfOwner: 2, waiting: 10, waitingOfOwner: 10 });
  for (let count = 1; count <= 5; count += 1) come(`a${count}`);
  await setImmediate();
  assert.deepEqual(begun, ['a1', 'a2']);
  come('b');
  come('c');
  await setImmediate();
  assert.deepEqual(begun, ['a1', 'a2', 'b'], 'at once');
  await end(0);
  assert.deepEqual(begun, ['a1', 'a2', 'b', 'c'], 'whoever has none goes first');
});

test('owners that do as much take turns', async () => {
  const { come, finish, begun, places } = open({
    slots: 1,
    slotsOfOwner: 1,
    waiting: 20,
    waitingOfOwner: 20,
  });
  for (const owner of 'aaaabbbcc') come(owner);
  await finish();
  assert.equal(begun.join(''), 'abcabcaba');
  assert.equal(places.mostAtOnce, 1);
});

test('of one owner few wait, and those with the most make room for others', async () => {
  const { begun, refused, come, finish } = open({
    slots: 2,
    slotsOfOwner: 2,
    waiting: 6,
    waitingOfOwner: 3,
  });
  for (const number of [1, 2, 3, 4, 5, 6]) come(`a${number}`);
  await setImmediate();
  assert.deepEqual(refused, ['a6'], 'beyond its share');
  for (const number of [1, 2, 3]) come(`b${number}`);
  come('c');
  await setImmediate();
  assert.deepEqual(refused, ['a6', 'b3'], 'the last of those with the most');
  come('d');
  come('e');
  await setImmediate();
  assert.deepEqual(refused, ['a6', 'b3', 'a5', 'b2']);
  await finish();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c', 'd', 'e', 'a3', 'a4']);
});

test('whoever is preferred goes first', async () => {
  const { begun, come, finish } = open({ slots: 2, slotsOfOwner: 2, waiting: 6, waitingOfOwner: 3 });
  for (const owner of 'abcd') come(owner);
  come('p', true);
  await finish();
  assert.deepEqual(begun, ['a', 'b', 'p', 'c', 'd']);
});

test('ever new owners do not keep out who is preferred, and more of them than may wait are refused', async () => {
  const { begun, refused, come, finish } = open({ slots: 2, slotsOfOwner: 2, waiting: 6, waitingOfOwner: 3 });
  for (let index = 0; index < 50; index += 1) come(String.fromCharCode(0x100 + index));
  for (const number of [1, 2, 3, 4]) come(`p${number}`, true);
  await setImmediate();
  // Of 50 two began and six waited; three of those made room, and the fourth that is preferred is one too many.
  assert.equal(refused.length, 42 + 3 + 1);
  assert.ok(refused.includes('p4'));
  await finish();
  assert.deepEqual(begun.slice(2, 5), ['p1', 'p2', 'p3']);
  assert.equal(begun.length, 8);
});

test('whoever has waited for too long is refused, and leaves the queue', async () => {
  const { places } = open({
    slots: 1,
    slotsOfOwner: 1,
    waiting: 1,
    waitingOfOwner: 1,
    longestWaitMs: 10,
  });
  const held = Promise.withResolvers<void>();
  const first = places.take('a', () => held.promise);
  await assert.rejects(
    places.take('b', async () => assert.fail('it had no place')),
    Refusal,
  );
  held.resolve();
  await first;
  assert.equal(await places.take('c', async () => 'free'), 'free');
});

test('work that fails gives its place back', async () => {
  const { places } = open({ slots: 1, slotsOfOwner: 1, waiting: 5, waitingOfOwner: 5 });
  for (let count = 0; count < 3; count += 1) {
    const work = () => Promise.reject(new Error('no'));
    await assert.rejects(places.take('a', work), /no/);
  }
  assert.equal(await places.take('a', async () => 'done'), 'done');
});
