/**
 * Why: what the system does by itself (a text was extracted, a timed transition is due) changes records by the same
 * steps as a request: lock, decide on current state, write with version + 1, append the event, commit. Only who asks is
 * nobody, so there is no token to check and no key to claim.
 */

import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Database } from '../database/database.ts';
import { type Statement, type Step, type StepResult, step } from '../database/flight.ts';
import { parseTimestamp } from '../database/values.ts';
import { appendEvents } from '../events/append.ts';
import type { Decision, Model } from './model.ts';
import { applyChange, applyRemoval } from './plans.ts';
import { decodeRecord } from './storage.ts';

const beginSystemWork: Statement = {
  name: 'begin_system_work',
  text: `SELECT clock_timestamp()::timestamptz(3), set_config('trellis.claimed', 'true', true),
    set_config('trellis.all_files', 'on', true)`,
};

/** A change that nobody asked for. */
export interface SystemWrite {
  readonly organizationId: string;
  readonly parentId: string | null;
  readonly id: string;
  readonly model: Model;
  /** What the events name as their request. */
  readonly requestId: string;
  /** Rows to read beside the record. */
  readonly gather?: readonly Step[];
  /** What becomes of the record, with further steps of the same transaction; null leaves everything as it is. */
  decide(before: StoredRecord, instant: string, gathered: readonly StepResult[]): SystemOutcome | null;
}

/** What is to be written. `remove`: the record goes; only of resources whose records go alone. */
export interface SystemOutcome {
  readonly decision: Decision | 'remove';
  readonly steps: readonly Step[];
}

/** Carries it out. @returns whether anything was written: the record may be gone, or `decide` may have refused */
export async function writeAsSystem(
  { database, nudge }: { readonly database: Database; readonly nudge: () => void },
  change: SystemWrite,
): Promise<boolean> {
  const { organizationId, parentId, id, model } = change;
  const scope = { organizationId, userId: null };
  const lock = model.statements.lock({ ...scope, parentId, id });
  const first = [step(beginSystemWork), ...lock, ...(change.gather ?? [])];
  return database.transaction(scope, first, async (rows, transaction) => {
    const row = rows[lock.length]?.rows[0];
    if (row === undefined) return false;
    const before = decodeRecord(model.storage, row);
    const clock = parseTimestamp(rows[0]?.rows[0]?.[0] ?? '');
    const instant = clock > before.updatedAt ? clock : before.updatedAt;
    const outcome = change.decide(before, instant, rows.slice(lock.length + 1));
    if (outcome === null) return false;
    const stamp = { instant, userId: null };
    const { steps, events } =
      outcome.decision === 'remove'
        ? applyRemoval(model, organizationId, before, [], stamp)
        : applyChange(model, organizationId, before, outcome.decision, stamp);
    await transaction.commit([
      ...outcome.steps,
      ...steps,
      ...appendEvents(events, {
        organizationId,
        userId: null,
        clientId: null,
        requestId: change.requestId,
      }),
    ]);
    if (events.length > 0) nudge();
    return true;
  });
}
