/**
 * The sweep of expired idempotency keys. Stored bodies contain personal data and there is a row for each write, so they are
 * deleted when their retention ends. An expired key counts as new even before (`idempotency.ts`).
 */

import { type Statement, step } from '../../../database/batch.ts';
import type { Database } from '../../../database/database.ts';
import { batchRows, deleteInBatches } from '../../../database/delete-in-batches.ts';

// Any number of nodes may sweep; the try-lock lets one at a time delete.
const deleteExpired: Statement = {
  name: 'delete_expired_idempotency_keys',
  text: `DELETE FROM trellis.idempotency_keys d USING (
      SELECT organization_id, client_id, user_id, key FROM trellis.idempotency_keys
      WHERE created_at < statement_timestamp() - make_interval(secs => $1)
        AND (SELECT pg_try_advisory_xact_lock(hashtext('trellis sweep idempotency keys')))
      ORDER BY created_at LIMIT ${batchRows} FOR UPDATE SKIP LOCKED) o
    WHERE d.organization_id = o.organization_id AND d.client_id = o.client_id AND d.user_id = o.user_id AND d.key = o.key`,
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
  return deleteInBatches(worker, step(deleteExpired, [String(retentionSeconds)]), signal);
}
