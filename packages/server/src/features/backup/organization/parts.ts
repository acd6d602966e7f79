/**
 * Rows that belong to a row of another table. They are written and deleted by the statements that write and delete that one, and no foreign key
 * checks it with each write. So an import checks them, and tests do. See docs/decisions/0007-keys-and-indexes-of-a-write.md.
 */
import { articles } from '@trellis/schema/resources/articles.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { ownerColumn, sideTablesOf } from '../../../kernel/pipeline/side-tables.ts';

/** A table whose rows belong to those of another one. */
interface Part {
  readonly table: string;
  readonly owner: string;
  /** The columns that name the other row, with its own ones. */
  readonly columns: readonly (readonly [own: string, ofOwner: string])[];
}

function partsOf(resource: Resource): Part[] {
  const { table, parent, versions } = resource;
  const same = ['organization_id', ...(parent === null ? [] : [parent.column])];
  const columns: Part['columns'] = [
    ...same.map((column) => [column, column] as const),
    [ownerColumn(resource), 'id'],
  ];
  const tables = [
    ...(versions === undefined ? [] : [versions.table]),
    ...sideTablesOf(resource).map((side) => side.table),
  ];
  return tables.map((part) => ({ table: part, owner: table, columns }));
}

const versionKey = ['organization_id', 'site_id', 'article_id', 'number'];

export const parts: readonly Part[] = [
  ...resources.flatMap(partsOf),
  {
    table: 'article_files',
    owner: articles.versions.table,
    columns: versionKey.map((column) => [column, column] as const),
  },
  {
    table: 'trash_versions',
    owner: 'trash',
    columns: [
      ['organization_id', 'organization_id'],
      ['resource', 'resource'],
      ['record_id', 'id'],
    ],
  },
];

/** SQL: the rows of a part without the row that they belong to. @param nameOf the name in SQL of a table */
export function orphansOf({ table, owner, columns }: Part, nameOf: (table: string) => string): string {
  const same = columns.map(([own, ofOwner]) => `o."${ofOwner}" = p."${own}"`).join(' AND ');
  return `SELECT FROM ${nameOf(table)} p WHERE NOT EXISTS (SELECT FROM ${nameOf(owner)} o WHERE ${same})`;
}
