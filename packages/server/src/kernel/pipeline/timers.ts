/**
 * Timers: rows that say when a record is to change. A timer is written in the same transaction as its record, and found
 * without reading records.
 */

import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../database/batch.ts';
import type { Change } from './storage.ts';

/** What happens when a timer is due. */
export const timerKinds = ['ARTICLE_PUBLISH', 'ARTICLE_UNPUBLISH', 'FILE_EXPIRE'] as const;
export type TimerKind = (typeof timerKinds)[number];

/** One kind of timer of a resource. */
export interface TimerRule {
  readonly kind: TimerKind;
  /** When the timer is due, RFC 3339; null removes it; undefined leaves it unchanged. */
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

/** The steps that adapt the timers of a changed record; none for most changes. */
export function timerSteps(rules: readonly TimerRule[], { organizationId, before, after }: Change): Step[] {
  return rules.flatMap(({ kind, dueAt }) => {
    const due = dueAt(after);
    if (due === undefined || due === (before === null ? null : dueAt(before))) return [];
    const key = [organizationId, kind, after.id];
    return [due === null ? step(removeTimer, key) : step(setTimer, [...key, after.parentId, due])];
  });
}

/** The steps that remove the timers of a deleted record. */
export function removeTimerSteps(
  rules: readonly TimerRule[],
  organizationId: string,
  record: StoredRecord,
): Step[] {
  return rules
    .filter(({ dueAt }) => dueAt(record) !== null)
    .map(({ kind }) => step(removeTimer, [organizationId, kind, record.id]));
}
