/** The SQL function `fold_text` against `foldText`, for each character of Unicode: filters and searches must fold alike. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { foldText } from '@trellis/schema/values/text.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let admin: pg.Client;
before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});

async function fold(texts: readonly string[]): Promise<string[]> {
  const { rows } = await admin.query<{ folded: string }>(
    'SELECT trellis.fold_text(t) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS x (t, n) ORDER BY n',
    [texts],
  );
  return rows.map(({ folded }) => folded);
}

/** Letters of Unicode 17, which PostgreSQL 18 does not know. */
const newerThanPostgresql = /[\ua7ce\ua7d2\ua7d4\ua7f1\u{16ea0}-\u{16eb8}]/u;

test('each character that both versions of Unicode know is folded alike', async () => {
  const characters = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\P{C}/u.test(character) && !newerThanPostgresql.test(character));
  assert.ok(characters.length > 150_000);
  const folded = await fold(characters);
  const different = characters.filter((character, index) => folded[index] !== foldText(character));
  assert.deepEqual(
    different.map((character) => character.codePointAt(0)?.toString(16)),
    [],
  );
});

test('texts of several letters are folded as people write them', async () => {
  const texts = [
    'Straße',
    'İSTANBUL',
    'Łódź',
    'Cafe\u0301',
    'ΟΔΥΣΣΕΥΣ',
    '管理系统',
    'ﬁn de siècle',
    'plain ASCII',
    '',
  ];
  assert.deepEqual(await fold(texts), [
    'strasse',
    'istanbul',
    'lodz',
    'cafe',
    'οδυσσευσ',
    '管理系统',
    'fin de siecle',
    'plain ascii',
    '',
  ]);
});
