/**
 * Deletes expired visitors, which are hidden from the moment they expire. Several nodes may do so at the same
 * time, in small batches.
 */

import { type Statement, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { batchRows, sweepInBatches } from '../database/delete-in-batches.ts';

/** How much was deleted. */
export interface Swept {
  readonly identifications: number;
  readonly visitors: number;
}

const findIdentifications: Statement = {
  name: 'find_expired_identifications',
  text: `SELECT organization_id, visitor_id, id FROM trellis.identifications
    WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchRows}`,
};
const deleteIdentifications: Statement = {
  name: 'sweep_identifications',
  text: `DELETE FROM trellis.identifications WHERE organization_id = $1 AND (visitor_id, id) IN (
      SELECT visitor_id, id FROM trellis.identifications
      WHERE organization_id = $1 AND (visitor_id, id) IN (SELECT * FROM unnest($2::uuid[], $3::uuid[])) AND expires_at <= $4
      FOR UPDATE SKIP LOCKED)`,
};
const findVisitors: Statement = {
  name: 'find_expired_visitors',
  text: `SELECT organization_id, id FROM trellis.visitors WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchRows}`,
};
/** A visitor is deleted with its identifications, each of which expires no later than the visitor. */
const deleteVisitors: Statement = {
  name: 'sweep_visitors',
  text: `DELETE FROM trellis.visitors WHERE organization_id = $1 AND id IN (
      SELECT id FROM trellis.visitors WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND expires_at <= $3
      FOR UPDATE SKIP LOCKED)`,
};

/**
 * Deletes expired visitors and identifications.
 * @param worker pool of the worker role
 */
export async function sweepVisitors(worker: Database, now: Date, signal?: AbortSignal): Promise<Swept> {
  const instant = now.toISOString();
  const sweep = (find: Statement, remove: Statement) =>
    sweepInBatches(
      worker,
      {
        find: step(find, [instant]),
        remove: (organizationId, columns) => step(remove, [organizationId, ...columns, instant]),
      },
      signal,
    );
  const identifications = await sweep(findIdentifications, deleteIdentifications);
  const visitors = await sweep(findVisitors, deleteVisitors);
  return { identifications, visitors };
}
