/** Streams that pull from a source: they release it however they end, so that no file or connection stays open. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { createPulledStream } from '@trellis/server/kernel/objects/pulled-stream.ts';

/** A source of pieces that counts the calls. */
function sourceOf(pieces: (Uint8Array | Error)[]) {
  const counts = { pulled: 0, released: 0 };
  const stream = createPulledStream({
    async pull() {
      const piece = pieces[counts.pulled] ?? null;
      counts.pulled += 1;
      if (piece instanceof Error) throw piece;
      return piece;
    },
    async release() {
      counts.released += 1;
    },
  });
  return { stream, counts };
}

test('a source that was read to its end is released once', async () => {
  const { stream, counts } = sourceOf([Buffer.from('ab'), Buffer.from('cd')]);
  assert.equal((await buffer(stream)).toString(), 'abcd');
  assert.deepEqual(counts, { pulled: 3, released: 1 });
});

test('a source that was never read is released', async () => {
  const { stream, counts } = sourceOf([Buffer.from('ab')]);
  stream.destroy();
  await once(stream, 'close');
  assert.deepEqual(counts, { pulled: 0, released: 1 });
});

test('a source that fails is released, and its error is the stream’s', async () => {
  const failure = new Error('broken');
  const { stream, counts } = sourceOf([Buffer.from('ab'), failure]);
  await assert.rejects(buffer(stream), failure);
  assert.deepEqual(counts, { pulled: 2, released: 1 });
});

test('a source is not pulled beyond what its reader wants', async () => {
  const { stream, counts } = sourceOf(Array.from({ length: 100 }, () => Buffer.alloc(65_536)));
  await once(stream, 'readable');
  await new Promise(setImmediate);
  assert.ok(counts.pulled <= 2, `${counts.pulled} pieces were taken`);
  stream.destroy();
  await once(stream, 'close');
  assert.equal(counts.released, 1);
});
