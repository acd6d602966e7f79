/**
 * The sweep of expired idempotency keys. Responses contain personal data and there is one for each write, so they are
 * deleted when their retention ends. An expired key counts as new even before (`idempotency.ts`).
 */

import { type Statement, step } from '../../../database/batch.ts';
import type { Database } from '../../../database/database.ts';
import { batchRows, type Sweep, sweepInBatches } from '../../../database/delete-in-batches.ts';

const findExpired: Statement = {
  name: 'find_expired_idempotency_keys',
  text: `SELECT organization_id, client_id, user_id, key FROM trellis.idempotency_keys
    WHERE created_at < statement_timestamp() - make_interval(secs => $1) ORDER BY created_at LIMIT ${batchRows}`,
};
// Any number of nodes may sweep: they skip the keys that another one is deleting.
const deleteExpired: Statement = {
  name: 'delete_expired_idempotency_keys',
  text: `DELETE FROM trellis.idempotency_keys WHERE organization_id = $1 AND (client_id, user_id, key) IN (
      SELECT client_id, user_id, key FROM trellis.idempotency_keys
      WHERE organization_id = $1 AND (client_id, user_id, key) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[]))
        AND created_at < statement_timestamp() - make_interval(secs => $5)
      FOR UPDATE SKIP LOCKED)`,
};

/**
 * Deletes keys older than the retention, with their responses.
 * @param worker pool of the role `trellis_worker`
 * @returns the number of keys
 */
export function sweepIdempotencyKeys(
  worker: Database,
  retentionSeconds: number,
  signal?: AbortSignal,
): Promise<number> {
  const seconds = String(retentionSeconds);
  const sweep: Sweep = {
    find: step(findExpired, [seconds]),
    remove: (organizationId, columns) => step(deleteExpired, [organizationId, ...columns, seconds]),
  };
  return sweepInBatches(worker, sweep, signal);
}
