/**
 * Distributes a migrated database over the servers of a Citus cluster: every table with an organization by its organization, so that all
 * rows of an organization are on one server; organizations and users are on every server; the rest stays on the coordinator.
 * See docs/distribution.md.
 */
import type pg from 'pg';
import { connectToWritable } from '../connection.ts';
import { applyFunctions, readFunctions } from '../functions.ts';
import { replaceDatabase } from '../hosts.ts';
import { lockMigrations } from '../migration-lock.ts';
import { readSchema } from '../schema.ts';
import { ClusterError, checkCluster, roles } from './check-cluster.ts';
import { compareContents, readContents } from './contents.ts';
import { requireEnabledServers } from './disabled-servers.ts';
import { forceRowSecurity } from './placement.ts';
import { changeInTurn } from './run-migration.ts';
import { distributeTable, dropKeysOfPeople, readNames, readWaiting, referenceTables } from './tables.ts';

/** SQL: whether a function `p` belongs to no extension. */
const isOwnFunction = `NOT EXISTS (
  SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`;

/** What a run has done. */
export interface Distribution {
  /** Tables that were distributed by this run. */
  readonly distributed: readonly string[];
  /** Tables that were copied to every server by this run. */
  readonly copied: readonly string[];
  /** Rows in all tables, which were the same before and after. */
  readonly rows: number;
}

/**
 * Distributes what is not distributed yet, in one transaction, which nobody can write beside. It can be repeated.
 * @param adminUrl URL of a superuser of the coordinator
 * @param log gets a line for each table
 * @throws ClusterError that says what is missing; MigrationLockError; Error if the contents of a table differ afterwards, and nothing was changed
 */
export async function distribute(
  adminUrl: string,
  database: string,
  log: (line: string) => void,
): Promise<Distribution> {
  const client = await connectToWritable(replaceDatabase(adminUrl, database), 'trellis database distribute');
  try {
    await lockMigrations(client, log);
    await checkCluster(client, database);
    await requireEnabledServers(client);
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = 0`);
    await changeInTurn(client);
    await client.query(`SET LOCAL client_min_messages = error`);
    const result = await distributeTables(client, log);
    await client.query('COMMIT');
    await forceRowSecurity(client);
    await createExtensions(client);
    await permitExtensions(client);
    return result;
  } finally {
    // Ends the transaction, if it was not committed.
    await client.end();
  }
}

async function distributeTables(client: pg.Client, log: (line: string) => void): Promise<Distribution> {
  const waiting = await readWaiting(client);
  const names = await readNames(
    client,
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relname <> 'migrations' ORDER BY 1`,
  );
  await client.query(
    `LOCK TABLE ${names.map((name) => `trellis.${name}`).join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
  );
  const before = await readContents(client, names);
  await client.query('SET LOCAL search_path = trellis, public');
  await applyFunctions(client, await readFunctions(await readSchema()), true);
  await giveFunctionsToOwner(client);
  await planForEachOrganization(client);
  await dropKeysOfPeople(client);
  const keys = await dropKeys(client, waiting);
  const copied = referenceTables.filter((name) => waiting.includes(name));
  for (const name of copied) {
    log(`copying ${name} to every server`);
    await client.query(`SELECT create_reference_table('trellis.${name}')`);
  }
  const distributed = waiting.filter((name) => !copied.some((other) => other === name));
  for (const name of distributed) {
    log(`distributing ${name}`);
    await distributeTable(client, name);
  }
  for (const { table, name, definition } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  await distributeFunctions(client);
  const after = await readContents(client, names);
  const rows = compareContents(before, after);
  await findOrganizationsOfPeople(client);
  return { distributed, copied, rows };
}

/** Finds the organizations of all people anew, while all servers are there. See docs/decisions/0120-organizations-of-a-person.md. */
async function findOrganizationsOfPeople(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE joined ON COMMIT DROP AS
      SELECT id AS user_id, NULL::uuid AS organization_id FROM trellis.users WHERE email IS NOT NULL
      UNION SELECT user_id, organization_id FROM trellis.memberships
      UNION SELECT acts_for, organization_id FROM trellis.webhook_subscriptions WHERE acts_for IS NOT NULL
      UNION SELECT sent_by, organization_id FROM trellis.invitations WHERE sent_by IS NOT NULL`);
  await client.query(`
    INSERT INTO trellis.organizations_of_people AS p (user_id, organization_ids, is_complete)
      SELECT user_id, coalesce(array_agg(organization_id) FILTER (WHERE organization_id IS NOT NULL), '{}'), true
      FROM joined GROUP BY user_id
    ON CONFLICT (user_id) DO UPDATE SET is_complete = true, organization_ids =
      ARRAY(SELECT DISTINCT id FROM unnest(p.organization_ids || excluded.organization_ids) id)`);
}

/** Creates the extensions of the schema on the servers where they are missing. Citus does so only for those that tables depend on. */
async function createExtensions(client: pg.Client): Promise<void> {
  const names = await readNames(
    client,
    `SELECT quote_ident(extname) AS name FROM pg_extension WHERE extnamespace = 'trellis'::regnamespace ORDER BY 1`,
  );
  for (const name of names)
    await runOnServers(client, `CREATE EXTENSION IF NOT EXISTS ${name} SCHEMA trellis`);
}

/** Has the owner create the extensions of later migrations on every server, as `trellis database setup` does on the coordinator. */
async function permitExtensions(client: pg.Client): Promise<void> {
  const [database = ''] = await readNames(client, 'SELECT quote_ident(current_database()) AS name');
  await runOnServers(client, `GRANT CREATE ON DATABASE ${database} TO trellis_owner`);
}

/**
 * Runs a statement on all servers but the coordinator.
 * @throws ClusterError
 */
async function runOnServers(client: pg.Client, statement: string): Promise<void> {
  const { rows } = await client.query<{ nodename: string; result: string }>(
    `SELECT n.nodename, r.result FROM run_command_on_workers($1) r
     JOIN pg_dist_node n ON n.nodename = r.nodename AND n.nodeport = r.nodeport WHERE NOT r.success`,
    [`DO $do$ BEGIN SET LOCAL citus.enable_ddl_propagation = off; ${statement}; END $do$`],
  );
  const [failed] = rows;
  if (failed !== undefined)
    throw new ClusterError(
      `"${statement}" fails on ${failed.nodename}: ${failed.result}. Correct this, and run the command again.`,
    );
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Drops the foreign keys from and to tables that are going to be distributed: both ends have to be, before there is a key. */
async function dropKeys(client: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'trellis'::regnamespace AND conparentid = 0
       AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
     ORDER BY 1, 2`,
    [tables.map((name) => `trellis.${name}`)],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/**
 * Has the roles make a plan for each execution of a prepared statement: Citus can only make some of them if it knows the organization, and a
 * plan that it makes with one is not kept for another. And has that of sign-in change what a person has in all organizations on one shard after
 * another: beside changes in several at once, Citus permits none of users.
 */
async function planForEachOrganization(client: pg.Client): Promise<void> {
  const [database = ''] = await readNames(client, 'SELECT quote_ident(current_database()) AS name');
  for (const role of roles)
    await client.query(
      `ALTER ROLE ${role} IN DATABASE ${database} SET plan_cache_mode = 'force_custom_plan'`,
    );
  await client.query(
    `ALTER ROLE trellis_auth IN DATABASE ${database} SET citus.multi_shard_modify_mode = 'sequential'`,
  );
}

/** Functions that were new belong to the superuser, whose rights are needed for Citus to create the roles on the other servers. */
async function giveFunctionsToOwner(client: pg.Client): Promise<void> {
  const functions = await readNames(
    client,
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
     WHERE p.pronamespace = 'trellis'::regnamespace AND p.proowner = current_user::regrole AND ${isOwnFunction}`,
  );
  for (const name of functions) await client.query(`ALTER FUNCTION ${name} OWNER TO trellis_owner`);
}

/** Creates the functions on every server, and has Citus change them there from now on. */
async function distributeFunctions(client: pg.Client): Promise<void> {
  const functions = await readNames(
    client,
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p WHERE p.pronamespace = 'trellis'::regnamespace AND ${isOwnFunction} ORDER BY 1`,
  );
  for (const name of functions) await client.query('SELECT create_distributed_function($1)', [name]);
}
