/** What the guard of the statements reads from a migrated database, and how it walks the tree of a parsed statement. */
import type { Database } from '@trellis/server/database/database.ts';
import type { Node } from 'libpg-query';

/** The tables and functions of a database. */
export interface Catalogue {
  /** Tables with rows of organizations: those with the column `organization_id`. */
  readonly tenantTables: ReadonlySet<string>;
  /** The columns of the tables in the schema `trellis`, in order. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** The functions that are not immutable, with the numbers of arguments that they take. */
  readonly mutable: ReadonlyMap<string, readonly MutableFunction[]>;
  /** The functions of the schema `trellis` that read tables with the rights of their owner. */
  readonly definers: ReadonlySet<string>;
}

/** A function that may return another value for the same arguments. */
export interface MutableFunction {
  readonly isVolatile: boolean;
  readonly fewest: number;
  readonly most: number;
}

export async function readCatalogue(admin: Database): Promise<Catalogue> {
  const columns = new Map<string, Set<string>>();
  for (const [table, column] of await admin.run(
    `SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.oid, a.attnum`,
  ))
    columns.set(table ?? '', (columns.get(table ?? '') ?? new Set()).add(column ?? ''));
  const functions = await admin.run(
    `SELECT proname, provolatile, pronargs - pronargdefaults, CASE WHEN provariadic = 0 THEN pronargs ELSE 100 END
     FROM pg_proc WHERE provolatile <> 'i' AND pronamespace IN ('pg_catalog'::regnamespace, 'trellis'::regnamespace)`,
  );
  const definers = await admin.run(
    `SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'trellis'::regnamespace`,
  );
  return {
    definers: new Set(definers.map(([name]) => name ?? '')),
    tenantTables: new Set(
      [...columns].flatMap(([table, names]) => (names.has('organization_id') ? [table] : [])),
    ),
    columns,
    mutable: Map.groupBy(
      functions.map(([name, volatility, fewest, most]) => ({
        name,
        isVolatile: volatility === 'v',
        fewest: Number(fewest),
        most: Number(most),
      })),
      ({ name }) => name ?? '',
    ),
  };
}

/** The nodes directly inside a node, whatever it is. */
export function partsOf(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node).flatMap((value: unknown) => {
    if (Array.isArray(value)) return value as Node[];
    // Wrapped nodes have one member, whose name begins with a capital; the members of a node do not.
    return isNode(value) ? [value] : partsOf(value);
  });
}

function isNode(value: unknown): value is Node {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return names.length === 1 && /^[A-Z]/.test(names[0] ?? '');
}
