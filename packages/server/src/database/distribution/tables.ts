/** Which tables a distributed database (Citus) has on which servers, and how those that are new come there. */
import type pg from 'pg';

/** The tables that are on every server, because tables with an organization refer to them. */
export const referenceTables = ['organizations', 'users'] as const;
/** The table that all others with an organization are placed like. */
const first = 'memberships';

/** SQL: whether a table `c` has an organization. */
const hasOrganization = `EXISTS (
  SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped)`;

/** The tables that are to be distributed or copied and are not yet, without their schema. */
export async function readWaiting(client: pg.Client): Promise<string[]> {
  return readNames(
    client,
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND (c.relname = ANY ('{${referenceTables.join(',')}}') OR ${hasOrganization})
       AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid AND p.partmethod <> 'n')
       AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid AND p.repmodel = 't')
     ORDER BY c.relname <> '${first}', c.relname`,
  );
}

/** Distributes a table by its organization. */
export async function distributeTable(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `SELECT create_distributed_table('trellis.${name}', 'organization_id', colocate_with => $1)`,
    [name === first ? 'none' : `trellis.${first}`],
  );
}

/**
 * Drops the foreign keys that refer to users from tables which stay on the coordinator: what a person signs in with. With these keys Citus would plan
 * the statements on those tables, and refuse many. And that of users to organizations: for it, Citus lets nobody change users who may not change
 * organizations. No role may delete either of them, so the keys protect from nothing that happens.
 */
export async function dropKeysOfPeople(client: pg.Client): Promise<void> {
  const keys = await readNames(
    client,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS name
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND (k.confrelid = 'trellis.users'::regclass AND NOT ${hasOrganization}
       OR k.conrelid = 'trellis.users'::regclass AND k.confrelid = 'trellis.organizations'::regclass)
     ORDER BY 1`,
  );
  for (const drop of keys) await client.query(drop);
}

/** The column `name` of a query's rows. */
export async function readNames(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}
