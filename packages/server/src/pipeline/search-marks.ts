/**
 * Index jobs: rows of `search_marks`, written in the transactions that change long texts, and taken by the indexer under a
 * lease. A job that is set again while it is worked on has another number, and stays.
 */

import { type Row, type Statement, type Step, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';

/** A record whose long texts are to be indexed. */
export interface Mark {
  readonly organizationId: string;
  readonly type: string;
  readonly recordId: string;
  readonly parentId: string;
  readonly number: string;
  readonly editions: readonly number[];
  readonly whole: boolean;
  readonly attempts: number;
}

/** Organizations with marks that are due by an instant, found one after the other in the index. */
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
                  WHERE m.organization_id = f.organization_id AND (m.available_at <= clock_timestamp() OR $1::boolean))
    LIMIT 10000`,
};
const claim: Statement = {
  name: 'claim_search_marks',
  text: `UPDATE trellis.search_marks m
    SET available_at = clock_timestamp() + $2::integer * interval '1 millisecond', attempts = m.attempts + 1
    FROM (
      SELECT n.organization_id, n.type, n.record_id FROM trellis.search_marks n
      WHERE n.organization_id = $1 AND (n.available_at <= clock_timestamp() OR $4::boolean)
      ORDER BY n.available_at LIMIT $3 FOR UPDATE SKIP LOCKED
    ) due
    WHERE m.organization_id = due.organization_id AND m.type = due.type AND m.record_id = due.record_id
    RETURNING m.organization_id, m.type, m.record_id, m.parent_id, m.number, array_to_string(m.editions, ','),
      m.whole, m.attempts`,
};
const ofMark = 'organization_id = $1 AND type = $2 AND record_id = $3 AND number = $4';
// It does not wait for a write that sets the mark again: that one is then to be taken once more.
const removeMark: Statement = {
  name: 'delete_search_mark',
  text: `DELETE FROM trellis.search_marks WHERE (organization_id, type, record_id) = (
      SELECT organization_id, type, record_id FROM trellis.search_marks WHERE ${ofMark} FOR UPDATE SKIP LOCKED)`,
};
const postpone: Statement = {
  name: 'postpone_search_mark',
  text: `UPDATE trellis.search_marks SET available_at = clock_timestamp() + $5::integer * interval '1 millisecond'
    WHERE ${ofMark}`,
};

/** Ids of the organizations that have something to index. `all`: also what is not due yet. */
export async function findDueOrganizations(worker: Database, all: boolean): Promise<string[]> {
  const [due] = await worker.queryInBackground([step(dueOrganizations, [String(all)])]);
  return (due?.rows ?? []).map(([id]) => id ?? '');
}

/** What is claimed, and how. */
export interface MarkClaim {
  readonly organizationId: string;
  readonly leaseMs: number;
  /** How many at most. */
  readonly most: number;
  /** Also what is not due yet. */
  readonly all: boolean;
}

/** Takes some of an organization's jobs: nobody else takes them until the lease has run out. */
export async function claimMarks(
  worker: Database,
  { organizationId, leaseMs, most, all }: MarkClaim,
): Promise<Mark[]> {
  const values = [organizationId, String(leaseMs), String(most), String(all)];
  const [claimed] = await worker.executeInBackground([step(claim, values)]);
  return (claimed?.rows ?? []).map(toMark);
}

/** The step that removes a job that is done, in the transaction of its work. */
export function removeMarkStep(mark: Mark): Step {
  return step(removeMark, keyOf(mark));
}

/** Puts a job off for so many milliseconds. */
export async function postponeMark(worker: Database, mark: Mark, milliseconds: number): Promise<void> {
  await worker.executeInBackground([step(postpone, [...keyOf(mark), String(milliseconds)])]);
}

function toMark([organizationId, type, recordId, parentId, number, editions, whole, attempts]: Row): Mark {
  return {
    organizationId: organizationId ?? '',
    type: type ?? '',
    recordId: recordId ?? '',
    parentId: parentId ?? '',
    number: number ?? '',
    editions: (editions ?? '').split(',').filter(Boolean).map(Number),
    whole: whole === 't',
    attempts: Number(attempts),
  };
}

function keyOf({ organizationId, type, recordId, number }: Mark): string[] {
  return [organizationId, type, recordId, number];
}
