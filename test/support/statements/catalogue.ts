/** What the guard of the statements reads from a migrated database, and how it walks the tree of a parsed statement. */
import type { Database } from '@trellis/server/kernel/database/database.ts';
import type { Node } from 'libpg-query';

/** The tables and functions of a database. */
export interface Catalogue {
  /** Tables with rows of organizations: those with the column `organization_id`. */
  readonly tenantTables: ReadonlySet<string>;
  /** The columns of the tables in the schema `trellis`, in order. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function readCatalogue(admin: Database): Promise<Catalogue> {
  const columns = new Map<string, Set<string>>();
  for (const [table, column] of await admin.run(
    `SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'trellis'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.oid, a.attnum`,
  ))
    columns.set(table ?? '', (columns.get(table ?? '') ?? new Set()).add(column ?? ''));
  return {
    tenantTables: new Set(
      [...columns].flatMap(([table, names]) => (names.has('organization_id') ? [table] : [])),
    ),
    columns,
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
