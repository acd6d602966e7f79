/** Sealed streams: what was sealed is opened, in pieces of any size, and nothing else is. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openStream, sealStream } from '@trellis/server/kernel/lib/sealed-stream.ts';
import { SealBrokenError } from '@trellis/server/kernel/lib/sealer.ts';

const key = randomBytes(32);
const saltBytes = 32;
const piece = 65_536;
const sealedPiece = piece + 16;

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const seal = (bytes: Buffer, size = 10_000) => buffer(sealStream(cut(bytes, size), key, 'test'));
const open = (bytes: Buffer, size = 10_000) => buffer(openStream(cut(bytes, size), key, 'test'));

test('a stream of any length is opened as it was sealed, in pieces of any size', async () => {
  for (const length of [0, 1, piece - 1, piece, piece + 1, 3 * piece, 200_001]) {
    const bytes = randomBytes(length);
    for (const size of [7_001, piece, 1_000_000]) {
      assert.deepEqual(await open(await seal(bytes, size), size + 1), bytes, `${length} bytes`);
    }
  }
});

test('the same bytes are sealed differently each time', async () => {
  const bytes = Buffer.from('secret');
  assert.notDeepEqual(await seal(bytes), await seal(bytes));
});

test('a stream that was cut off anywhere is rejected', async () => {
  const sealed = await seal(randomBytes(2 * piece + 5));
  const lengths = [0, 1, saltBytes, saltBytes + 1, saltBytes + 16, saltBytes + sealedPiece];
  for (const length of [...lengths, saltBytes + 2 * sealedPiece, sealed.length - 1]) {
    await assert.rejects(open(sealed.subarray(0, length)), SealBrokenError, `${length} bytes`);
  }
});

test('a changed byte, a piece that is moved, repeated, removed or added, and another key or context are rejected', async () => {
  const sealed = await seal(randomBytes(3 * piece));
  const salt = sealed.subarray(0, saltBytes);
  const [first, second, third] = [0, 1, 2].map((number) =>
    sealed.subarray(saltBytes + number * sealedPiece, saltBytes + (number + 1) * sealedPiece),
  );
  assert.ok(first && second && third);
  for (const place of [0, saltBytes, saltBytes + piece, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8((changed[place] ?? 0) ^ 1, place);
    await assert.rejects(open(changed), SealBrokenError, `byte ${place}`);
  }
  for (const pieces of [
    [second, first, third],
    [first, first, second, third],
    [first, third],
    [first, second, third, third],
    [third],
  ]) {
    await assert.rejects(open(Buffer.concat([salt, ...pieces])), SealBrokenError);
  }
  await assert.rejects(buffer(openStream(cut(sealed, 1_000), randomBytes(32), 'test')), SealBrokenError);
  await assert.rejects(buffer(openStream(cut(sealed, 1_000), key, 'other')), SealBrokenError);
});
