/**
 * The pipeline of all writes of tenant data. It reads from top to bottom: one batch that reads everything, decisions on
 * current state inside the transaction, and one batch that writes everything. Each step is a file in `steps/`, except
 * `decide`, which is the plan's; the table in `kinds.ts` says which kinds of write omit which steps.
 */

import type { Step, StepResult } from '../../database/batch.ts';
import type { Transaction } from '../../database/database.ts';
import { joinSteps } from '../../database/joined-steps.ts';
import { nameResults, type Reads, stepsOf } from '../../database/reads.ts';
import { CommitFailure, explainFailure } from './explain-failure.ts';
import type { WriteKind } from './kinds.ts';
import type { Outcome, TokenlessWrite, TokenWrite, WriteContext, WriteRequest, WriteResult } from './plan.ts';
import { replay } from './replay.ts';
import { appendEvent } from './steps/append-event.ts';
import { authorize, type Caller, callerSteps } from './steps/authorize.ts';
import { change } from './steps/change.ts';
import { checkPrecondition } from './steps/check-precondition.ts';
import { checkReferences } from './steps/check-references.ts';
import { checkTransition } from './steps/check-transition.ts';
import { claimKey, keyLock } from './steps/claim-key.ts';
import { confirm } from './steps/confirm.ts';
import { countDeletion } from './steps/count-deletion.ts';
import { findParent } from './steps/find-parent.ts';
import { lockRecord } from './steps/lock-record.ts';
import { storeResponse } from './steps/store-response.ts';

/**
 * Carries out a write; exactly once per key if it has an idempotency key.
 * @returns the response; of a write without a token, which has none, whether anything was written
 * @throws Problem for every error of the caller; then nothing was changed, and nothing was stored under the key
 */
export async function write(context: WriteContext, request: TokenWrite): Promise<WriteResult>;
export async function write(context: WriteContext, request: TokenlessWrite): Promise<boolean>;
export async function write(
  { database, nudge }: WriteContext,
  request: WriteRequest,
): Promise<WriteResult | boolean> {
  const { plan, scope } = request;
  const reads = readsOf(request);
  try {
    const work = async (results: StepResult[], transaction: Transaction) => {
      const rows = nameResults(reads, results);
      const caller = authorize(request, rows.caller);
      const claim = claimKey(request, rows.key, rows.caller);
      if (claim.kind === 'replay') return await replay(request, caller, claim, rows.record, transaction);
      const before = lockRecord(request, rows.record);
      const parent = findParent(request, rows.parent);
      checkPrecondition(caller, before);
      checkReferences(request, rows.references);
      const instant = laterOf(caller.instant, before?.updatedAt);
      const decided = plan.decide({ actor: caller.actor, instant, parent, rows: rows.plan }, before);
      const outcome = checkTransition(caller, decided);
      await confirm(request);
      const steps = [
        ...countDeletion(request, caller),
        // Before the change, whose first steps write the record, so that they are joined; its later ones read what these have written.
        ...storeResponse(caller, claim, outcome, instant),
        ...appendEvent(request, caller, outcome),
        ...change(outcome),
      ];
      await commit(transaction, caller, outcome, steps);
      if (outcome.events !== undefined && outcome.events.length > 0) nudge(outcome.events);
      if (outcome.response === undefined) return steps.length > 0;
      return { ...outcome.response, replayed: false, position: transaction.position() };
    };
    // What gives access changes users and organizations, too, of which each server of a distributed database has a copy.
    const everywhere = plan.model.resource.givesAccess === true;
    return await database.transaction(scope, stepsOf(reads), work, { everywhere });
  } catch (error) {
    throw await explainFailure(database, request, error);
  }
}

/** The reads of the first batch. */
function readsOf(request: WriteRequest) {
  const { lock, parent, references, reads } = request.plan;
  return {
    // First, because everything is read behind the locks that are taken with the key.
    key: keyLock(request),
    caller: callerSteps(request),
    record: lock,
    parent: parent?.step,
    references: references?.reads,
    plan: reads,
  } satisfies Reads;
}

/** Writes everything in the second batch. A write without steps ends without a commit, which rolls back. */
async function commit(
  transaction: Transaction,
  { actor }: Caller,
  outcome: Outcome<WriteKind>,
  steps: readonly Step[],
): Promise<void> {
  if (steps.length === 0) return;
  try {
    await transaction.commit(joinSteps(steps));
  } catch (error) {
    throw new CommitFailure(error, actor, outcome);
  }
}

/**
 * The later one of two RFC 3339 UTC texts of equal length, which compare like times. A record's times never go
 * backwards.
 */
function laterOf(now: string, last = ''): string {
  return now > last ? now : last;
}
