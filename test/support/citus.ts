/**
 * Distributed databases of tests: on a prepared Citus cluster, which TRELLIS_TEST_CITUS_NODES names as the URL of a superuser with the hosts of
 * the coordinator and of the workers, in this order: `postgres://postgres:secret@10.0.0.1:5432,10.0.0.2:5432,10.0.0.3:5432/postgres`. The servers
 * have Citus among their `shared_preload_libraries`, and let each other in as `postgres` with that password.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { distribute } from '@trellis/server/database/distribution/distribute.ts';
import { readFunctions } from '@trellis/server/database/functions.ts';
import { splitHosts } from '@trellis/server/database/hosts.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { readSchema } from '@trellis/server/database/schema.ts';
import { type RolePasswords, setUpDatabase } from '@trellis/server/database/setup.ts';
import pg from 'pg';

/** Why tests on a cluster are skipped; false where there is one. */
export const withoutCitus: string | false =
  process.env.TRELLIS_TEST_CITUS_NODES === undefined
    ? 'TRELLIS_TEST_CITUS_NODES names no Citus cluster: nothing was tested on a distributed database'
    : false;

/** URLs of the superuser on each server, the coordinator first. */
export function citusNodes(database = 'postgres'): string[] {
  if (withoutCitus !== false) throw new Error(withoutCitus);
  return splitHosts(process.env.TRELLIS_TEST_CITUS_NODES ?? '').map((one) => {
    const url = new URL(one);
    url.pathname = `/${database}`;
    return url.href;
  });
}

/** Runs statements one by one as the superuser of a server; the rows of the last one. */
export async function runOn(
  url: string,
  ...statements: readonly string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** The main process of a server. @param url of a superuser */
export async function readMainPid(url: string): Promise<number> {
  const [row] = await runOn(url, `SELECT (pg_read_file('postmaster.pid', 0, 20)::text) AS text`);
  return Number(String(row?.text).split('\n')[0]);
}

/** Creates a database on all servers that is migrated and not distributed, where they know each other. */
export async function prepareCitusDatabase(name: string, passwords: RolePasswords): Promise<void> {
  const [coordinator = '', ...workers] = citusNodes();
  const urls = await setUpDatabase(coordinator, name, passwords);
  await migrate(urls.owner, () => undefined);
  for (const url of workers) await runOn(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const nodes = citusNodes(name);
  for (const url of nodes) await runOn(url, 'CREATE EXTENSION citus');
  const address = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port || 5432}`;
  const [first = '', ...others] = nodes;
  const { username, password } = new URL(first);
  const secrets = {
    [username]: password,
    ...Object.fromEntries(Object.entries(passwords).map(([role, one]) => [`trellis_${role}`, one])),
  };
  const authentication = Object.entries(secrets)
    .map(([role, secret]) => `(0, '${role}', 'password=${secret}')`)
    .join(', ');
  await runOn(
    first,
    `INSERT INTO pg_dist_authinfo VALUES ${authentication}`,
    `SELECT citus_set_coordinator_host(${address(first)})`,
    ...others.map((url) => `SELECT citus_add_node(${address(url)})`),
  );
  // The roles came with the nodes.
  for (const url of others) await runOn(url, `INSERT INTO pg_dist_authinfo VALUES ${authentication}`);
}

/** A template for each state of the schema, because it stays on the cluster. */
async function templateName(): Promise<string> {
  const schema = await readSchema();
  const hash = createHash('sha256')
    .update(schema.checksum)
    .update((await readFunctions(schema)).checksum);
  for (const file of ['distribute', 'tables'])
    hash.update(
      await readFile(new URL(`../../packages/server/src/database/distribution/${file}.ts`, import.meta.url)),
    );
  return `trellis_test_citus_${hash.digest('hex').slice(0, 12)}`;
}

/** Creates a distributed database as a copy of a template, which is made once for each cluster. */
export async function createCitusDatabase(name: string, passwords: RolePasswords): Promise<void> {
  const [coordinator = ''] = citusNodes();
  const template = await templateName();
  const client = new pg.Client({ connectionString: coordinator });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('${template}'))`);
    const known = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [
      template,
    ]);
    if (known.rowCount === 0) {
      await prepareCitusDatabase(template, passwords);
      await distribute(coordinator, template, () => undefined);
      for (const url of citusNodes())
        await runOn(url, `ALTER DATABASE ${template} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    }
    for (const url of citusNodes()) {
      // The maintenance of Citus is connected to every database that has the extension.
      await runOn(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${template}'`,
        `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`,
        // As in the template; rights on a database are not copied.
        `GRANT CONNECT, CREATE ON DATABASE ${name} TO trellis_owner`,
        ...(await copiedSettings(url, template, name)),
      );
    }
  } finally {
    await client.end();
  }
}

/** The settings of roles in a database, for another one: a copy of the database has none of them. */
async function copiedSettings(url: string, from: string, to: string): Promise<string[]> {
  const settings = await runOn(
    url,
    `SELECT format('ALTER ROLE %I IN DATABASE %I SET %I = %L', r.rolname, '${to}', split_part(c, '=', 1), substr(c, strpos(c, '=') + 1)) AS sql
     FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase AND d.datname = '${from}'
     JOIN pg_roles r ON r.oid = s.setrole, unnest(s.setconfig) c`,
  );
  return settings.map(({ sql }) => String(sql));
}

/** Drops it on all servers. */
export async function dropCitusDatabase(name: string): Promise<void> {
  for (const url of citusNodes()) await runOn(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}
