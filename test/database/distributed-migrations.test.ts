/**
 * Migrations that a distributed database (Citus) has to accept as well, checked without one: those that were added since such databases can be
 * migrated. test/citus/upgrade.test.ts migrates one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Database } from '@trellis/server/database/database.ts';
import { distributedText } from '@trellis/server/database/split-statements.ts';
import { readSqlFiles, releaseFolder } from '@trellis/server/database/sql-files.ts';
import { loadModule, parseSync } from 'libpg-query';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Catalogue, readCatalogue } from '../support/statements/catalogue.ts';
import { findRefusedChanges } from '../support/statements/migrations.ts';
import { findRefused } from '../support/statements/refused.ts';

describe('what Citus refuses in migrations', () => {
  let database: TestDatabase;
  let catalogue: Catalogue;
  before(async () => {
    await loadModule();
    database = await createTestDatabase({ distributed: false });
    const admin = new Database({
      url: database.adminUrl,
      poolSize: 1,
      prepare: false,
      acquireTimeoutMs: 30_000,
      applicationName: 'trellis test',
      log: () => undefined,
    });
    try {
      catalogue = await readCatalogue(admin);
    } finally {
      await admin.close();
    }
  });
  after(() => database.drop());

  const faultsOf = (sql: string) => {
    const text = distributedText(sql);
    return [...findRefusedChanges(text), ...findRefused(parseSync(text), catalogue)];
  };

  test('is not in that of the example of a new resource', async () => {
    const examples = await readSqlFiles(`${releaseFolder}test/resources/exhibitions/`);
    assert.equal(examples.length, 1);
    for (const { name, sql } of examples)
      assert.deepEqual(faultsOf(sql), [], `${name} (CONTRIBUTING.md, "A new migration")`);
  });

  for (const [sql, fault] of [
    [
      'ALTER TABLE trellis.sites ADD COLUMN a text, ADD CONSTRAINT b CHECK (a > 0)',
      /one ALTER TABLE for each/,
    ],
    ['ALTER TABLE trellis.sites ADD COLUMN a text CHECK (a > 0)', /of its own/],
    ['ALTER TABLE trellis.sites ADD COLUMN a uuid REFERENCES trellis.users (id)', /of its own/],
    ['ALTER TABLE trellis.sites ALTER COLUMN name SET STATISTICS 10', /SetStatistics/],
    ['ALTER TABLE trellis.sites RENAME CONSTRAINT a TO b', /renaming a constraint/],
    ['CREATE INDEX CONCURRENTLY a ON trellis.sites (organization_id, name)', /CONCURRENTLY/],
    ['CREATE TRIGGER a BEFORE INSERT ON trellis.sites FOR EACH ROW EXECUTE FUNCTION b()', /trigger/],
    ['CREATE POLICY a ON trellis.sites USING (EXISTS (SELECT FROM trellis.tags))', /subquery/],
    ['ALTER POLICY a ON trellis.sites WITH CHECK (id = (SELECT trellis.current_user_id()))', /subquery/],
    ['UPDATE trellis.sites SET updated_at = clock_timestamp()', /clock_timestamp/],
  ] as const)
    test(`is found: ${sql}`, () => {
      const faults = faultsOf(sql);
      assert.equal(faults.length, 1, String(faults));
      assert.match(faults[0] ?? '', fault);
    });

  test('is not what Citus accepts', () => {
    const accepted = `
      CREATE TABLE trellis.rooms (
        organization_id uuid NOT NULL REFERENCES trellis.organizations (id), id uuid, site_id uuid, name text CHECK (name <> ''),
        PRIMARY KEY (organization_id, id), FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id));
      ALTER TABLE trellis.rooms ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
      ALTER TABLE trellis.sites ADD COLUMN a text NOT NULL DEFAULT '', ADD COLUMN b text, DROP COLUMN name;
      ALTER TABLE trellis.sites ADD CONSTRAINT c CHECK (a <> '');
      ALTER TABLE trellis.sites DROP CONSTRAINT d, ALTER COLUMN b SET NOT NULL;
      CREATE POLICY organization ON trellis.rooms TO trellis_api
        USING (organization_id = trellis.current_organization() AND EXISTS (SELECT FROM trellis.sites)); -- single server
        -- distributed: USING (organization_id = trellis.current_organization() AND trellis.sees_site(site_id));
      UPDATE trellis.sites SET updated_at = now();
      INSERT INTO trellis.rooms (organization_id, id) SELECT organization_id, id FROM trellis.sites;`;
    assert.deepEqual(faultsOf(accepted), []);
  });
});
