/** Rows without the row that they belong to, which no foreign key prevents. */
import assert from 'node:assert/strict';
import { orphansOf, parts } from '@trellis/server/features/backup/organization/parts.ts';
import pg from 'pg';

/** Counts the orphans of each table that has some. @param client of a superuser */
export async function countOrphans(client: pg.Client): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const part of parts) {
    const { rowCount } = await client.query(orphansOf(part, (table) => `trellis."${table}"`));
    if (rowCount !== null && rowCount > 0) found[part.table] = rowCount;
  }
  return found;
}

/** Asserts that a database has no orphans. @param adminUrl of a superuser */
export async function assertNoOrphans(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    assert.deepEqual(await countOrphans(client), {});
  } finally {
    await client.end();
  }
}
