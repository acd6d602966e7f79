/** The tables of the schema as a backup sees them: their columns, and an order in which they can be filled. */
import type { OwnerSession } from './owner-session.ts';

/** A table with rows to copy. */
export interface CopiedTable {
  /** Without the schema. */
  readonly name: string;
  /** All stored columns, without generated ones; the organization comes first if there is one. */
  readonly columns: readonly string[];
}

/** Whether the first column is the id of the organization that the rows belong to. */
export function beginsWithOrganization({ name, columns }: CopiedTable): boolean {
  return columns[0] === organizationColumn(name);
}

function organizationColumn(table: string): string {
  return table === 'organizations' ? 'id' : 'organization_id';
}

/** All tables but that of migrations; a table comes after those that it refers to. */
export async function readTables(session: OwnerSession): Promise<CopiedTable[]> {
  const columns = await session.rows(
    `SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY c.relname, a.attnum`,
  );
  const references = await session.rows(
    `SELECT DISTINCT f.relname, t.relname FROM pg_constraint k
     JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND k.connamespace = 'trellis'::regnamespace AND f.oid <> t.oid`,
  );
  const byTable = Map.groupBy(columns, ([table]) => table ?? '');
  const tables = [...byTable].map(([name, rows]) =>
    tableOf(
      name,
      rows.map(([, column]) => column ?? ''),
    ),
  );
  return sortByReference(tables, references);
}

function tableOf(name: string, columns: readonly string[]): CopiedTable {
  const isFirst = (column: string) => column === organizationColumn(name);
  return { name, columns: [...columns.filter(isFirst), ...columns.filter((column) => !isFirst(column))] };
}

/** @throws Error for a cycle, which no order can fill */
function sortByReference(
  tables: readonly CopiedTable[],
  references: readonly (string | null)[][],
): CopiedTable[] {
  const sorted: CopiedTable[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const next = [...waiting.values()].find((table) =>
      references.every(([from, to]) => from !== table.name || !waiting.has(to ?? '')),
    );
    if (next === undefined) throw new Error(`tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    waiting.delete(next.name);
    sorted.push(next);
  }
  return sorted;
}

/** The table and its columns in SQL. */
export function sqlOf({ name, columns }: CopiedTable): { readonly table: string; readonly columns: string } {
  return { table: `trellis.${quote(name)}`, columns: columns.map(quote).join(', ') };
}

/**
 * A table with its columns in the order in which its rows were stored: where a migration has added one, they differ from those of a new database.
 * Null unless they are the same columns.
 */
export function inStoredOrder<T extends CopiedTable>(table: T, columns: readonly string[]): T | null {
  const stored = new Set(columns);
  const isSame = stored.size === columns.length && stored.size === table.columns.length;
  return isSame && table.columns.every((column) => stored.has(column)) ? { ...table, columns } : null;
}

/** The first days of the partitions of the event log, such as `2026-11-23`, in order. */
export async function readEventPartitions(session: OwnerSession): Promise<string[]> {
  const rows = await session.rows(
    `SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''(\\d{4}-\\d\\d-\\d\\d) 00:00:00\\+00''\\)')
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'trellis.events'::regclass ORDER BY 1`,
  );
  return rows.map(([day]) => {
    if (typeof day !== 'string') throw new Error('a partition of the event log does not begin with a day');
    return day;
  });
}

/** Creates a missing partition of the event log, as the function `create_event_partitions` does for coming weeks. */
export async function createEventPartition(session: OwnerSession, firstDay: string): Promise<void> {
  if (!/^\d{4}-\d\d-\d\d$/.test(firstDay)) throw new TypeError(`"${firstDay}" is not a day.`);
  const partition = `trellis.events_${firstDay.replaceAll('-', '_')}`;
  if (await session.holds(`to_regclass('${partition}') IS NOT NULL`)) return;
  await session.run(
    `CREATE TABLE ${partition} (LIKE trellis.events INCLUDING CONSTRAINTS);
     ALTER TABLE ${partition} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
     ALTER TABLE trellis.events ATTACH PARTITION ${partition}
       FOR VALUES FROM ('${firstDay} 00:00:00+00') TO ('${firstDay} 00:00:00+00'::timestamptz + interval '1 week')`,
  );
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
