/**
 * Which server has the rows of an organization, and how that is changed: its shard is moved to another server, or the organization gets a
 * shard of its own. Others can read and write meanwhile.
 */
import type pg from 'pg';
import type { DatabaseFailure } from '../batch.ts';
import { connectToWritable } from '../connection.ts';
import { isConnectionLost } from '../connections.ts';
import { replaceDatabase } from '../hosts.ts';
import { lockMigrations } from '../migration-lock.ts';
import { type LockAttempts, withShortLocks } from '../short-locks.ts';
import { ClusterError } from './check-cluster.ts';
import { requireEnabledServers } from './disabled-servers.ts';
import { isDistributedDatabase } from './state.ts';

/** The table whose shards all others are placed like. */
const table = 'trellis.memberships';

/** How long a change of a table's row-level security waits for others that use the table. */
const locks: LockAttempts = { waitMs: 500, attempts: 60 };

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
  /** Gets a line when another change has to be waited for. */
  readonly log: (line: string) => void;
}

/**
 * Moves the shard of an organization, with all others in it, to another server. They can be written meanwhile; their writes wait at the end. If it
 * is there already, nothing happens.
 * @param server host and port, as `trellis database status` shows them
 * @throws ClusterError that says what is wrong; then the organization is where it was
 */
export function moveOrganization(placed: Placed, server: string): Promise<Placement> {
  return changePlacement(placed, async (client, place) => {
    const { source, target } = await readNodes(client, place, server);
    if (source.id === target.id) return null;
    return {
      text: `SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')`,
      values: [place.shard, source.host, source.port, target.host, target.port],
    };
  });
}

/**
 * Gives an organization a shard of its own, so that it can be moved without others. If it has one, nothing happens.
 *
 * Copies of rows on the same server cannot follow updates and deletions: Citus 13.2 begins to read changes before the copies have the key by
 * which rows are found, and does not end. So writes of all organizations of the shard wait there, or the rows go to another server.
 * @param server where all organizations of the shard come meanwhile, and are written; without it, they stay where they are, and their
 *   writes wait, or fail with 503
 * @throws ClusterError that says what is wrong; then the organization is where it was
 */
export function isolateOrganization(placed: Placed, server?: string): Promise<Placement> {
  return changePlacement(placed, async (client, place) => {
    if (place.isAlone) return null;
    const { source, target } = await readNodes(client, place, server ?? place.server);
    const { rows } = await client.query<{ points: string[] }>(
      `SELECT array_remove(ARRAY[CASE WHEN h > shardminvalue::integer THEN h - 1 END, CASE WHEN h < shardmaxvalue::integer THEN h END], NULL)::text[] AS points
       FROM pg_dist_shard, worker_hash($1::uuid) AS h WHERE shardid = $2`,
      [place.id, place.shard],
    );
    const points = rows[0]?.points ?? [];
    const targets = Array<number>(points.length + 1).fill(target.id);
    const mode = source.id === target.id ? 'block_writes' : 'force_logical';
    return {
      text: 'SELECT citus_split_shard_by_split_points($1, $2, $3, $4)',
      values: [place.shard, points, targets, mode],
    };
  });
}

/** A server of the cluster. */
interface Node {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** @throws ClusterError if the target is none for data */
async function readNodes(
  client: pg.Client,
  place: Place,
  server: string,
): Promise<{ readonly source: Node; readonly target: Node }> {
  const { rows } = await client.query<Node & { server: string }>(
    `SELECT nodeid AS id, nodename AS host, nodeport AS port, format('%s:%s', nodename, nodeport) AS server FROM pg_dist_node
     WHERE noderole = 'primary' AND isactive AND (shouldhaveshards OR format('%s:%s', nodename, nodeport) = $1)`,
    [place.server],
  );
  const [source, target] = [place.server, server].map((name) => rows.find((row) => row.server === name));
  if (source === undefined || target === undefined)
    throw new ClusterError(
      `${server} is no server for data; there are ${rows.map((row) => row.server).join(', ')}.`,
    );
  return { source, target };
}

/** Where an organization is, as changes need it. */
interface Place extends Omit<Placement, 'isChanged'> {
  /** Uuid of the organization. */
  readonly id: string;
}

/** @throws ClusterError that says what is wrong */
export function readPlacement(placed: Placed): Promise<Placement> {
  return withCoordinator(placed, async (client) => toPlacement(await readPlace(client, placed), false));
}

/** @param plan the statement that makes the change; null if there is nothing to change */
function changePlacement(
  placed: Placed,
  plan: (client: pg.Client, place: Place) => Promise<pg.QueryConfig | null>,
): Promise<Placement> {
  return withCoordinator(placed, async (client) => {
    await lockMigrations(client, placed.log);
    await requireEnabledServers(client);
    const before = await readPlace(client, placed);
    const statement = await plan(client, before);
    if (statement === null) return toPlacement(before, false);
    await client.query('SET statement_timeout = 0');
    await withoutForce(placed, client, () => client.query(statement));
    // Otherwise the rows stay where they were until Citus removes them later.
    await client.query('CALL citus_cleanup_orphaned_resources()');
    return toPlacement(await readPlace(client, placed), true);
  });
}

async function withCoordinator<T>(
  { adminUrl, database }: Placed,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToWritable(replaceDatabase(adminUrl, database), 'trellis database move');
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function toPlacement({ id: _, ...place }: Place, isChanged: boolean): Placement {
  return { ...place, isChanged };
}

async function readPlace(client: pg.Client, { database, key }: Placed): Promise<Place> {
  if (!(await isDistributedDatabase(client)))
    throw new ClusterError(`The database ${database} is not distributed: run "trellis database distribute".`);
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
async function withoutForce(placed: Placed, client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  try {
    for (const name of await readDistributedTables(client)) await setForce(client, name, false);
    await work();
  } finally {
    await forceRowSecurity(client).catch((error: DatabaseFailure) => {
      if (!isConnectionLost(error)) throw error;
      // On another connection, and after any change that has begun since: it needs the tables as they are.
      return withCoordinator(placed, async (other) => {
        await lockMigrations(other, placed.log);
        await forceRowSecurity(other);
      });
    });
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

/** Forces row-level security on the owners of all distributed tables: a change of the placement that was killed has left it off. */
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
  await withShortLocks(client, locks, () =>
    client.query(`ALTER TABLE ${name} ${isForced ? '' : 'NO '}FORCE ROW LEVEL SECURITY`),
  );
}
