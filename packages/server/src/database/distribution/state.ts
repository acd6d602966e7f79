/** Whether a database is distributed over several servers by Citus. */
import type pg from 'pg';

/** Whether the tables of this product are distributed. */
export async function isDistributedDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has`);
  if (rows[0]?.has !== true) return false;
  const found = await client.query(
    `SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass('trellis.memberships')`,
  );
  return found.rowCount === 1;
}
