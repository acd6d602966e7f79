/**
 * Erases the data stored about a permanently deleted record: its changes, and the bodies of responses that cannot be rendered. The
 * idempotency keys stay, so that no request is carried out again. The deleting transaction erases a limited number, because a record may
 * have hundreds of thousands; a sweep erases the rest. Until then the data is inaccessible, because the record no longer exists.
 */

import { type Statement, type Step, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { batchRows, deleteInBatches } from '../../database/delete-in-batches.ts';
import type { Model } from '../model.ts';

/** Maximum number of changes, and of responses, that the deleting transaction erases. */
export const erasedAtOnce = 5_000;

// By ctid of the locked rows: PostgreSQL may plan a join by the keys for a few rows, which then takes many seconds.
const eraseBodies = (count: number) => `UPDATE trellis.idempotency_keys SET body = NULL
    WHERE organization_id = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM trellis.idempotency_keys
      WHERE organization_id = $1 AND subject_id = $2 AND body IS NOT NULL LIMIT ${count} FOR UPDATE))`;
const deleteChanges = (count: number) => `DELETE FROM trellis.changes
    WHERE organization_id = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM trellis.changes WHERE organization_id = $1 AND record_id = $2 LIMIT ${count}))`;

const erase: Statement = {
  name: 'erase_record',
  text: `WITH bodies AS (${eraseBodies(erasedAtOnce)} RETURNING key), changes AS (${deleteChanges(erasedAtOnce)} RETURNING version)
    INSERT INTO trellis.erasures (organization_id, record_id)
    SELECT $1, $2 WHERE ${erasedAtOnce} IN ((SELECT count(*) FROM bodies), (SELECT count(*) FROM changes))`,
};
const eraseBodiesBatch: Statement = { name: 'erase_bodies_batch', text: eraseBodies(batchRows) };
const eraseChangesBatch: Statement = { name: 'erase_changes_batch', text: deleteChanges(batchRows) };
const findErasures: Statement = {
  name: 'find_erasures',
  text: 'SELECT organization_id, record_id FROM trellis.erasures LIMIT 1000',
};
const endErasure: Statement = {
  name: 'end_erasure',
  text: `DELETE FROM trellis.erasures WHERE organization_id = $1 AND record_id = $2
    AND NOT EXISTS (SELECT FROM trellis.idempotency_keys k
      WHERE k.organization_id = $1 AND k.subject_id = $2 AND k.body IS NOT NULL)
    AND NOT EXISTS (SELECT FROM trellis.changes c WHERE c.organization_id = $1 AND c.record_id = $2)`,
};

/** The steps that erase what is stored about a record, for the transaction that deletes it for good. */
export function eraseSteps({ rules: { seeAll } }: Model, organizationId: string, recordId: string): Step[] {
  // Who deletes a record need not have been able to read it at all times.
  const seeing = seeAll === undefined ? [] : [step(seeAll)];
  return [...seeing, step(erase, [organizationId, recordId])];
}

/**
 * Erases what deletions have left.
 * @param worker pool of the role `trellis_worker`
 * @returns the number of changes and responses
 */
export async function finishErasures(worker: Database, signal?: AbortSignal): Promise<number> {
  const [waiting] = await worker.queryInBackground([step(findErasures)]);
  let erased = 0;
  for (const [organizationId = null, recordId = null] of waiting?.rows ?? []) {
    const key = [organizationId, recordId];
    for (const batch of [eraseBodiesBatch, eraseChangesBatch])
      erased += await deleteInBatches(worker, step(batch, key), signal);
    await worker.executeInBackground([step(endErasure, key)]);
  }
  return erased;
}
