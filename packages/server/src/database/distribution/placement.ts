/**
 * Which server has the rows of an organization, and how that is changed: its shard is moved to another server, or the organization gets a
 * shard of its own. Others can read and write meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseFailure } from '../batch.ts';
import { connectToWritable } from '../connection.ts';
import { replaceDatabase } from '../hosts.ts';
import { ClusterError } from './check-cluster.ts';

/** The table whose shards all others are placed like. */
const table = 'trellis.memberships';

/** How long a change of a table's row-level security waits for others that use the table, in ms: whoever comes behind it waits too. */
const lockTimeoutMs = 500;
/** How often it is tried; there is a pause of as long as it waited in between. */
const attempts = 60;

/** Where an organization is. */
export interface Placement {
  readonly organization: string;
  /** Host and port, as Citus knows them. */
  readonly server: string;
  /** Number of its shard of the first table. */
  readonly shard: string;
  /** Whether no other organization is in the shard. */
  readonly isAlone: boolean;
  /** Whether this run has changed it. */
  readonly isChanged: boolean;
}

/** The coordinator, and an organization by its key. */
export interface Placed {
  /** URL of a superuser of the coordinator. */
  readonly adminUrl: string;
  readonly database: string;
  readonly key: string;
}

/**
 * Moves the shard of an organization, with all others in it, to another server. If it is there already, nothing happens.
 * @param server host and port, as `trellis database status` shows them
 * @throws ClusterError that says what is wrong; then the organization is where it was
 */
export function moveOrganization(placed: Placed, server: string): Promise<Placement> {
  return changePlacement(placed, async (client, place) => {
    const { rows } = await client.query<{ host: string; port: number; server: string }>(
      `SELECT nodename AS host, nodeport AS port, format('%s:%s', nodename, nodeport) AS server FROM pg_dist_node
       WHERE noderole = 'primary' AND isactive AND shouldhaveshards`,
    );
    const nodes = new Map(rows.map((row) => [row.server, row]));
    const [from, to] = [nodes.get(place.server), nodes.get(server)];
    if (to === undefined)
      throw new ClusterError(`${server} is no server for data; there are ${[...nodes.keys()].join(', ')}.`);
    if (from === to) return false;
    const source = /^(.*):(\d+)$/.exec(place.server) ?? [];
    await client.query(`SELECT citus_move_shard_placement($1, $2, $3::integer, $4, $5::integer, 'auto')`, [
      place.shard,
      source[1],
      source[2],
      to.host,
      to.port,
    ]);
    return true;
  });
}

/**
 * Gives an organization a shard of its own, on the server where it is, so that it can be moved without others. If it has one, nothing happens.
 * @throws ClusterError that says what is wrong
 */
export function isolateOrganization(placed: Placed): Promise<Placement> {
  return changePlacement(placed, async (client, { id, isAlone }) => {
    if (isAlone) return false;
    await client.query(
      `SELECT isolate_tenant_to_new_shard('${table}', '${id}'::uuid, 'CASCADE', shard_transfer_mode => 'auto')`,
    );
    return true;
  });
}

interface Place extends Omit<Placement, 'isChanged'> {
  /** Uuid of the organization. */
  readonly id: string;
}

/** @param change whether it has changed something */
async function changePlacement(
  { adminUrl, database, key }: Placed,
  change: (client: pg.Client, place: Place) => Promise<boolean>,
): Promise<Placement> {
  const client = await connectToWritable(replaceDatabase(adminUrl, database));
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('trellis migrate'))`);
    await client.query('SET statement_timeout = 0');
    // How long copying may make no progress, for example without a free background worker; Citus waits for two hours by itself.
    await client.query(`SET citus.logical_replication_timeout = '5min'`);
    const before = await readPlace(client, database, key);
    const isChanged = await withoutForce(client, () => change(client, before));
    const { id: _, ...place } = await readPlace(client, database, key);
    return { ...place, isChanged };
  } finally {
    await client.end();
  }
}

async function readPlace(client: pg.Client, database: string, key: string): Promise<Place> {
  const { rows: known } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('pg_catalog.citus_shards') IS NOT NULL AS found`,
  );
  if (known[0]?.found !== true) throw new ClusterError(`The database ${database} is not distributed.`);
  const { rows } = await client.query<Place>(
    `SELECT o.id, o.key AS organization, format('%s:%s', s.nodename, s.nodeport) AS server, s.shardid::text AS shard,
       d.shardminvalue = d.shardmaxvalue AS "isAlone"
     FROM trellis.organizations o
     JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('${table}', o.id)
     JOIN pg_dist_shard d ON d.shardid = s.shardid
     WHERE o.key = $1`,
    [key],
  );
  const [place] = rows;
  if (place === undefined) throw new ClusterError(`There is no organization with the key ${key}.`);
  return place;
}

/**
 * Does work while row-level security is not forced on the owner of the tables, as whom Citus copies rows: with it, copying would never end. The
 * roles that serve requests do not own the tables, so nothing changes for them.
 */
async function withoutForce<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const tables = await readDistributedTables(client);
  try {
    for (const name of tables) await setForce(client, name, false);
    return await work();
  } finally {
    for (const name of tables) await setForce(client, name, true);
  }
}

/** The tables with an organization, and their partitions. */
async function readDistributedTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_dist_partition p ON p.logicalrelid = c.oid AND p.partmethod = 'h'
     WHERE c.relnamespace = 'trellis'::regnamespace AND c.relrowsecurity ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Forces row-level security on the owners of all distributed tables: a move that was killed may have left it away. */
export async function forceRowSecurity(client: pg.Client): Promise<void> {
  for (const name of await readDistributedTables(client)) await setForce(client, name, true);
}

/** @throws Error when others have used the table all the time */
async function setForce(client: pg.Client, name: string, isForced: boolean): Promise<void> {
  const { rows } = await client.query<{ forced: boolean }>(
    'SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = $1::regclass',
    [name],
  );
  if (rows[0]?.forced === isForced) return;
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`ALTER TABLE ${name} ${isForced ? '' : 'NO '}FORCE ROW LEVEL SECURITY`);
      await client.query('RESET lock_timeout');
      return;
    } catch (error) {
      // lock_not_available; on a shard, the message is all there is.
      const { code, message } = error as DatabaseFailure;
      if ((code !== '55P03' && !message.includes('lock timeout')) || attempt === attempts) throw error;
      await sleep(lockTimeoutMs);
    }
  }
}
