/** The decisions of a planned write, in their order, on what was read inside its transaction. They change nothing. */

import type { nameResults } from '../../database/reads.ts';
import type { WriteKind } from './kinds.ts';
import type { Outcome, WriteRequest } from './plan.ts';
import type { Caller } from './steps/authorize.ts';
import { checkPrecondition } from './steps/check-precondition.ts';
import { checkReferences } from './steps/check-references.ts';
import { checkTransition } from './steps/check-transition.ts';
import { confirm } from './steps/confirm.ts';
import { findParent } from './steps/find-parent.ts';
import { lockRecord } from './steps/lock-record.ts';

/** The reads of a plan, by name. */
export function readsOfPlan(plan: WriteRequest['plan']) {
  const { lock, parent, references, reads } = plan;
  return { record: lock, parent: parent?.step, references: references?.reads, plan: reads };
}

/** The reads when the plan is not known yet. */
export const noReads: ReturnType<typeof readsOfPlan> = {
  record: undefined,
  parent: undefined,
  references: undefined,
  plan: {},
};

/** The results of these reads. */
export type PlanRows = ReturnType<typeof nameResults<ReturnType<typeof readsOfPlan>>>;

/** The writes of a decision. */
export interface DecidedWrite {
  readonly outcome: Outcome<WriteKind>;
  /** The instant of the write, RFC 3339. */
  readonly instant: string;
}

/**
 * Decides a write.
 * @throws Problem the refusal
 */
export async function decide(request: WriteRequest, caller: Caller, rows: PlanRows): Promise<DecidedWrite> {
  const before = lockRecord(request, rows.record);
  const parent = findParent(request, rows.parent);
  checkPrecondition(caller, before);
  checkReferences(request, rows.references);
  const instant = laterOf(caller.instant, before?.updatedAt);
  const decided = request.plan.decide({ actor: caller.actor, instant, parent, rows: rows.plan }, before);
  const outcome = checkTransition(caller, decided);
  await confirm(request);
  return { outcome, instant };
}

/**
 * The later one of two RFC 3339 UTC texts of equal length, which compare like times. A record's times never go
 * backwards.
 */
function laterOf(now: string, last = ''): string {
  return now > last ? now : last;
}
