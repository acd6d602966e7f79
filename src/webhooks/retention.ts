/**
 * Why: what was delivered is of interest for a while, and then only fills the disk. Deliveries go with their attempts
 * 30 days after they were made, and those of an endpoint that was deleted soon after it.
 */
import { batchRows, deleteInBatches } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { type Statement, step } from '../database/flight.ts';
import { Pause } from '../events/pause.ts';

/** Days that deliveries and their attempts are kept. */
export const deliveryRetentionDays = 30;

const hourMs = 3_600_000;

// One that is to be sent, perhaps because it was asked for again, is kept; unless it has waited for as long because its
// endpoint is disabled, or acts for somebody who has left.
const deleteOld: Statement = {
  name: 'delete_old_webhook_deliveries',
  text: `DELETE FROM trellis.webhook_deliveries d USING (
      SELECT organization_id, endpoint_id, event_id FROM trellis.webhook_deliveries
      WHERE created_at < clock_timestamp() - make_interval(days => $1)
        AND (status <> 'PENDING' OR next_attempt_at < clock_timestamp() - make_interval(days => $1))
        AND coalesce(leased_until, '-infinity') < clock_timestamp()
      LIMIT $2) o
    WHERE d.organization_id = o.organization_id AND d.endpoint_id = o.endpoint_id AND d.event_id = o.event_id`,
};
const deleteOrphaned: Statement = {
  name: 'delete_orphaned_webhook_deliveries',
  text: `DELETE FROM trellis.webhook_deliveries d USING (
      SELECT w.organization_id, w.endpoint_id, w.event_id FROM trellis.webhook_deliveries w
      WHERE NOT EXISTS (SELECT FROM trellis.webhook_subscriptions s
          WHERE s.organization_id = w.organization_id AND s.endpoint_id = w.endpoint_id)
        AND coalesce(w.leased_until, '-infinity') < clock_timestamp()
      LIMIT $1) o
    WHERE d.organization_id = o.organization_id AND d.endpoint_id = o.endpoint_id AND d.event_id = o.event_id`,
};

/**
 * Deletes what is no longer kept.
 * @param worker pool of the role `trellis_worker`
 * @returns how many deliveries
 */
export async function sweepDeliveries(worker: Database): Promise<number> {
  const rows = String(batchRows);
  const old = await deleteInBatches(worker, step(deleteOld, [String(deliveryRetentionDays), rows]));
  return old + (await deleteInBatches(worker, step(deleteOrphaned, [rows])));
}

export interface DeliveryRetentionOptions {
  /** Pool of the role `trellis_worker`. */
  readonly worker: Database;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly intervalMs?: number;
}

/** Sweeps at once and then every hour, on any number of nodes. Failures are logged. */
export function startDeliveryRetention(options: DeliveryRetentionOptions): { stop(): Promise<void> } {
  const { worker, log, intervalMs = hourMs } = options;
  const pause = new Pause();
  let stopping = false;
  const ended = (async () => {
    while (!stopping) {
      try {
        const deleted = await sweepDeliveries(worker);
        if (deleted > 0) log('old webhook deliveries were deleted', { deleted });
      } catch (error) {
        log('old webhook deliveries could not be deleted', { reason: describeProblem(error) });
      }
      if (!stopping) await pause.rest(intervalMs);
    }
  })();
  return {
    stop() {
      stopping = true;
      pause.callUp();
      return ended;
    },
  };
}
