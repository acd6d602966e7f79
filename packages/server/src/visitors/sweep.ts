/**
 * Why: what has expired is no longer shown from that moment on, but it must also go. Any number of nodes may sweep:
 * one at a time does, in batches that hold no lock for long.
 */
import { batchRows, deleteInBatches } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { type Statement, step } from '../database/flight.ts';

/** How much was deleted. */
export interface Swept {
  readonly identifications: number;
  readonly visitors: number;
}

/** Whoever does not get its turn deletes nothing: somebody else is at it. */
const turn = `(SELECT pg_try_advisory_xact_lock(hashtext('trellis sweep visitors')))`;

const sweepIdentifications: Statement = {
  name: 'sweep_identifications',
  text: `DELETE FROM trellis.identifications WHERE expires_at <= $1 AND ${turn}
    AND (organization_id, visitor_id, id) IN (
      SELECT organization_id, visitor_id, id FROM trellis.identifications
      WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchRows})`,
};
/** A visitor is gone with its identifications: each of them expires no later than the visitor. */
const sweepOldVisitors: Statement = {
  name: 'sweep_visitors',
  text: `DELETE FROM trellis.visitors WHERE expires_at <= $1 AND ${turn}
    AND (organization_id, id) IN (
      SELECT organization_id, id FROM trellis.visitors WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchRows})`,
};

/**
 * Deletes what has expired.
 * @param worker pool of the background role
 */
export async function sweepVisitors(worker: Database, now: Date, signal?: AbortSignal): Promise<Swept> {
  const instant = now.toISOString();
  const identifications = await deleteInBatches(worker, step(sweepIdentifications, [instant]), signal);
  const visitors = await deleteInBatches(worker, step(sweepOldVisitors, [instant]), signal);
  return { identifications, visitors };
}
