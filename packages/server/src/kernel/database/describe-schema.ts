/**
 * Describes the database schema from PostgreSQL's catalogue in a stable order, and compares two descriptions: a migrated database must
 * equal a newly created one.
 */
import { Database } from './database.ts';

/** Describes a database as a superuser sees it. @param adminUrl URL of the superuser for this database */
export async function describeDatabase(adminUrl: string): Promise<string> {
  const admin = new Database({
    url: adminUrl,
    poolSize: 1,
    prepare: false,
    acquireTimeoutMs: 5_000,
    applicationName: 'trellis schema',
    log: () => undefined,
  });
  try {
    return await describeSchema(admin);
  } finally {
    await admin.close();
  }
}

/**
 * SQL-like text of everything in schema trellis: tables, keys, indexes, policies, grants, functions. Partitions are left
 * out: which ones there are depends on the day.
 */
async function describeSchema(admin: Database): Promise<string> {
  const tables = await admin.run(`
    SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '')
      || coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '')
    FROM pg_class c WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY c.relname`);
  const parts = (await admin.run(collationsOf)).map(([text]) => text ?? '');
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
  SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || coalesce((SELECT ' COLLATE ' || l.oid::regcollation::text FROM pg_collation l WHERE l.oid = a.attcollation AND l.oid <> t.typcollation), '')
    || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
    || coalesce(CASE a.attgenerated WHEN '' THEN ' DEFAULT ' ELSE ' GENERATED ' END || pg_get_expr(d.adbin, d.adrelid), '')
    || CASE WHEN a.attstorage = t.typstorage THEN '' ELSE ' STORAGE ' || a.attstorage::text END
    || CASE a.attcompression WHEN '' THEN '' ELSE ' COMPRESSION ' || a.attcompression::text END
    || CASE WHEN a.attstattarget >= 0 THEN ' STATISTICS ' || a.attstattarget ELSE '' END
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
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

const collationsOf = `
  SELECT format('CREATE COLLATION trellis.%I (%s, %s, %s);', collname, collprovider, collisdeterministic,
    -- Its name in PostgreSQL 15 and 16 is another one.
    coalesce(to_jsonb(pg_collation) ->> 'colllocale', to_jsonb(pg_collation) ->> 'colliculocale')) FROM pg_collation
  WHERE collnamespace = 'trellis'::regnamespace ORDER BY collname`;

/**
 * The differences between two schemas, by their descriptions: `-` marks a missing line, `+` an additional one. The order of columns is
 * ignored: a migration appends columns, and no statement depends on their order.
 */
export function compareSchemas(found: string, expected: string): string[] {
  const [own, others] = [new Set(linesOf(found)), new Set(linesOf(expected))];
  return [
    ...[...others].filter((line) => !own.has(line)).map((line) => `- ${line}`),
    ...[...own].filter((line) => !others.has(line)).map((line) => `+ ${line}`),
  ];
}

/** The lines of a description; those of columns and constraints begin with the name of their table. */
function linesOf(description: string): string[] {
  let table = '';
  return description.split('\n').flatMap((line) => {
    table = /^CREATE TABLE (\S+) \(/.exec(line)?.[1] ?? table;
    return line === '' ? [] : [line.startsWith('  ') ? `${table}: ${line.trim().replace(/,$/, '')}` : line];
  });
}
