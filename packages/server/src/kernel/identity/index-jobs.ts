/**
 * Index jobs of members, tokens and similar records, which the command line and the sign-in also change. The database roles of those cannot
 * write search entries, so the indexer does. It also does for changes that do not load all texts of a record.
 */
import { type Statement, type Step, step } from '../database/batch.ts';
import { uuidArray } from '../database/values.ts';

/** SQL: puts the jobs of records of the organization $1. @param type SQL of the singular name of their resource @param from their ids, as `r` @param parent of their parent */
export const putJobs = (
  type: string,
  from: string,
  parent = '$1::uuid',
) => `INSERT INTO trellis.search_marks AS m
      (organization_id, type, record_id, parent_id, number, available_at, attempts)
    SELECT $1, ${type}, r.id, ${parent}, 1, clock_timestamp(), 0 FROM ${from}
    ON CONFLICT (organization_id, type, record_id) DO UPDATE SET number = m.number + 1, attempts = 0,
      available_at = excluded.available_at`;

const putJob: Statement = {
  name: 'put_index_jobs',
  text: putJobs('$2', 'unnest($3::uuid[]) AS r (id)', '$4::uuid'),
};

/**
 * The step that has records indexed, or their search entries removed if they are gone.
 * @param type singular name of their resource
 * @param ids uuids
 * @param parentId the uuid of their parent; null for a resource without parents
 */
export function indexJobsStep(
  organizationId: string,
  type: string,
  ids: readonly string[],
  parentId: string | null = null,
): Step {
  return step(putJob, [organizationId, type, uuidArray(ids), parentId ?? organizationId]);
}
