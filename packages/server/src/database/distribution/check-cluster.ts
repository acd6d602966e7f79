/** Whether a database can be distributed: the versions of Citus, its nodes, and that they reach each other as every role. */
import type pg from 'pg';

/** Versions of Citus (major and minor) that the product was tested with. */
const oldestCitus = [13, 2] as const;

/** The roles whose statements Citus sends to other servers. */
export const roles = ['trellis_owner', 'trellis_api', 'trellis_worker', 'trellis_auth'] as const;

/** The cluster is not ready; the message says what to do. */
export class ClusterError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ClusterError';
  }
}

/** @throws ClusterError */
export async function checkCluster(client: pg.Client, database: string): Promise<void> {
  const { rows: own } = await client.query<{
    isSuperuser: boolean;
    citus: string | null;
    isMigrated: boolean;
  }>(
    `SELECT rolsuper AS "isSuperuser", (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS citus,
       to_regclass('trellis.migrations') IS NOT NULL AS "isMigrated"
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { isSuperuser = false, citus = null, isMigrated = false } = own[0] ?? {};
  if (!isSuperuser) throw new ClusterError('--admin-url must be the URL of a superuser of the coordinator.');
  if (!isMigrated)
    throw new ClusterError(`The database ${database} has no tables yet: run "trellis migrate".`);
  if (citus === null)
    throw new ClusterError(
      `The database ${database} has no Citus: run "CREATE EXTENSION citus" in it, on the coordinator and on all other servers.`,
    );
  const [major = 0, minor = 0] = citus.split(/[.-]/).map(Number);
  if (major < oldestCitus[0] || (major === oldestCitus[0] && minor < oldestCitus[1]))
    throw new ClusterError(`Citus ${citus} is too old: ${oldestCitus.join('.')} or newer is needed.`);
  await checkNodes(client);
  for (const role of roles) await checkReachable(client, role);
}

/** The nodes are known, they have the same version, and the coordinator is one of them. */
async function checkNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ groupid: number; shouldhaveshards: boolean }>(
    `SELECT groupid, shouldhaveshards FROM pg_dist_node WHERE noderole = 'primary' AND isactive`,
  );
  if (!rows.some(({ groupid }) => groupid === 0))
    throw new ClusterError(
      `The coordinator does not know its own address: run "SELECT citus_set_coordinator_host('HOST', 5432)" on it.`,
    );
  if (!rows.some(({ shouldhaveshards }) => shouldhaveshards))
    throw new ClusterError(
      `There is no server for the data: run "SELECT citus_add_node('HOST', 5432)" on the coordinator for each.`,
    );
  const { rows: versions } = await client.query<{ result: string }>(
    `SELECT DISTINCT result FROM run_command_on_all_nodes(
       $$SELECT format('Citus %s', (SELECT extversion FROM pg_extension WHERE extname = 'citus'))$$)`,
  );
  if (versions.length !== 1)
    throw new ClusterError(
      `The servers have different versions: ${versions.map(({ result }) => result).join(', ')}.`,
    );
}

/** Each node reaches each one as a role. */
async function checkReachable(client: pg.Client, role: string): Promise<void> {
  await client.query(`SET ROLE ${role}`);
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT format('%s:%s', from_nodename, from_nodeport) AS from, format('%s:%s', to_nodename, to_nodeport) AS to
     FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE`,
  );
  await client.query('RESET ROLE');
  if (rows.length > 0)
    throw new ClusterError(
      `As ${role}, ${rows.map(({ from, to }) => `${from} does not reach ${to}`).join(', ')}: ` +
        'allow it in pg_hba.conf, or give the password in pg_dist_authinfo on each server.',
    );
}
