/** The tables of shards on the servers of a prepared Citus cluster (see citus.ts). */
import pg from 'pg';
import { runOn } from './citus.ts';

/** A connection of the superuser with the rights of a role. */
export async function connectAs(role: string, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Otherwise Citus hides the shards among the tables.
  await client.query('SET citus.override_table_visibility = off');
  await client.query(`SET ROLE ${role}`);
  return client;
}

/** The shards on a server of tables that a role may read. */
export async function shardsOn(url: string, role: string): Promise<string[]> {
  const rows = await runOn(
    url,
    'SET citus.override_table_visibility = off',
    `SELECT s.shard_name AS name FROM citus_shards s JOIN pg_class c ON c.oid = to_regclass(s.shard_name)
     WHERE s.citus_table_type = 'distributed' AND s.nodeport = current_setting('port')::integer
       AND has_table_privilege('${role}', c.oid, 'SELECT') AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  return rows.map(({ name }) => String(name));
}

/** SQL: the tables of shards on a server without forced row-level security, or with other policies than their tables; none are. */
export const unprotectedShards = `
  WITH shards AS (
    SELECT c.oid, c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced, regexp_replace(c.relname, '_\\d+$', '') AS original
    FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname ~ '_\\d{6,}$')
  SELECT name FROM shards s JOIN pg_class t ON t.relnamespace = 'trellis'::regnamespace AND t.relname = s.original
  WHERE NOT forced OR (SELECT array_agg((polname, polcmd, polpermissive, polroles) ORDER BY polname)::text FROM pg_policy WHERE polrelid = s.oid)
    IS DISTINCT FROM (SELECT array_agg((polname, polcmd, polpermissive, polroles) ORDER BY polname)::text FROM pg_policy WHERE polrelid = t.oid)`;
