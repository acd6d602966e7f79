/**
 * Deletes expired visitors, which are hidden from the moment they expire. One node at a time does so, in small
 * batches.
 */

import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { batchRows, deleteInBatches } from '../../kernel/database/delete-in-batches.ts';

/** How much was deleted. */
export interface Swept {
  readonly identifications: number;
  readonly visitors: number;
}

/** Without the lock, another node is sweeping and nothing is deleted. */
const turn = `(SELECT pg_try_advisory_xact_lock(hashtext('trellis sweep visitors')))`;

const sweepIdentifications: Statement = {
  name: 'sweep_identifications',
  text: `DELETE FROM trellis.identifications WHERE expires_at <= $1 AND ${turn}
    AND (organization_id, visitor_id, id) IN (
      SELECT organization_id, visitor_id, id FROM trellis.identifications
      WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchRows})`,
};
/** A visitor is deleted with its identifications, each of which expires no later than the visitor. */
const sweepOldVisitors: Statement = {
  name: 'sweep_visitors',
  text: `DELETE FROM trellis.visitors WHERE expires_at <= $1 AND ${turn}
    AND (organization_id, id) IN (
      SELECT organization_id, id FROM trellis.visitors WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchRows})`,
};

/**
 * Deletes expired visitors and identifications.
 * @param worker pool of the role `trellis_worker`
 */
export async function sweepVisitors(worker: Database, now: Date, signal?: AbortSignal): Promise<Swept> {
  const instant = now.toISOString();
  const identifications = await deleteInBatches(worker, step(sweepIdentifications, [instant]), signal);
  const visitors = await deleteInBatches(worker, step(sweepOldVisitors, [instant]), signal);
  return { identifications, visitors };
}
