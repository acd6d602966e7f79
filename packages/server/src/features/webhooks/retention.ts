/**
 * Retention of deliveries: they and their attempts are deleted 30 days after their creation, and those of a deleted
 * endpoint soon after it.
 */

import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { batchRows, deleteInBatches } from '../../kernel/database/delete-in-batches.ts';

/** How many days deliveries and their attempts are kept. */
export const deliveryRetentionDays = 30;

// A delivery that is still due, for example because it was requested again, is kept, unless it has waited that long
// because
// its endpoint is disabled or its user has left. now() because clock_timestamp() may change from row to row, so no
// index
// can serve it.
const deleteOld: Statement = {
  name: 'delete_old_webhook_deliveries',
  text: `DELETE FROM trellis.webhook_deliveries d USING (
      SELECT organization_id, endpoint_id, event_id FROM trellis.webhook_deliveries
      WHERE created_at < now() - make_interval(days => $1)
        AND (status <> 'PENDING' OR next_attempt_at < now() - make_interval(days => $1))
        AND coalesce(leased_until, '-infinity') < statement_timestamp()
      LIMIT $2) o
    WHERE d.organization_id = o.organization_id AND d.endpoint_id = o.endpoint_id AND d.event_id = o.event_id`,
};
// Steps from endpoint to endpoint along an index: reads one row per endpoint, and not every delivery.
const findOrphaned: Statement = {
  name: 'find_orphaned_webhook_deliveries',
  text: `WITH RECURSIVE endpoints AS (
      (SELECT organization_id, endpoint_id FROM trellis.webhook_deliveries
        ORDER BY organization_id, endpoint_id LIMIT 1)
      UNION ALL
      SELECT n.organization_id, n.endpoint_id FROM endpoints e CROSS JOIN LATERAL (
        SELECT w.organization_id, w.endpoint_id FROM trellis.webhook_deliveries w
        WHERE (w.organization_id, w.endpoint_id) > (e.organization_id, e.endpoint_id)
        ORDER BY w.organization_id, w.endpoint_id LIMIT 1) n
    )
    SELECT e.organization_id, e.endpoint_id FROM endpoints e
    WHERE NOT EXISTS (SELECT FROM trellis.webhook_subscriptions s
      WHERE s.organization_id = e.organization_id AND s.endpoint_id = e.endpoint_id)`,
};
const deleteOfEndpoint: Statement = {
  name: 'delete_webhook_deliveries_of_endpoint',
  text: `DELETE FROM trellis.webhook_deliveries d USING (
      SELECT event_id FROM trellis.webhook_deliveries
      WHERE organization_id = $1 AND endpoint_id = $2 AND coalesce(leased_until, '-infinity') < statement_timestamp()
      LIMIT $3) o
    WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.event_id = o.event_id`,
};

/**
 * Deletes expired deliveries.
 * @param worker pool of the role `trellis_worker`
 * @returns the number of deleted deliveries
 */
export async function sweepDeliveries(worker: Database, signal?: AbortSignal): Promise<number> {
  const rows = String(batchRows);
  const old = step(deleteOld, [String(deliveryRetentionDays), rows]);
  let deleted = await deleteInBatches(worker, old, signal);
  const [orphaned] = await worker.queryInBackground([step(findOrphaned, [])]);
  for (const [organizationId = null, endpointId = null] of orphaned?.rows ?? [])
    deleted += await deleteInBatches(
      worker,
      step(deleteOfEndpoint, [organizationId, endpointId, rows]),
      signal,
    );
  return deleted;
}
