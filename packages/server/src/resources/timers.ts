/**
 * Why: what is to happen to a record at an instant is decided by a write of that record, and must be known without reading
 * records: a timer is a row that is written with its record, so there is never one without the other.
 */

import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../database/batch.ts';
import type { Change } from '../pipeline/storage.ts';

/** What happens when the instant has come. */
export const timerKinds = ['ARTICLE_PUBLISH', 'ARTICLE_UNPUBLISH', 'FILE_EXPIRE'] as const;
export type TimerKind = (typeof timerKinds)[number];

/** One kind of timer of one kind of record. */
export interface TimerRule {
  readonly kind: TimerKind;
  /** The instant, RFC 3339; null: none; undefined: the record does not say, and what was set stays. */
  dueAt(record: StoredRecord): string | null | undefined;
}

const setTimer: Statement = {
  name: 'set_timer',
  text: `INSERT INTO trellis.timers (organization_id, kind, record_id, parent_id, due_at, available_at)
    VALUES ($1, $2, $3, $4, $5, $5)
    ON CONFLICT (organization_id, kind, record_id) DO UPDATE
      SET due_at = excluded.due_at, available_at = excluded.available_at, attempts = 0`,
};
const removeTimer: Statement = {
  name: 'remove_timer',
  text: 'DELETE FROM trellis.timers WHERE organization_id = $1 AND kind = $2 AND record_id = $3',
};

/** What a change of a record does to its timers; nothing for most changes. */
export function timerSteps(rules: readonly TimerRule[], { organizationId, before, after }: Change): Step[] {
  return rules.flatMap(({ kind, dueAt }) => {
    const due = dueAt(after);
    if (due === undefined || due === (before === null ? null : dueAt(before))) return [];
    const key = [organizationId, kind, after.id];
    return [due === null ? step(removeTimer, key) : step(setTimer, [...key, after.parentId, due])];
  });
}

/** What the deletion of a record does to its timers. */
export function removeTimerSteps(
  rules: readonly TimerRule[],
  organizationId: string,
  record: StoredRecord,
): Step[] {
  return rules
    .filter(({ dueAt }) => dueAt(record) !== null)
    .map(({ kind }) => step(removeTimer, [organizationId, kind, record.id]));
}
