/**
 * Index jobs: rows of `search_marks`, written in the transactions that leave the search entries of a record to the indexer, and
 * claimed by it under a lease. A job that is written again while the indexer works on it gets another number and is not removed.
 */

import { type Statement, type Step, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { defineRow, number, text } from '../../database/row.ts';

/** A record whose search entries are to be written. Ids are uuids. */
export interface IndexJob {
  readonly organizationId: string;
  readonly type: string;
  readonly recordId: string;
  readonly parentId: string;
  /** Raised each time the job is written. */
  readonly number: string;
  /** How often the job has been claimed, including this time. */
  readonly attempts: number;
}

/** Organizations with due jobs: reads one index entry of each, however many jobs it has. */
const dueOrganizations: Statement = {
  name: 'due_search_organizations',
  text: `WITH RECURSIVE found AS (
      (SELECT organization_id FROM trellis.search_marks ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT m.organization_id FROM trellis.search_marks m
              WHERE m.organization_id > f.organization_id ORDER BY m.organization_id LIMIT 1)
      FROM found f WHERE f.organization_id IS NOT NULL
    )
    SELECT f.organization_id FROM found f
    WHERE EXISTS (SELECT FROM trellis.search_marks m
                  WHERE m.organization_id = f.organization_id AND (m.available_at <= statement_timestamp() OR $1::boolean))
    LIMIT 10000`,
};
const jobRow = defineRow({
  organizationId: text('m.organization_id'),
  type: text('m.type'),
  recordId: text('m.record_id'),
  parentId: text('m.parent_id'),
  number: text('m.number'),
  attempts: number('m.attempts'),
});
const claim: Statement = {
  name: 'claim_index_jobs',
  text: `UPDATE trellis.search_marks m
    SET available_at = statement_timestamp() + $2::integer * interval '1 millisecond', attempts = m.attempts + 1
    FROM (
      SELECT n.organization_id, n.type, n.record_id FROM trellis.search_marks n
      WHERE n.organization_id = $1 AND (n.available_at <= statement_timestamp() OR $4::boolean)
      ORDER BY n.available_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) due
    WHERE m.organization_id = due.organization_id AND m.type = due.type AND m.record_id = due.record_id
    RETURNING ${jobRow.list}`,
};
const ofJob = 'organization_id = $1 AND type = $2 AND record_id = $3 AND number = $4';
// Does not wait for a write that has locked the job: that write changes its number, so the job must stay.
const removeJob: Statement = {
  name: 'delete_index_job',
  text: `DELETE FROM trellis.search_marks WHERE organization_id = $1 AND (type, record_id) = (
      SELECT type, record_id FROM trellis.search_marks WHERE ${ofJob} FOR UPDATE SKIP LOCKED)`,
};
const postpone: Statement = {
  name: 'postpone_index_job',
  text: `UPDATE trellis.search_marks SET available_at = statement_timestamp() + $5::integer * interval '1 millisecond'
    WHERE ${ofJob}`,
};

/** Ids of the organizations that have jobs. `all`: including jobs that are not due yet. */
export async function findDueOrganizations(worker: Database, all: boolean): Promise<string[]> {
  const [due] = await worker.queryInBackground([step(dueOrganizations, [String(all)])]);
  return (due?.rows ?? []).map(([id]) => id ?? '');
}

/** Which jobs are claimed. */
export interface IndexJobClaim {
  readonly organizationId: string;
  readonly leaseMs: number;
  /** Maximum number of jobs. */
  readonly most: number;
  /** Whether jobs that are not due yet are claimed too. */
  readonly all: boolean;
}

/** Claims jobs of an organization. No other indexer claims them until the lease expires. */
export async function claimIndexJobs(
  worker: Database,
  { organizationId, leaseMs, most, all }: IndexJobClaim,
): Promise<IndexJob[]> {
  const values = [organizationId, String(leaseMs), String(most), String(all)];
  const [claimed] = await worker.executeInBackground([step(claim, values)]);
  return jobRow.all(claimed);
}

/** The step that removes a job, for the transaction that does its work. */
export function removeIndexJobStep(job: IndexJob): Step {
  return step(removeJob, keyOf(job));
}

/** Makes a job due again after a delay. */
export async function postponeIndexJob(worker: Database, job: IndexJob, milliseconds: number): Promise<void> {
  await worker.executeInBackground([step(postpone, [...keyOf(job), String(milliseconds)])]);
}

function keyOf({ organizationId, type, recordId, number }: IndexJob): string[] {
  return [organizationId, type, recordId, number];
}
