/**
 * Erases the stored responses about a deleted record. The keys stay, so that no request is carried out again. The
 * deleting transaction erases a limited number, because a record may have hundreds of thousands; a sweep erases the
 * rest. Replays do not depend on it, because the record no longer exists.
 */

import { type Statement, type Step, step } from '../../../database/batch.ts';
import { batchRows, deleteInBatches } from '../../../database/delete-in-batches.ts';
import type { BackgroundDatabase } from '../../../database/parts.ts';

/** Maximum number of responses that the deleting transaction erases. */
export const erasedAtOnce = 5_000;

// By ctid of the locked rows: PostgreSQL may plan a join by the keys for a few rows, which then takes many seconds.
const eraseSome = (count: number) => `UPDATE trellis.idempotency_keys
    SET body = NULL, body_dropped = true, body_bytes = 0
    WHERE organization_id = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM trellis.idempotency_keys
      WHERE organization_id = $1 AND subject_id = $2 AND body IS NOT NULL LIMIT ${count} FOR UPDATE))`;

/** The two changes of the statement below. */
const eraseFirst: Statement = { name: 'erase_first_stored_responses', text: eraseSome(erasedAtOnce) };
const noteRest: Statement = {
  name: 'note_response_erasure',
  text: `INSERT INTO trellis.response_erasures (organization_id, record_id)
    SELECT organization_id, subject_id FROM trellis.idempotency_keys
    WHERE organization_id = $1 AND subject_id = $2 AND body IS NOT NULL LIMIT 1`,
};

const erase: Statement = {
  name: 'erase_stored_responses',
  text: `WITH erased AS (${eraseSome(erasedAtOnce)} RETURNING key)
    INSERT INTO trellis.response_erasures (organization_id, record_id)
    SELECT $1, $2 FROM erased HAVING count(*) = ${erasedAtOnce}`,
  distributed: [
    { statement: eraseFirst, parameters: [1, 2] },
    { statement: noteRest, parameters: [1, 2] },
  ],
};
const eraseBatch: Statement = { name: 'erase_stored_responses_batch', text: eraseSome(batchRows) };
const findErasures: Statement = {
  name: 'find_response_erasures',
  text: 'SELECT organization_id, record_id FROM trellis.response_erasures LIMIT 1000',
};
const endErasure: Statement = {
  name: 'end_response_erasure',
  text: `DELETE FROM trellis.response_erasures WHERE organization_id = $1 AND record_id = $2
    AND NOT EXISTS (SELECT FROM trellis.idempotency_keys k
      WHERE k.organization_id = $1 AND k.subject_id = $2 AND k.body IS NOT NULL)`,
};

/** The step that erases the responses about a record, for the transaction that deletes it. */
export function eraseStep(organizationId: string, recordId: string): Step {
  return step(erase, [organizationId, recordId]);
}

/**
 * Erases the responses that deletions have left.
 * @param worker the database or a shard, as the role `trellis_worker`
 * @returns the number of responses
 */
export async function finishErasures(worker: BackgroundDatabase, signal?: AbortSignal): Promise<number> {
  const [waiting] = await worker.queryInBackground([step(findErasures)]);
  let erased = 0;
  for (const [organizationId = null, recordId = null] of waiting?.rows ?? []) {
    const key = [organizationId, recordId];
    erased += await deleteInBatches(worker, step(eraseBatch, key), signal);
    await worker.executeInBackground([step(endErasure, key)]);
  }
  return erased;
}
