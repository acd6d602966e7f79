/**
 * Statements of the superuser on the tables of one organization, where the rows are: in a distributed database (see citus.ts) over a connection to
 * the server of the organization, with the names of the shards' tables in place of the tables'. So a test can make changes that Citus refuses,
 * such as one with a volatile function, and hold locks that requests wait for.
 */
import { nameTablesIn } from '@trellis/server/database/distribution/shard-statements.ts';
import pg from 'pg';
import { citusNodes } from './citus.ts';
import type { TestDatabase } from './database.ts';

/** A connection for statements on the tables of an organization. They change none that is on every server, such as `users`. */
export class OrganizationClient {
  private readonly client: pg.Client;
  /**
   * To where requests may wait for locks: the same server, and the coordinator of a distributed database. They have no transactions, in which
   * PostgreSQL would always show the processes that there were at first.
   */
  private readonly observers: readonly pg.Client[];
  /** Names of the tables, by those of the schema; none for a plain database. */
  private readonly names: ReadonlyMap<string, string>;

  private constructor(
    client: pg.Client,
    observers: readonly pg.Client[],
    names: ReadonlyMap<string, string>,
  ) {
    this.client = client;
    this.observers = observers;
    this.names = names;
  }

  /** @param database its shards are not moved meanwhile */
  static async open(database: TestDatabase, organizationId: string): Promise<OrganizationClient> {
    const isDistributed = await database.worker.isDistributed();
    const { url, names } = isDistributed
      ? await findShard(database, organizationId)
      : { url: database.adminUrl, names: new Map<string, string>() };
    const client = await connect(url);
    if (isDistributed) await client.query('SET citus.enable_manual_changes_to_shards = on');
    const observers: pg.Client[] = [];
    for (const place of new Set([url, database.adminUrl])) observers.push(await connect(place));
    return new OrganizationClient(client, observers, names);
  }

  query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return this.client.query<T>(nameTablesIn(text, this.names), [...values]);
  }

  /**
   * How many processes of PostgreSQL wait for locks in this database, on any server that requests of the organization need: those of other databases
   * are other tests' affair.
   */
  async countWaiting(): Promise<number> {
    let waiting = 0;
    for (const observer of this.observers) {
      const { rows } = await observer.query<{ count: number }>(
        `SELECT count(*)::integer FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      waiting += rows[0]?.count ?? 0;
    }
    return waiting;
  }

  async end(): Promise<void> {
    for (const client of [this.client, ...this.observers]) await client.end();
  }
}

/** Sends a statement of the superuser, in which the tables have the names of the schema. */
export type SendStatement = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>;

/**
 * Makes changes in all organizations where their rows are: in a plain database, or in each shard of a distributed one after the other. Citus refuses
 * changes of several shards that take the time, and also the sum of a column and an interval.
 */
export async function changeAllOrganizations(
  database: TestDatabase,
  change: (send: SendStatement) => Promise<void>,
): Promise<void> {
  const shards = (await database.worker.isDistributed())
    ? await findShards(database, null)
    : [{ url: database.adminUrl, names: new Map<string, string>() }];
  for (const { url, names } of shards) {
    const client = await connect(url);
    try {
      if (names.size > 0) await client.query('SET citus.enable_manual_changes_to_shards = on');
      await change((text, values = []) => client.query(nameTablesIn(text, names), [...values]));
    } finally {
      await client.end();
    }
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** A set of tables on one server. */
interface Shard {
  /** URL of the superuser on the server. */
  readonly url: string;
  /** Names of the tables there, by those of the schema. */
  readonly names: ReadonlyMap<string, string>;
}

async function findShard(database: TestDatabase, organizationId: string): Promise<Shard> {
  const [shard] = await findShards(database, organizationId);
  if (shard === undefined) throw new Error(`No shard has the organization ${organizationId}`);
  return shard;
}

/** The shards of all organizations, or of one. */
async function findShards(
  { name, adminUrl }: TestDatabase,
  organizationId: string | null,
): Promise<readonly Shard[]> {
  const client = await connect(adminUrl);
  const { rows } = await client.query<{ names: Record<string, string>; host: string }>(
    `SELECT json_object_agg(c.relname, c.relname || '_' || s.shardid) AS names, n.nodename || ':' || n.nodeport AS host
     FROM pg_dist_shard own JOIN pg_dist_placement place ON place.shardid = own.shardid
     JOIN pg_dist_node n ON n.groupid = place.groupid
     JOIN pg_dist_placement p ON p.groupid = place.groupid JOIN pg_dist_shard s ON s.shardid = p.shardid
     JOIN pg_class c ON c.oid = s.logicalrelid
     WHERE own.logicalrelid = 'trellis.memberships'::regclass
       AND ($1::uuid IS NULL OR own.shardid = get_shard_id_for_distribution_column('trellis.memberships', $1::uuid))
       AND (s.shardminvalue IS NULL OR s.shardminvalue = own.shardminvalue)
     GROUP BY own.shardid, n.nodename, n.nodeport`,
    [organizationId],
  );
  await client.end();
  const urls = new Map(citusNodes(name).map((url) => [new URL(url).host, url]));
  return rows.map(({ names, host }) => {
    const url = urls.get(host);
    if (url === undefined) throw new Error(`TRELLIS_TEST_CITUS_NODES does not name ${host}`);
    return { url, names: new Map(Object.entries(names)) };
  });
}
