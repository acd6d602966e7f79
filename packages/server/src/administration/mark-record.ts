/** Records that commands make are made findable by the indexer: the background role writes no search entries. */
import { type Statement, type Step, step } from '../database/batch.ts';

const mark: Statement = {
  name: 'administration_mark_record',
  text: `INSERT INTO trellis.search_marks AS m
      (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
    VALUES ($1, $2, $3, $1, 1, '{}', true, clock_timestamp(), 0)
    ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = m.number + 1, whole = true, attempts = 0,
      available_at = excluded.available_at`,
};

/** The step that has a record indexed. @param type singular name of its resource; @param id uuid */
export function markStep(organizationId: string, type: string, id: string): Step {
  return step(mark, [organizationId, type, id]);
}
