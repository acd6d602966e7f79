/**
 * Describes the database schema from PostgreSQL's catalogue in a stable order, so that a change of the schema is a
 * readable diff of one generated file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@trellis/embedded-postgres/embedded.ts';
import { Database } from '@trellis/server/database/database.ts';
import { migrate } from '@trellis/server/database/migrate.ts';
import { makeRolePasswords, setUpDatabase } from '@trellis/server/database/setup.ts';

/**
 * The description of what the migrations make of an empty database, on an embedded PostgreSQL that lives as long.
 * @throws Error when none can be started here or a migration fails
 */
export async function describeNewSchema(): Promise<string> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'trellis-schema-'));
  try {
    const cluster = await startEmbedded({ dataDirectory, log: () => undefined });
    try {
      const urls = await setUpDatabase(cluster.adminUrl(), 'trellis', makeRolePasswords());
      await migrate(urls.owner, () => undefined);
      return await withAdmin(cluster.adminUrl(), describeSchema);
    } finally {
      await cluster.stop('immediate');
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function withAdmin<T>(adminUrl: string, work: (admin: Database) => Promise<T>): Promise<T> {
  const url = new URL(adminUrl);
  url.pathname = '/trellis';
  const admin = new Database({
    url: url.href,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis generate',
    log: () => undefined,
  });
  try {
    return await work(admin);
  } finally {
    await admin.close();
  }
}

/**
 * SQL-like text of everything in schema trellis: tables, keys, indexes, policies, grants, functions. Partitions are left
 * out: which ones there are depends on the day.
 */
export async function describeSchema(admin: Database): Promise<string> {
  const tables = await admin.run(`
    SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, ' PARTITION BY ' || pg_get_partkeydef(c.oid)
    FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY c.relname`);
  const parts: string[] = [];
  for (const [table, forced, partitioning] of tables) {
    const name = table ?? '';
    const lines = [
      ...(await column(admin, columnsOf, name)),
      ...(await column(admin, constraintsOf, name)),
    ].map((line) => `  ${line}`);
    parts.push(`CREATE TABLE trellis.${name} (\n${lines.join(',\n')}\n)${partitioning ?? ''};`);
    if (forced === 't')
      parts.push(`ALTER TABLE trellis.${name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`);
    for (const query of [indexesOf, policiesOf, grantsOf, columnGrantsOf])
      parts.push(...(await column(admin, query, name)));
    parts.push('');
  }
  const functions = await admin.run(functionsOf);
  parts.push(...functions.map(([text]) => text ?? ''));
  return `${parts.join('\n').trim()}\n`;
}

async function column(admin: Database, text: string, table: string): Promise<string[]> {
  return (await admin.run(text, [`trellis.${table}`])).map(([line]) => line ?? '');
}

const columnsOf = `
  SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
  FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

// PostgreSQL 18 lists NOT NULL among the constraints; the columns already show it.
const constraintsOf = `
  SELECT 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
  WHERE conrelid = $1::regclass AND contype <> 'n' ORDER BY contype DESC, conname`;

const indexesOf = `
  SELECT pg_get_indexdef(i.indexrelid) || ';' FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
  ORDER BY c.relname`;

const policiesOf = `
  SELECT format('CREATE POLICY %I ON %s FOR %s TO %s%s%s;', p.polname, $1::regclass,
    CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
    (SELECT string_agg(rolname, ', ' ORDER BY rolname) FROM pg_roles WHERE oid = ANY (p.polroles)),
    coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', ''),
    coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', ''))
  FROM pg_policy p WHERE p.polrelid = $1::regclass ORDER BY p.polname`;

const grantsOf = `
  SELECT format('GRANT %s ON %s TO %s;', string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type), $1::regclass, g.grantee)
  FROM information_schema.table_privileges g
  WHERE g.table_schema = 'trellis' AND $1::regclass = format('%I.%I', g.table_schema, g.table_name)::regclass
    AND g.grantee <> 'trellis_owner'
  GROUP BY g.grantee ORDER BY g.grantee`;

const columnGrantsOf = `
  SELECT format('GRANT %s (%s) ON %s TO %s;', p.privilege_type, string_agg(p.attname, ', ' ORDER BY p.attnum), $1::regclass, p.grantee)
  FROM (SELECT a.attname, a.attnum, x.privilege_type, x.grantee::regrole::text AS grantee
        FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) x WHERE a.attrelid = $1::regclass) p
  GROUP BY p.privilege_type, p.grantee ORDER BY p.grantee, p.privilege_type`;

const functionsOf = `
  SELECT format('FUNCTION %s OWNER %s%s;', p.oid::regprocedure, p.proowner::regrole,
    CASE WHEN p.prosecdef THEN ' SECURITY DEFINER' ELSE '' END)
  FROM pg_proc p WHERE p.pronamespace = 'trellis'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY p.oid::regprocedure::text`;
