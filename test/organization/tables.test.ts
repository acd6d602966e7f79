/** The tables of an export, and rows that change while they stream. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { encodeId } from '@trellis/schema/values/ids.ts';
import {
  AccountIds,
  changeRows,
  limitRows,
  type Row,
} from '@trellis/server/features/backup/organization/rows.ts';
import {
  leftTables,
  movedTables,
  organizationTables,
} from '@trellis/server/features/backup/organization/tables.ts';
import { OwnerSession } from '@trellis/server/kernel/database/owner-session.ts';
import { type CopiedTable, readTables } from '@trellis/server/kernel/database/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let tables: CopiedTable[];
before(async () => {
  database = await createTestDatabase();
  const session = await OwnerSession.open(database.urls.owner);
  tables = await readTables(session);
  await session.close();
});
after(() => database?.drop());

test('every table is said to be moved or left out, and no other one', () => {
  const said = [...Object.keys(movedTables), ...Object.keys(leftTables)].sort();
  assert.deepEqual(said, tables.map(({ name }) => name).sort());
  const more = [...tables, { name: 'new_table', columns: ['organization_id'] }];
  assert.throws(() => organizationTables(more, randomUUID(), false), /whether the table new_table/);
});

test('columns and values that are listed exist', () => {
  for (const [name, { columns = [], values = {}, valuesOfCopy = {} }] of Object.entries(movedTables)) {
    const known = tables.find((table) => table.name === name)?.columns ?? [];
    const listed = [...columns, ...Object.keys(values), ...Object.keys(valuesOfCopy)];
    assert.deepEqual(
      listed.filter((column) => !known.includes(column)),
      [],
      name,
    );
  }
});

async function* inPieces(content: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

test('ids of accounts are replaced once, in both forms, wherever pieces end', async () => {
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()] as const;
  // The new id of the first account is the old one of the second.
  const ids = new AccountIds(
    new Map([
      [a, b],
      [b, c],
    ]),
  );
  const row = (...uuids: string[]) =>
    `${uuids.map((uuid) => `${uuid}\t{${uuid},x}\t"${encodeId('user', uuid)}"`).join('\t')}\tä\n`;
  const given = row(a, b, randomUUID()) + row(b) + row(a).repeat(20);
  const expected = given
    .replaceAll(b, 'B')
    .replaceAll(encodeId('user', b), 'idB')
    .replaceAll(a, b)
    .replaceAll(encodeId('user', a), encodeId('user', b))
    .replaceAll('idB', encodeId('user', c))
    .replaceAll('B', c);
  assert.notEqual(given, expected);
  for (const size of [1, 2, 7, 31, 35, 36, 37, 100, 4_096, 1_000_000]) {
    assert.equal(await text(ids.replaceIn(inPieces(given, size))), expected, `pieces of ${size} bytes`);
  }
  assert.equal(await text(new AccountIds(new Map()).replaceIn(inPieces(given, 7))), given);
});

test('values of rows are changed as PostgreSQL writes them', async () => {
  const rows = 'a\\tb\\n\\\\N\t\\N\tä\n\t\t\\r\n';
  const seen: Row[] = [];
  const change = (row: Row) => {
    seen.push(row);
    return row;
  };
  for (const size of [1, 3, 100]) {
    seen.length = 0;
    assert.equal((await buffer(changeRows(inPieces(rows, size), change))).toString(), rows);
    assert.deepEqual(seen, [
      ['a\tb\n\\N', null, 'ä'],
      ['', '', '\r'],
    ]);
  }
  await assert.rejects(text(changeRows(inPieces('no end', 3), change)), /ends in the middle of a row/);
});

test('a row that is longer than any is not passed on', async () => {
  const rows = `${'x'.repeat(99)}\n`.repeat(3);
  const books = { name: 'books', rows: 3 };
  for (const size of [1, 64, 150, 1_000]) {
    assert.equal(await text(limitRows(inPieces(rows, size), books, 99)), rows);
    await assert.rejects(
      text(limitRows(inPieces(`${rows}${'x'.repeat(5_000)}`, size), books, 99)),
      /more than 99/,
    );
  }
});

test('more rows than the manifest says are not passed on', async () => {
  for (const size of [1, 2, 3, 1_000]) {
    assert.equal(await text(limitRows(inPieces('a\nb\n\n', size), { name: 'books', rows: 3 })), 'a\nb\n\n');
    await assert.rejects(
      text(limitRows(inPieces('a\nb\n\n', size), { name: 'books', rows: 2 })),
      /books has more rows than the manifest says/,
    );
  }
});
