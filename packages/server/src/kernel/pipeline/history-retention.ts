/**
 * The sweep of changes that are older than their organization keeps the history of its records. It reads the table once from its beginning
 * to its end, some pages at a time, and so needs no index, which each write would have to maintain.
 */

import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { defineRow, number } from '../database/row.ts';

/** Pages of the table that one transaction reads: 8 MiB. */
const pagesAtOnce = 1_024;

const pagesRow = defineRow({ pages: number(`pg_relation_size('trellis.changes') / 8192`) });
const countPages: Statement = { name: 'count_pages_of_changes', text: `SELECT ${pagesRow.list}` };
const deleteOld: Statement = {
  name: 'delete_old_changes',
  text: `DELETE FROM trellis.changes c USING trellis.organizations o
    WHERE c.ctid >= $1::tid AND c.ctid < $2::tid AND o.id = c.organization_id
      AND c.changed_at < statement_timestamp() - greatest(make_interval(days => o.history_days), make_interval(secs => $3))`,
};

/**
 * Deletes the changes that no organization keeps any longer.
 * @param worker pool of the role `trellis_worker`
 * @param leastSeconds how long changes are kept at least: replayed responses are rendered from them
 * @param pages how many pages one transaction reads
 * @returns the number of changes
 */
export async function sweepHistory(
  worker: Database,
  leastSeconds: number,
  signal?: AbortSignal,
  pages = pagesAtOnce,
): Promise<number> {
  const [found] = await worker.queryInBackground([step(countPages)]);
  const end = pagesRow.first(found)?.pages ?? 0;
  let deleted = 0;
  for (let page = 0; page < end && signal?.aborted !== true; page += pages) {
    const range = [`(${page},0)`, `(${page + pages},0)`];
    const [result] = await worker.executeInBackground([step(deleteOld, [...range, String(leastSeconds)])]);
    deleted += result?.affected ?? 0;
  }
  return deleted;
}
