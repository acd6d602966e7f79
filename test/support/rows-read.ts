/** Counts the rows that PostgreSQL reads for some work, from its own statistics. */
import { Database } from '@trellis/server/kernel/database/database.ts';
import { until } from './until.ts';

/** A pool of one connection. */
export function openPool(url: string, applicationName: string): Database {
  return new Database({
    url,
    poolSize: 1,
    prepare: true,
    acquireTimeoutMs: 5_000,
    applicationName,
    log: () => undefined,
  });
}

/** The number of table rows and index entries read so far. */
async function rowsRead(admin: Database, tables: string): Promise<number> {
  // What this connection has read itself is otherwise reported up to a second later, and would count as the work's.
  await admin.run('SELECT pg_stat_force_next_flush()', []);
  const rows = await admin.run(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname LIKE $1)
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname LIKE $1)`,
    [tables],
  );
  return Number(rows[0]?.[0]);
}

/**
 * Counts the rows of tables that some work reads. It gets its own connection, whose statistics are reported at its end.
 * @param admin a pool of a superuser
 * @param tables a pattern of LIKE for the names of the tables
 */
export async function countReads(
  admin: Database,
  tables: string,
  url: string,
  work: (database: Database) => Promise<unknown>,
): Promise<number> {
  const earlier = await rowsRead(admin, tables);
  const own = openPool(url, 'counted');
  await work(own);
  await own.close();
  await until('the connection has ended', async () => {
    const rows = await admin.run(`SELECT FROM pg_stat_activity WHERE application_name = 'counted'`, []);
    return rows.length === 0;
  });
  return (await rowsRead(admin, tables)) - earlier;
}
