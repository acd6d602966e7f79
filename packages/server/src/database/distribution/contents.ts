/** What tables contain, as numbers that do not depend on where the rows are or in which order. */
import type pg from 'pg';

/** The number of rows of a table, and the sum of their hashes. */
interface Contents {
  readonly table: string;
  readonly rows: string;
  readonly hashes: string;
}

/** Reads the contents of tables of the schema, as a role that sees all rows, in a transaction. */
export async function readContents(client: pg.Client, tables: readonly string[]): Promise<Contents[]> {
  // The text of a row must be the same on all servers.
  await client.query(`SET LOCAL citus.propagate_set_commands = 'local'`);
  for (const setting of [
    `timezone = 'UTC'`,
    `datestyle = 'ISO, YMD'`,
    `bytea_output = 'hex'`,
    'extra_float_digits = 1',
  ])
    await client.query(`SET LOCAL ${setting}`);
  const contents: Contents[] = [];
  for (const table of tables) {
    const { rows } = await client.query<Contents>(
      `SELECT '${table}' AS table, count(*) AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS hashes
       FROM trellis.${table} t`,
    );
    contents.push(...rows);
  }
  return contents;
}

/**
 * The number of rows of all tables.
 * @throws Error that names the tables whose contents differ
 */
export function compareContents(before: readonly Contents[], after: readonly Contents[]): number {
  const differing = before.filter(({ table, rows, hashes }) => {
    const other = after.find((one) => one.table === table);
    return other === undefined || other.rows !== rows || other.hashes !== hashes;
  });
  if (differing.length > 0)
    throw new Error(
      `Nothing was changed: the rows of ${differing.map(({ table }) => table).join(', ')} would not be the same afterwards.`,
    );
  return before.reduce((sum, { rows }) => sum + Number(rows), 0);
}
