/** Where a distributed database has its rows. */
import type { Database } from '../database.ts';

/** A server of a distributed database. */
export interface DataServer {
  /** Host and port, as Citus knows them. */
  readonly server: string;
  readonly role: 'coordinator' | 'worker';
  /** Whether it is in use: see `disabled-servers.ts`. */
  readonly enabled: boolean;
  /** Shards of tables with an organization. */
  readonly shards: number;
  readonly megabytes: number;
}

/** The servers of a distributed database; null if it is on a single one. */
export async function readDistribution(database: Database): Promise<DataServer[] | null> {
  const known = await database.run(`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`);
  if (known[0]?.[0] !== 't') return null;
  const rows = await database.run(
    `SELECT format('%s:%s', n.nodename, n.nodeport), n.groupid = 0, n.isactive, count(s.shardid) FILTER (WHERE t.partmethod = 'h'),
       pg_catalog.round(coalesce(sum(z.size) FILTER (WHERE t.partmethod = 'h'), 0) / 1048576.0)
     FROM pg_dist_node n
     LEFT JOIN pg_dist_placement p ON p.groupid = n.groupid
     LEFT JOIN pg_dist_shard s ON s.shardid = p.shardid
     LEFT JOIN pg_dist_partition t ON t.logicalrelid = s.logicalrelid
     LEFT JOIN citus_shard_sizes() z ON z.shard_id = s.shardid
     WHERE n.noderole = 'primary' GROUP BY 1, 2, 3 ORDER BY 2 DESC, 1`,
  );
  const servers = rows.map(
    ([server, isCoordinator, isActive, shards, megabytes]): DataServer => ({
      server: server ?? '',
      role: isCoordinator === 't' ? 'coordinator' : 'worker',
      enabled: isActive === 't',
      shards: Number(shards),
      megabytes: Number(megabytes),
    }),
  );
  return servers.some(({ shards }) => shards > 0) ? servers : null;
}
