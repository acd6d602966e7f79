/**
 * A distributed database with rows, on a prepared Citus cluster (see support/citus.ts), is migrated to a later release by the owner of the schema alone:
 * new tables are on the servers as the others are, and nothing has to be run besides.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Database } from '@trellis/server/database/database.ts';
import { moveOrganization, readPlacement } from '@trellis/server/database/distribution/placement.ts';
import { readDistribution } from '@trellis/server/database/distribution/status.ts';
import { releaseFolder } from '@trellis/server/database/sql-files.ts';
import { citusNodes, runOn, withoutCitus } from '../support/citus.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createSite } from '../support/events.ts';
import { createMember, createOrganization, type TestOrganization } from '../support/identities.ts';
import { migrateToLater } from '../support/later-release.ts';
import { connectAs, shardsOn, unprotectedShards } from '../support/shards.ts';

/** The policies that each new table needs beside that of its organization. */
const ownersPolicies = (table: string) => `
  ALTER TABLE trellis.${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY backup ON trellis.${table} FOR SELECT TO trellis_owner USING (current_setting('trellis.backup', true) = 'on');
  CREATE POLICY import ON trellis.${table} FOR INSERT TO trellis_owner
    WITH CHECK (organization_id = nullif(current_setting('trellis.import', true), '')::uuid);`;

const rooms = `
-- Rooms; as migrations are written for a plain database, but for the lines of the policy with a subquery.
CREATE EXTENSION IF NOT EXISTS citext SCHEMA trellis;
CREATE TABLE trellis.rooms (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  kept_by uuid REFERENCES trellis.users (id),
  name trellis.citext NOT NULL DEFAULT 'Room' CHECK (name <> ''),
  readers text[],
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id),
  CONSTRAINT rooms_name UNIQUE (organization_id, site_id, name)
);
/* Refers to a table of the same migration, and to itself. */
CREATE TABLE trellis.bookings (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  room_id uuid NOT NULL,
  follows uuid,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, room_id) REFERENCES trellis.rooms (organization_id, id),
  FOREIGN KEY (organization_id, follows) REFERENCES trellis.bookings (organization_id, id)
);
CREATE TABLE trellis.visits (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  room_id uuid NOT NULL,
  PRIMARY KEY (organization_id, id, at),
  FOREIGN KEY (organization_id, room_id) REFERENCES trellis.rooms (organization_id, id)
) PARTITION BY RANGE (at);
CREATE TABLE trellis.visits_2026 PARTITION OF trellis.visits FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
DO $$ BEGIN
  CREATE TABLE trellis.keys_of_rooms (organization_id uuid NOT NULL, id uuid NOT NULL, PRIMARY KEY (organization_id, id));
END $$;
-- What a person signs in with stays on the coordinator.
CREATE TABLE trellis.devices (id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES trellis.users (id));
ALTER TABLE trellis.devices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.devices TO trellis_auth USING (true);
GRANT SELECT, INSERT ON trellis.devices TO trellis_auth;
CREATE INDEX rooms_site ON trellis.rooms (organization_id, site_id, lower(name));
ALTER TABLE trellis.keys_of_rooms ADD COLUMN room_id uuid;
ALTER TABLE trellis.keys_of_rooms ADD FOREIGN KEY (organization_id, room_id) REFERENCES trellis.rooms (organization_id, id);
${['rooms', 'bookings', 'visits', 'keys_of_rooms'].map(ownersPolicies).join('')}
CREATE POLICY organization ON trellis.rooms TO trellis_api
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, (SELECT trellis.current_readers()))); -- single server
  -- distributed: USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, trellis.current_readers()));
CREATE POLICY worker ON trellis.rooms TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.rooms TO trellis_api;
GRANT SELECT, INSERT (organization_id, id, site_id) ON trellis.rooms TO trellis_worker;
CREATE POLICY organization ON trellis.bookings TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.bookings TO trellis_api;
CREATE POLICY organization ON trellis.visits TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT ON trellis.visits TO trellis_api;

ALTER TABLE trellis.sites ADD COLUMN room_count integer NOT NULL DEFAULT 0;
ALTER TABLE trellis.sites ADD CONSTRAINT sites_room_count CHECK (room_count >= 0);
CREATE POLICY filling ON trellis.sites TO trellis_owner USING (true);
CREATE POLICY filling ON trellis.rooms TO trellis_owner USING (true);
INSERT INTO trellis.rooms (organization_id, id, site_id, name)
  SELECT organization_id, id, id, 'Room of ' || name FROM trellis.sites;
UPDATE trellis.sites s SET room_count = (
  SELECT count(*) FROM trellis.rooms r WHERE r.organization_id = s.organization_id AND r.site_id = s.id);
DROP POLICY filling ON trellis.sites;
DROP POLICY filling ON trellis.rooms;
`;

const countRooms = `CREATE OR REPLACE FUNCTION trellis.count_rooms(p_organization uuid) RETURNS bigint
  LANGUAGE plpgsql STABLE PARALLEL SAFE
-- distributed: SET citus.allow_nested_distributed_execution = on
AS $$ BEGIN RETURN (SELECT count(*) FROM trellis.rooms WHERE organization_id = p_organization); END $$;`;

/** Changes something of each kind before it fails. */
const broken = `
CREATE TABLE trellis.lost (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id), id uuid, site_id uuid, PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites (organization_id, id));
ALTER TABLE trellis.sites ADD COLUMN lost text;
CREATE FUNCTION trellis.lost() RETURNS integer LANGUAGE sql RETURN 1;
CREATE POLICY lost ON trellis.sites TO trellis_owner USING (true);
UPDATE trellis.sites SET name = 'Lost';
SELECT 1 / 0;`;

/** What a failed migration must not leave on a server. */
const leftovers = `
  SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'trellis'::regnamespace AND relname ~ '^lost(_|$)'
  UNION ALL SELECT attrelid::regclass::text FROM pg_attribute WHERE attname = 'lost' AND NOT attisdropped
  UNION ALL SELECT proname FROM pg_proc WHERE proname = 'lost'
  UNION ALL SELECT polname FROM pg_policy WHERE polname = 'lost'
  UNION ALL SELECT gid FROM pg_prepared_xacts WHERE database = current_database()`;

describe('a distributed database is migrated to a later release', { skip: withoutCitus }, () => {
  let database: TestDatabase;
  let organizations: readonly Content[];
  let release: Record<string, string>;
  before(async () => {
    database = await createTestDatabase({ distributed: true });
    organizations = await Promise.all(['one', 'two', 'three', 'four'].map((key) => fill(database, key)));
    const file = (path: string) => readFile(`${releaseFolder}${path}`, 'utf8');
    release = {
      'sql/migrations/9000_rooms.sql': rooms,
      'sql/schema/90_rooms.sql': countRooms,
      'sql/distributed/grants.sql': `${await file('sql/distributed/grants.sql')}
        GRANT INSERT (name) ON trellis.rooms TO trellis_worker;`,
      'sql/distributed/policies.sql': `${await file('sql/distributed/policies.sql')}
        ALTER POLICY organization ON trellis.rooms
          USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, trellis.current_readers()))
          WITH CHECK (organization_id = trellis.current_organization());`,
    };
  });
  after(() => database.drop());

  const everywhere = async (query: string, expected: (url: string) => unknown[] = () => []) => {
    for (const url of citusNodes(database.name))
      assert.deepEqual(
        await runOn(url, 'SET citus.override_table_visibility = off', query),
        expected(url),
        url,
      );
  };

  test('a migration that fails in the middle changes nothing on any server', async () => {
    const failing = migrateToLater(database.urls.owner, { 'sql/migrations/9000_lost.sql': broken });
    await assert.rejects(failing, /division by zero/);
    await everywhere(leftovers);
    const applied = await database.worker.run(`SELECT FROM trellis.migrations WHERE name LIKE '9000%'`);
    assert.equal(applied.length, 0);
    const names = await runOn(database.adminUrl, 'SELECT DISTINCT name FROM trellis.sites');
    assert.deepEqual(names, [{ name: 'Site' }]);
  });

  test('tables that an earlier release has left on the coordinator are named, and nothing is changed', async () => {
    await runOn(database.adminUrl, 'CREATE TABLE trellis.left_behind (organization_id uuid PRIMARY KEY)');
    await assert.rejects(
      migrateToLater(database.urls.owner, release),
      /^Error: Nothing was changed: left_behind .+ "trellis database distribute"/,
    );
    await runOn(database.adminUrl, 'DROP TABLE trellis.left_behind');
  });

  test('the owner migrates it, and new tables are distributed when they are made', async () => {
    const lines = await migrateToLater(database.urls.owner, release);
    assert.deepEqual(lines.slice(0, -1), [
      'applying 9000_rooms.sql',
      ...['rooms', 'bookings', 'visits', 'keys_of_rooms'].map((name) => `distributing ${name}`),
    ]);
    assert.match(lines.at(-1) ?? '', /^applying functions/);
    assert.deepEqual(await migrateToLater(database.urls.owner, release), []);
  });

  test('they are where the other rows of their organizations are, and the table without one is on the coordinator', async () => {
    const tables = await runOn(
      database.adminUrl,
      `SELECT p.logicalrelid::text AS name, p.colocationid = m.colocationid AS together
       FROM pg_dist_partition p, pg_dist_partition m WHERE m.logicalrelid = 'trellis.memberships'::regclass
         AND p.logicalrelid::text ~ 'trellis.(rooms|bookings|visits|keys_of_rooms|devices|sites)' ORDER BY 1`,
    );
    assert.deepEqual(
      tables,
      ['bookings', 'keys_of_rooms', 'rooms', 'sites', 'visits', 'visits_2026'].map((name) => ({
        name: `trellis.${name}`,
        together: true,
      })),
    );
    const keys = await runOn(
      database.adminUrl,
      `SELECT conname AS name FROM pg_constraint WHERE conrelid = 'trellis.devices'::regclass AND contype = 'f'`,
    );
    assert.deepEqual(keys, []);
  });

  test('every shard has the constraints, indexes, policies and rights of its table', async () => {
    await everywhere(unprotectedShards);
    // A difference between a shard and its table; names of a shard end with its number.
    await everywhere(`
      WITH described AS (
        SELECT c.relname AS name, regexp_replace(c.relname, '_\\d{6,}$', '') AS original, c.relacl::text AS rights,
          (SELECT array_agg(a.attacl::text ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid) AS column_rights,
          ARRAY(SELECT concat(regexp_replace(k.conname, '_\\d{6,}$', ''), k.contype, k.conkey::text,
              regexp_replace(k.confrelid::regclass::text, '_\\d{6,}$', ''), pg_get_expr(k.conbin, k.conrelid))
            FROM pg_constraint k WHERE k.conrelid = c.oid ORDER BY 1) AS constraints,
          ARRAY(SELECT concat(regexp_replace(i.indexrelid::regclass::text, '_\\d{6,}$', ''), i.indkey, i.indisunique, pg_get_expr(i.indexprs, i.indrelid))
            FROM pg_index i WHERE i.indrelid = c.oid ORDER BY 1) AS indexes
        FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p')
          AND c.relname ~ '^(rooms|bookings|visits|keys_of_rooms|sites)(_\\d{6,})?$')
      SELECT s.name FROM described s JOIN described t ON t.name = s.original AND s.name <> s.original
      WHERE (s.rights, s.column_rights, s.constraints, s.indexes) IS DISTINCT FROM (t.rights, t.column_rights, t.constraints, t.indexes)`);
    const { rows: shards } = await count(
      `SELECT count(*)::integer AS rows FROM citus_shards WHERE table_name = 'trellis.rooms'::regclass`,
    );
    assert.equal(shards, 16);
  });

  const count = async (query: string) =>
    (await runOn(database.adminUrl, query))[0] as unknown as { rows: number };

  test('rows were filled in, and both roles work with them in their organization', async () => {
    for (const { organization, siteId, userId } of organizations) {
      const api = new Member(database.api, organization.id, userId);
      const sites = await api.run('SELECT id, room_count FROM trellis.sites WHERE organization_id = $1');
      assert.deepEqual(sites, [[siteId, '1']]);
      const name = await api.run('SELECT id, name FROM trellis.rooms WHERE organization_id = $1');
      assert.deepEqual(name, [[siteId, 'Room of Site']]);
      const booking = newUuid();
      const book = `INSERT INTO trellis.bookings (organization_id, id, room_id, follows) VALUES ($1, $2, $3, $4) RETURNING id`;
      assert.deepEqual(await api.run(book, booking, siteId, null), [[booking]]);
      assert.equal((await api.run(book, newUuid(), siteId, booking)).length, 1);
      await assert.rejects(api.run(book, newUuid(), newUuid(), null), { code: '23503' });
      await assert.rejects(api.run(book, newUuid(), siteId, newUuid()), { code: '23503' });
      await api.run(
        `INSERT INTO trellis.visits (organization_id, id, at, room_id) VALUES ($1, $2, now(), $3) RETURNING id`,
        newUuid(),
        siteId,
      );
      const addRoom = `INSERT INTO trellis.rooms (organization_id, id, site_id, kept_by, name, readers)
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`;
      await assert.rejects(api.run(addRoom, newUuid(), siteId, newUuid(), 'Nobody', null), { code: '23503' });
      await api.run(addRoom, newUuid(), siteId, userId, 'Own', `{${userId}}`);
      await assert.rejects(api.run(addRoom, newUuid(), siteId, userId, 'OWN', null), { code: '23505' });
      // The second one has readers: the other member does not see it.
      const counted = 'SELECT trellis.count_rooms($1::uuid)';
      assert.deepEqual(await api.run(counted), [['2']]);
      const other = await createMember(database.worker, organization, 'VIEWER');
      assert.deepEqual(await new Member(database.api, organization.id, other).run(counted), [['1']]);
      // The default is inserted as a value, which grants.sql permits.
      await database.worker.run(
        'INSERT INTO trellis.rooms (organization_id, id, site_id) VALUES ($1, $2, $3)',
        [organization.id, newUuid(), siteId],
      );
    }
    const { rows } = await count('SELECT count(*)::integer AS rows FROM trellis.rooms');
    assert.equal(rows, organizations.length * 3);
  });

  test('in the shards, the serving role sees no rows of others, and the organization that it names', async () => {
    let own = 0;
    const isNew = /^trellis\.(rooms|bookings|visits)_/;
    for (const url of citusNodes(database.name)) {
      const client = await connectAs('trellis_api', url);
      try {
        for (const name of (await shardsOn(url, 'trellis_api')).filter((one) => isNew.test(one)))
          for (const id of ['', ...organizations.map(({ organization }) => organization.id)]) {
            await client.query(`SELECT set_config('trellis.organization', $1, false)`, [id]);
            const { rows } = await client.query(
              `SELECT count(*)::integer AS all, count(*) FILTER (WHERE organization_id::text <> $1)::integer AS others FROM ${name}`,
              [id],
            );
            assert.deepEqual([rows[0].others, id === '' ? rows[0].all : 0], [0, 0], name);
            own += rows[0].all;
          }
      } finally {
        await client.end();
      }
    }
    // Of each organization the bookings and the visit, and the rooms without readers.
    assert.equal(own, organizations.length * (2 + 1 + 2));
  });

  test('an organization moves to another server with its rows of the new tables', async () => {
    const [first] = organizations;
    assert.ok(first);
    const placed = { adminUrl: database.adminUrl, database: database.name, key: 'one', log: () => undefined };
    const { server } = await readPlacement(placed);
    const servers = ((await readDistribution(database.worker)) ?? []).filter(({ role }) => role === 'worker');
    const target = servers.find((one) => one.server !== server)?.server ?? '';
    assert.equal((await moveOrganization(placed, target)).server, target);
    const api = new Member(database.api, first.organization.id, first.userId);
    assert.deepEqual(await api.run('SELECT trellis.count_rooms($1::uuid)'), [['3']]);
    // Without what is left of the shards on their former server, which Citus may remove a little later.
    await everywhere(`
      SELECT name FROM (${unprotectedShards}) AS unprotected JOIN pg_dist_placement p ON p.shardid = substring(name FROM '\\d+$')::bigint
      JOIN pg_dist_local_group g ON g.groupid = p.groupid`);
  });
});

/** An organization with a member and a site. */
interface Content {
  readonly organization: TestOrganization;
  readonly siteId: string;
  readonly userId: string;
}

async function fill({ api, worker }: TestDatabase, key: string): Promise<Content> {
  const organization = await createOrganization(worker, key);
  const userId = await createMember(worker, organization, 'OWNER');
  return { organization, userId, siteId: await createSite(api, organization.id) };
}

/** Statements of the serving role on behalf of a member; $1 is the organization. */
class Member {
  private readonly api: Database;
  private readonly organizationId: string;
  private readonly userId: string;

  constructor(api: Database, organizationId: string, userId: string) {
    this.api = api;
    this.organizationId = organizationId;
    this.userId = userId;
  }

  async run(text: string, ...values: readonly (string | null)[]): Promise<(string | null)[][]> {
    const { organizationId, userId } = this;
    const [result] = await this.api.execute({ organizationId, userId }, [
      { statement: { name: '', text }, values: [organizationId, ...values] },
    ]);
    return [...(result?.rows ?? [])].map((row) => [...row]);
  }
}
