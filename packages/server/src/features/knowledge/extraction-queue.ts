/**
 * The queue of files whose text is to be extracted, shared by all nodes. The organization whose last file was taken longest
 * ago comes first, however many files another one has waiting. A file is leased: if its node dies, it is due again.
 */

import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, number, text } from '../../kernel/database/row.ts';
import { uuidArray } from '../../kernel/database/values.ts';

/** A file whose text is to be extracted. Ids are UUIDs. */
export interface ExtractionJob {
  readonly organizationId: string;
  readonly fileId: string;
  readonly contentVersion: number;
  readonly mediaType: string;
  /** Of the content, hexadecimal. */
  readonly sha256: string;
  /** Number of this attempt; the lease is held under it. */
  readonly attempts: number;
}

const jobRow = defineRow({
  organizationId: text('organization_id'),
  fileId: text('file_id'),
  contentVersion: number('content_version'),
  mediaType: text('media_type'),
  sha256: text('sha256'),
  attempts: number('attempts'),
});

// Visits the organizations with jobs along the index, one step for each, instead of reading all jobs. One statement takes a
// job and stores when its organization was served, or does neither. Two nodes at the same time may both serve the same
// organization, each with a different file.
const claim: Statement = {
  name: 'claim_extraction_job',
  text: `WITH RECURSIVE waiting AS (
      (SELECT organization_id AS id FROM trellis.extraction_jobs ORDER BY organization_id LIMIT 1)
      UNION ALL
      SELECT (SELECT j.organization_id FROM trellis.extraction_jobs j WHERE j.organization_id > w.id
              ORDER BY j.organization_id LIMIT 1)
      FROM waiting w WHERE w.id IS NOT NULL
    ), turn AS (
      SELECT w.id FROM waiting w LEFT JOIN trellis.extraction_turns t ON t.organization_id = w.id
      WHERE w.id <> ALL ($2::uuid[]) AND EXISTS (
        SELECT FROM trellis.extraction_jobs j
        WHERE j.organization_id = w.id AND j.available_at <= statement_timestamp())
      ORDER BY t.served_at NULLS FIRST, w.id LIMIT 1
    ), claimed AS (
      UPDATE trellis.extraction_jobs j
      SET available_at = statement_timestamp() + make_interval(secs => $1), attempts = attempts + 1
      WHERE (j.organization_id, j.file_id) = (
        SELECT n.organization_id, n.file_id FROM trellis.extraction_jobs n
        WHERE n.organization_id = (SELECT id FROM turn) AND n.available_at <= statement_timestamp()
        ORDER BY n.available_at, n.file_id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${jobRow.list}
    ), noted AS (
      INSERT INTO trellis.extraction_turns (organization_id, served_at)
      SELECT organization_id, statement_timestamp() FROM claimed
      ON CONFLICT (organization_id) DO UPDATE SET served_at = excluded.served_at
    )
    SELECT ${jobRow.list} FROM claimed`,
};
const ofAttempt = 'organization_id = $1 AND file_id = $2 AND content_version = $3 AND attempts = $4';
const setAvailable: Statement = {
  name: 'set_extraction_job_available',
  text: `UPDATE trellis.extraction_jobs SET available_at = statement_timestamp() + make_interval(secs => $5)
    WHERE ${ofAttempt}`,
};
const remove: Statement = {
  name: 'delete_extraction_job',
  text: 'DELETE FROM trellis.extraction_jobs WHERE organization_id = $1 AND file_id = $2 AND content_version = $3',
};

/**
 * Takes the next file.
 * @param worker pool of the role `trellis_worker`
 * @param leaseSeconds after which the file is due again unless the lease is renewed
 * @param excludedOrganizations UUIDs of organizations of which no file is taken
 * @returns null when none is due
 */
export async function claimJob(
  worker: Database,
  leaseSeconds: number,
  excludedOrganizations: readonly string[],
): Promise<ExtractionJob | null> {
  const [claimed] = await worker.executeInBackground([
    step(claim, [String(leaseSeconds), uuidArray(excludedOrganizations)]),
  ]);
  return jobRow.first(claimed) ?? null;
}

/**
 * Makes a job due after some seconds: to renew its lease, or to release it.
 * @returns false when the lease is no longer this node's, or the content was replaced or deleted
 */
export async function setJobDue(worker: Database, job: ExtractionJob, seconds: number): Promise<boolean> {
  const { organizationId, fileId, contentVersion, attempts } = job;
  const key = [organizationId, fileId, String(contentVersion), String(attempts)];
  const [result] = await worker.executeInBackground([step(setAvailable, [...key, String(seconds)])]);
  return (result?.affected ?? 0) > 0;
}

/** The step that removes a job, whichever node has its lease. */
export function removeJobStep({ organizationId, fileId, contentVersion }: ExtractionJob) {
  return step(remove, [organizationId, fileId, String(contentVersion)]);
}
