/** Places for password hashes: who goes first, who waits, and who is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { type HashOwner, HashPlaces } from '@trellis/server/features/sign-in/hash-places.ts';

const limits = { atOnce: 2, waiting: 6, waitingOfOne: 3, longestWaitMs: 60_000 };

function unknownOwner(name: string): HashOwner {
  return { name, isKnown: false };
}

/** Takes places, and says in which order work was begun, and by whom it was not. */
function watchPlaces(places = new HashPlaces(limits)) {
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const all: Promise<void>[] = [];
  return {
    begun,
    refused,
    come(owner: HashOwner, label = owner.name) {
      const work = places.run(owner, async () => {
        begun.push(label);
        await new Promise<void>((resolve) => ends.push(resolve));
      });
      all.push(
        work.catch((error: unknown) => {
          assert.ok(error instanceof Problem && error.code === 'overloaded');
          assert.ok(Number(error.headers?.['retry-after']) > 0);
          refused.push(label);
        }),
      );
    },
    /** Ends all work, one after the other. */
    async finish() {
      await setImmediate();
      for (let index = 0; index < ends.length; index += 1) {
        ends[index]?.();
        await setImmediate();
      }
      await Promise.all(all);
    },
  };
}

test('networks take turns, however many attempts one of them sends', async () => {
  const { begun, refused, come, finish } = watchPlaces();
  for (const label of ['1', '2', '3', '4', '5']) come(unknownOwner('a'), `a${label}`);
  come(unknownOwner('b'));
  come(unknownOwner('c'));
  await finish();
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b', 'c', 'a4', 'a5']);
  assert.deepEqual(refused, []);
});

test('whoever is known goes first', async () => {
  const { begun, come, finish } = watchPlaces();
  for (const name of ['a', 'b', 'c', 'd']) come(unknownOwner(name));
  come({ name: 'browser', isKnown: true });
  await finish();
  assert.deepEqual(begun, ['a', 'b', 'browser', 'c', 'd']);
});

test('of one network few wait, and those with the most give room to others', async () => {
  const { begun, refused, come, finish } = watchPlaces();
  for (const label of ['1', '2', '3', '4', '5', '6']) come(unknownOwner('a'), `a${label}`);
  await setImmediate();
  assert.deepEqual(refused, ['a6'], 'beyond its share');
  for (const label of ['1', '2', '3']) come(unknownOwner('b'), `b${label}`);
  come(unknownOwner('c'));
  await setImmediate();
  assert.deepEqual(refused, ['a6', 'b3'], 'the last of those with the most');
  come(unknownOwner('d'));
  come(unknownOwner('e'));
  await setImmediate();
  assert.deepEqual(refused, ['a6', 'b3', 'a5', 'b2']);
  await finish();
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'c', 'd', 'e', 'a4']);
});

test('unknown browsers from ever new networks do not keep out who is known', async () => {
  const { begun, refused, come, finish } = watchPlaces();
  for (let index = 0; index < 50; index += 1) come(unknownOwner(`network ${index}`));
  come({ name: 'browser', isKnown: true });
  await setImmediate();
  assert.equal(refused.length, 43);
  await finish();
  assert.equal(begun[2], 'browser');
  assert.equal(begun.length, 8);
});

test('whoever has waited for too long is refused, and leaves the queue', async () => {
  const places = new HashPlaces({ ...limits, longestWaitMs: 10 });
  let end = () => {};
  const held = [1, 2].map(() =>
    places.run(unknownOwner('a'), () => new Promise<void>((resolve) => (end = both(end, resolve)))),
  );
  await assert.rejects(
    places.run(unknownOwner('b'), async () => assert.fail('it had no place')),
    (error) => error instanceof Problem && error.code === 'overloaded',
  );
  end();
  await Promise.all(held);
  assert.equal(await places.run(unknownOwner('c'), async () => 'free'), 'free');
  assert.equal(places.mostAtOnce(), 2);
});

test('a place is free again after work that fails', async () => {
  const places = new HashPlaces(limits);
  for (let index = 0; index < 5; index += 1) {
    await assert.rejects(
      places.run(unknownOwner('a'), () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  }
  assert.equal(await places.run(unknownOwner('a'), async () => 'free'), 'free');
  assert.equal(places.mostAtOnce(), 1);
});

function both(one: () => void, other: () => void): () => void {
  return () => {
    one();
    other();
  };
}
