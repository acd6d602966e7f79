/** Digests of tables: the same for the same rows in any order and in pieces of any size, and different otherwise. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { compareDigests, type TableDigest, TableDigester } from '@trellis/server/features/backup/digests.ts';

const [first, second] = [randomUUID(), randomUUID()].sort();
assert.ok(first && second);

async function digest(
  rows: readonly string[],
  size = 1_000_000,
  hasOrganization = true,
): Promise<TableDigest> {
  const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(''));
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const digester = new TableDigester(hasOrganization);
  for await (const _ of digester.tap(Readable.from(pieces)));
  return digester.finish();
}

const rows = [`${first}\ta\t\\N`, `${first}\tb\t`, `${second}\tä\\nö\t1`, '\\N\tshared', `${second}`];

test('rows are counted for each organization, in pieces of any size and in any order', async () => {
  const expected = await digest(rows);
  assert.equal(expected.rows, 5);
  assert.deepEqual(
    Object.entries(expected.organizations).map(([id, set]) => [id, set.rows]),
    [
      ['', 1],
      [first, 2],
      [second, 2],
    ],
  );
  for (let size = 1; size < 60; size += 1) assert.deepEqual(await digest(rows, size), expected, `${size}`);
  assert.deepEqual(await digest(rows.toReversed()), expected);
});

test('a changed, missing, repeated or moved row is a difference of its organization', async () => {
  const expected = await digest(rows);
  const differences = async (...found: string[]) => compareDigests(expected, await digest(found));
  assert.deepEqual(await differences(...rows), []);
  assert.deepEqual(await differences(`${first}\tA\t\\N`, ...rows.slice(1)), [
    `organization ${first}: 2 rows with another content`,
  ]);
  assert.deepEqual(await differences(...rows.slice(1)), [`organization ${first}: 1 rows instead of 2`]);
  // Twice the same row: an exclusive or of the hashes would not see that they replace another pair.
  assert.deepEqual(await differences(...rows, rows[3] ?? '', rows[3] ?? ''), [
    'shared rows: 3 rows instead of 1',
  ]);
  assert.equal((await differences(`${second}\ta\t\\N`, ...rows.slice(1))).length, 2);
});

test('a table without organizations has one set of rows', async () => {
  const { organizations } = await digest(['a\tb', 'c'], 1, false);
  assert.deepEqual([Object.keys(organizations), organizations['']?.rows], [[''], 2]);
});

test('a row that is cut off is no table', async () => {
  const digester = new TableDigester(true);
  for await (const _ of digester.tap(Readable.from([Buffer.from(`${first}\ta`)])));
  assert.throws(() => digester.finish(), /incomplete/);
});
