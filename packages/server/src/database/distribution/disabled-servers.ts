/**
 * Servers that a distributed database does without for a while. Users and organizations are on every server, so that nobody can change them while
 * one is away. Once that one is disabled, they are changed on the others; when it is back, it gets what it has missed, and is enabled.
 * See docs/decisions/0121-disabled-servers.md.
 */
import type pg from 'pg';
import type { DatabaseFailure } from '../batch.ts';
import { connectToWritable } from '../connection.ts';
import { isSqlState } from '../connections.ts';
import { hostAndPort, replaceDatabase, replaceHost } from '../hosts.ts';
import { lockMigrations } from '../migration-lock.ts';
import { ClusterError } from './check-cluster.ts';
import { compareContents, readContents } from './contents.ts';
import { isDistributedDatabase } from './state.ts';
import { referenceTables } from './tables.ts';

/** How long a server is tried to be reached, in ms. */
const reachMs = 5_000;
/** How long changes of users and organizations that are under way may take, in ms. */
const lockMs = 30_000;
/** Rows that are sent at once. */
const rowsTogether = 5_000;

/** A server, and the coordinator that knows it. */
export interface ServerOptions {
  /** URL of a superuser of the coordinator, who can log in with it at the server too. */
  readonly adminUrl: string;
  readonly database: string;
  /** Host and port, as `trellis database status` shows them. */
  readonly server: string;
  /** Gets a line when another change has to be waited for. */
  readonly log: (line: string) => void;
}

/** Whether a server is in use. */
export interface ServerUse {
  readonly server: string;
  readonly isEnabled: boolean;
  /** Rows of users and organizations that the server had missed and has got. */
  readonly rows: number;
  /** Whether this run has changed it. */
  readonly isChanged: boolean;
}

/** A server as Citus knows it. */
interface Node {
  readonly id: number;
  /** Of its shards. */
  readonly group: number;
  readonly host: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  readonly isActive: boolean;
}

/**
 * Disables a server that is away. Nodes that reach the coordinator use it no more two seconds later, even if it is back.
 * @throws ClusterError that says why not, and nothing was changed
 */
export function disableServer(options: ServerOptions): Promise<ServerUse> {
  return withNode(options, 'trellis database disable', async (client, node) => {
    const { server } = options;
    if (node.isCoordinator)
      throw new ClusterError(`${server} is the coordinator, which nothing works without.`);
    if (node.isActive && (await canBeReached(client, options, node)))
      throw new ClusterError(`${server} can be reached. Only a server that is away is disabled.`);
    if (node.isActive) await setActive(client, node, false);
    await shareUse(client);
    return { server, isEnabled: false, rows: 0, isChanged: node.isActive };
  });
}

/**
 * Enables a server that is back, with all users and organizations as they are now. These do not change meanwhile.
 * @throws ClusterError; Error if it cannot be reached, others change these all the time, or a table differs afterwards. Then it stays disabled.
 */
export function enableServer(options: ServerOptions): Promise<ServerUse> {
  return withNode(options, 'trellis database enable', async (client, node) => {
    const rows = node.isActive ? 0 : await bringUpToDate(client, options, node);
    await shareUse(client);
    return { server: options.server, isEnabled: true, rows, isChanged: !node.isActive };
  });
}

/** @returns the number of rows that were not as on the coordinator */
async function bringUpToDate(client: pg.Client, options: ServerOptions, node: Node): Promise<number> {
  const other = await connectToWritable(urlOf(options, node), 'trellis database enable');
  try {
    const { rows } = await other.query<{ groupid: number }>('SELECT groupid FROM pg_dist_local_group');
    if (rows[0]?.groupid !== node.group)
      throw new ClusterError(
        `${options.server} is not the server that it was, but another one of the cluster.`,
      );
    await client.query('BEGIN');
    for (const one of [client, other]) {
      await one.query('SET citus.enable_manual_changes_to_shards = on');
      await one.query(`SET lock_timeout = ${lockMs}`);
    }
    const shards = await lockShards(client);
    await setActive(client, node, true);
    // What the server has prepared and never learned the end of still holds locks there.
    await client.query('SELECT recover_prepared_transactions()');
    await other.query('BEGIN');
    let copied = 0;
    for (const { table, shard } of shards) copied += await copyChanges(client, other, table, shard);
    await other.query('COMMIT');
    await client.query('COMMIT');
    return copied;
  } finally {
    await other.end();
  }
}

/**
 * Everything has to be changed on all servers, so nothing can be changed that one would miss.
 * @throws ClusterError if a server is disabled
 */
export async function requireEnabledServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server: string }>(
    `SELECT format('%s:%s', nodename, nodeport) AS server FROM pg_dist_node
     WHERE noderole = 'primary' AND NOT isactive ORDER BY 1`,
  );
  if (rows.length > 0)
    throw new ClusterError(
      `Nothing was changed, because not all servers are in use: ${rows.map(({ server }) => server).join(', ')}. ` +
        'When it is back, run "trellis database enable" with it.',
    );
}

async function withNode<T>(
  { adminUrl, database, server, log }: ServerOptions,
  command: string,
  work: (client: pg.Client, node: Node) => Promise<T>,
): Promise<T> {
  const client = await connectToWritable(replaceDatabase(adminUrl, database), command);
  try {
    if (!(await isDistributedDatabase(client)))
      throw new ClusterError(
        `The database ${database} is not distributed: run "trellis database distribute".`,
      );
    await lockMigrations(client, log);
    await client.query(`SET citus.node_connection_timeout = ${reachMs}`);
    const { rows } = await client.query<Node & { server: string }>(
      `SELECT nodeid AS id, groupid AS "group", nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator", isactive AS "isActive",
         format('%s:%s', nodename, nodeport) AS server
       FROM pg_dist_node WHERE noderole = 'primary' ORDER BY nodeid`,
    );
    const node = rows.find((row) => row.server === server);
    if (node === undefined)
      throw new ClusterError(
        `${server} is no server of the cluster; there are ${rows.map((row) => row.server).join(', ')}.`,
      );
    return await work(client, node);
  } finally {
    // Ends the transaction, if it was not committed.
    await client.end();
  }
}

/** Whether the coordinator or this process gets any response of a server, also that it lets nobody in. */
async function canBeReached(client: pg.Client, options: ServerOptions, node: Node): Promise<boolean> {
  const { rows } = await client.query<{ reached: boolean }>(
    'SELECT citus_check_connection_to_node($1, $2) AS reached',
    [node.host, node.port],
  );
  if (rows[0]?.reached !== false) return true;
  try {
    await (await connectToWritable(urlOf(options, node), 'trellis database disable')).end();
    return true;
  } catch (error) {
    const { code = '' } = error as DatabaseFailure;
    // Of class 57P, it is starting or stopping.
    return isSqlState(code) && !code.startsWith('57P');
  }
}

function urlOf({ adminUrl, database }: ServerOptions, { host, port }: Node): string {
  return replaceDatabase(replaceHost(adminUrl, hostAndPort(host, port)), database);
}

/** Has Citus use a server or not. Its own `citus_disable_node` refuses a server with shards. */
async function setActive(client: pg.Client, { id }: Node, isActive: boolean): Promise<void> {
  await client.query('UPDATE pg_dist_node SET isactive = $2 WHERE nodeid = $1', [id, isActive]);
}

/** Has the other servers know which of them are in use. Those that cannot be reached get it from Citus when they are back. */
async function shareUse(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE pg_dist_node n SET metadatasynced = false
     FROM (SELECT format('UPDATE pg_dist_node n SET isactive = u.used FROM (VALUES %s) u (id, used) WHERE u.id = n.nodeid AND u.used <> n.isactive',
         string_agg(format('(%s, %L::boolean)', nodeid, isactive), ', ')) AS text FROM pg_dist_node) change,
       run_command_on_workers(change.text) r
     WHERE n.nodename = r.nodename AND n.nodeport = r.nodeport AND NOT r.success`,
  );
}

/** A table that is on every server, and the name of each copy, without their schema. */
interface CopiedShard {
  readonly table: string;
  readonly shard: string;
}

/**
 * Has nobody change users and organizations until the transaction ends. Citus chooses the servers that a change is made on under a lock of the shard's
 * metadata, so whatever waits for that one is made on the server that is enabled, too.
 */
async function lockShards(client: pg.Client): Promise<CopiedShard[]> {
  const { rows } = await client.query<{ table: string; id: string }>(
    `SELECT c.relname AS table, s.shardid::text AS id FROM pg_dist_shard s JOIN pg_class c ON c.oid = s.logicalrelid
     WHERE s.logicalrelid = ANY ($1::regclass[]) ORDER BY s.shardid`,
    [referenceTables.map((table) => `trellis.${table}`)],
  );
  // ExclusiveLock: changes take ShareLock.
  await client.query('SELECT lock_shard_metadata(7, $1)', [rows.map(({ id }) => id)]);
  const shards = rows.map(({ table, id }) => ({ table, shard: `${table}_${id}` }));
  for (const { shard } of shards)
    await client.query(`LOCK TABLE trellis.${shard} IN SHARE ROW EXCLUSIVE MODE`);
  return shards;
}

/**
 * Has another server's copy of a table be as the coordinator's.
 * @returns the number of rows that were not
 */
async function copyChanges(
  client: pg.Client,
  other: pg.Client,
  table: string,
  shard: string,
): Promise<number> {
  const { rows: lists } = await client.query<{ names: string; assignments: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names,
       string_agg(format('%1$I = excluded.%1$I', attname), ', ' ORDER BY attnum) AS assignments
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [`trellis.${table}`],
  );
  const [{ names, assignments } = { names: '', assignments: '' }] = lists;
  let copied = 0;
  for (let last = ''; ; ) {
    const { rows } = await client.query<{ id: string; rows: string }>(
      `SELECT max(id::text) AS id, jsonb_agg(to_jsonb(t))::text AS rows FROM (
         SELECT * FROM trellis.${shard} WHERE $1 = '' OR id > nullif($1, '')::uuid ORDER BY id LIMIT ${rowsTogether}) t`,
      [last],
    );
    const [page] = rows;
    if (page?.id == null) break;
    const { rowCount } = await other.query(
      `INSERT INTO trellis.${shard} AS t (${names}) SELECT ${names} FROM jsonb_populate_recordset(NULL::trellis.${shard}, $1)
       ON CONFLICT (id) DO UPDATE SET ${assignments} WHERE t.* IS DISTINCT FROM excluded.*`,
      [page.rows],
    );
    copied += rowCount ?? 0;
    last = page.id;
  }
  compareContents(await readContents(client, [shard]), await readContents(other, [shard]));
  return copied;
}
