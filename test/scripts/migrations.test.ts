/** The check of migrations: a database that they have changed has to be like a new one. */
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { findMigrationFaults } from '../../scripts/describe-schema.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-migrations-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const file = (path: string) => join(folder, 'sql', path);
beforeEach(async () => {
  await rm(file('.'), { recursive: true, force: true });
  await cp(join(root, 'sql'), file('.'), { recursive: true });
});

/** Migrations begin after this release. */
async function beginMigrations(migration: string): Promise<void> {
  await cp(file('schema'), file('baseline'), { recursive: true });
  await mkdir(file('migrations'));
  await writeFile(file('migrations/0001_rooms.sql'), migration);
}

async function edit(path: string, before: string, after: string): Promise<void> {
  const text = await readFile(file(path), 'utf8');
  assert.ok(text.includes(before), before);
  await writeFile(file(path), text.replace(before, after));
}

const findFaults = () => findMigrationFaults(`${folder}/`);
const rooms = `CREATE TABLE trellis.rooms (id uuid PRIMARY KEY, seats integer NOT NULL DEFAULT 4);
  GRANT SELECT (seats) ON trellis.rooms TO trellis_api;`;

test('without migrations there is nothing to compare', async () => {
  assert.deepEqual(await findFaults(), []);
});

test('migrations need the schema that they change', async () => {
  await mkdir(file('migrations'));
  assert.match((await findFaults()).join(), /^sql\/baseline is missing: copy sql\/schema/);
});

test('what is written in both ways is alike, wherever a column stands', async () => {
  await beginMigrations(`${rooms} ALTER TABLE trellis.sites ADD COLUMN floor text;`);
  await appendFile(file('schema/18_backups.sql'), rooms);
  await edit(
    'schema/08_articles.sql',
    'CREATE TABLE trellis.sites (\n',
    'CREATE TABLE trellis.sites (\n  floor text,\n',
  );
  assert.deepEqual(await findFaults(), []);
});

test('each difference is named', async () => {
  await beginMigrations(`${rooms} ALTER TABLE trellis.sites ADD COLUMN floor text NOT NULL DEFAULT '';
    CREATE INDEX sites_floor ON trellis.sites (floor);`);
  await appendFile(file('schema/18_backups.sql'), rooms.replace('GRANT SELECT (seats)', 'GRANT SELECT'));
  await edit(
    'schema/08_articles.sql',
    'CREATE TABLE trellis.sites (\n',
    'CREATE TABLE trellis.sites (\n  floor text,\n',
  );
  assert.deepEqual((await findFaults()).toSorted(), [
    '+ CREATE INDEX sites_floor ON trellis.sites USING btree (floor);',
    '+ GRANT SELECT (seats) ON trellis.rooms TO trellis_api;',
    "+ trellis.sites: floor text NOT NULL DEFAULT ''::text",
    '- GRANT SELECT ON trellis.rooms TO trellis_api;',
    '- trellis.sites: floor text',
  ]);
});
