/**
 * Why: what has expired is no longer shown from that moment on, but it must also go. Any number of nodes may sweep:
 * one at a time does, in batches that hold no lock for long.
 */
import type { Database } from '../database/database.ts';
import { type Statement, step } from '../database/flight.ts';

/** How much was deleted. */
export interface Swept {
  readonly identifications: number;
  readonly visitors: number;
}

/** Rows deleted in one transaction. */
const batchRows = 1_000;
/** Batches of one sweep; what is left is for the next one. */
const maxBatches = 1_000;

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
export async function sweepVisitors(worker: Database, now: Date): Promise<Swept> {
  const identifications = await sweep(worker, sweepIdentifications, now);
  const visitors = await sweep(worker, sweepOldVisitors, now);
  return { identifications, visitors };
}

async function sweep(worker: Database, statement: Statement, now: Date): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const [result] = await worker.query([step(statement, [now.toISOString()])]);
    const count = result?.affected ?? 0;
    deleted += count;
    if (count < batchRows) break;
  }
  return deleted;
}
