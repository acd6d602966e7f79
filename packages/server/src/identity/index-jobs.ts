/**
 * Index jobs of members, tokens and the like, which also change without the serving role: on the command line and by signing in. The roles
 * that do so write no search entries, the indexer does.
 */
import { type Statement, type Step, step } from '../database/batch.ts';
import { uuidArray } from '../database/values.ts';

const putJob: Statement = {
  name: 'put_index_jobs',
  text: `INSERT INTO trellis.search_marks AS m
      (organization_id, type, record_id, parent_id, number, editions, whole, available_at, attempts)
    SELECT $1, $2, r.id, $1, 1, '{}', true, clock_timestamp(), 0 FROM unnest($3::uuid[]) AS r (id)
    ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = m.number + 1, whole = true, attempts = 0,
      available_at = excluded.available_at`,
};

/**
 * The step that has records indexed, or their search entries removed if they are gone.
 * @param type singular name of their resource
 * @param ids uuids
 */
export function indexJobsStep(organizationId: string, type: string, ids: readonly string[]): Step {
  return step(putJob, [organizationId, type, uuidArray(ids)]);
}
