/** The limit on contents that unauthenticated readers have open. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Problem } from '@trellis/schema/problem.ts';
import { OpenBodies } from '@trellis/server/http/open-bodies.ts';

const open = async () => new Readable({ read: () => undefined });
const isOverloaded = (error: unknown) => error instanceof Problem && error.code === 'overloaded';

test('a network has at most 16 contents open, all together 40, and each that is closed makes room', async () => {
  const bodies = new OpenBodies();
  const ofFirst = await Promise.all(Array.from({ length: 16 }, () => bodies.open('first', open)));
  await assert.rejects(bodies.open('first', open), isOverloaded);
  for (let count = 0; count < 24; count += 1) await bodies.open(count < 12 ? 'second' : 'third', open);
  await assert.rejects(bodies.open('fourth', open), isOverloaded);
  const [one] = ofFirst;
  assert.ok(one !== undefined);
  const closed = once(one, 'close');
  one.destroy();
  await closed;
  await bodies.open('fourth', open);
  await assert.rejects(bodies.open('first', open), isOverloaded);
});

test('a content that cannot be opened takes no place', async () => {
  const bodies = new OpenBodies();
  const fail = () => bodies.open('first', () => Promise.reject(new Error('gone')));
  for (let count = 0; count < 50; count += 1) await assert.rejects(fail(), /gone/);
  await bodies.open('first', open);
});
