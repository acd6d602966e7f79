/** Whether a database is distributed over several servers by Citus. */

/** SQL: whether the database has Citus. */
const hasCitus = `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS found`;
/** SQL: whether Citus distributes the table of memberships, which all others with an organization are placed like. */
const isPlaced = `SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition
  WHERE logicalrelid = to_regclass('trellis.memberships') AND partmethod = 'h') AS found`;

/** What runs one statement; a driver's connection. */
interface Client {
  query(text: string): Promise<{ readonly rows: readonly { readonly found: boolean }[] }>;
}

/** Whether the tables of this product are distributed. */
export async function isDistributedDatabase(client: Client): Promise<boolean> {
  const holds = async (statement: string) => (await client.query(statement)).rows[0]?.found === true;
  return (await holds(hasCitus)) && (await holds(isPlaced));
}
