/**
 * The pipeline of all writes of tenant data. It reads from top to bottom: one batch that reads everything, decisions on
 * current state inside the transaction (`decide.ts`), and one batch that writes everything. Each step is a file in `steps/`,
 * except `decide`, which is the plan's; the table in `kinds.ts` says which kinds of write omit which steps.
 */

import type { Step, StepResult } from '../../database/batch.ts';
import type { Transaction } from '../../database/database.ts';
import { joinSteps } from '../../database/joined-steps.ts';
import { nameResults, type Reads, stepsOf } from '../../database/reads.ts';
import { decide, noReads, type PlanRows, readsOfPlan } from './decide.ts';
import { CommitFailure, explainFailure } from './explain-failure.ts';
import type { WriteKind } from './kinds.ts';
import type {
  Outcome,
  TokenlessWrite,
  TokenWrite,
  UpsertWrite,
  WriteContext,
  WriteRequest,
  WriteResult,
} from './plan.ts';
import { replay } from './replay.ts';
import { appendEvent } from './steps/append-event.ts';
import { authorize, authorizeAs, type Caller, callerSteps } from './steps/authorize.ts';
import { change } from './steps/change.ts';
import { claimKey, keyLock } from './steps/claim-key.ts';
import { countDeletion } from './steps/count-deletion.ts';
import { storeResponse } from './steps/store-response.ts';

/** Maximum number of lookups of an upsert whose record other writes create, change or delete in the meantime. */
const mostAttempts = 3;

/**
 * Carries out a write; exactly once per key if it has an idempotency key.
 * @returns the response; of a write without a token, which has none, whether anything was written
 * @throws Problem for every error of the caller; then nothing was changed, and nothing was stored under the key
 */
export async function write(context: WriteContext, request: TokenWrite | UpsertWrite): Promise<WriteResult>;
export async function write(context: WriteContext, request: TokenlessWrite): Promise<boolean>;
export async function write(
  context: WriteContext,
  request: WriteRequest | UpsertWrite,
): Promise<WriteResult | boolean> {
  for (let attempts = 1; ; attempts += 1) {
    const carried: Carried = { request: null };
    try {
      return await carryOut(context, request, carried);
    } catch (error) {
      const { request: planned } = carried;
      if (planned === null) throw error;
      const isOvertaken = isUpsert(request) && request.plan.isOvertaken(error, planned.plan.kind);
      if (!isOvertaken || attempts === mostAttempts)
        throw await explainFailure(context.database, planned, error);
    }
  }
}

/** The write whose plan is carried out; null while an upsert has not found its record. */
interface Carried {
  request: WriteRequest | null;
}

/** @param carried gets the write whose plan is carried out, as soon as it is known */
async function carryOut(
  { database, nudge }: WriteContext,
  begun: WriteRequest | UpsertWrite,
  carried: Carried,
): Promise<WriteResult | boolean> {
  const upsert = isUpsert(begun) ? begun.plan : null;
  if (!isUpsert(begun)) carried.request = begun;
  const reads = {
    // First, because everything is read behind the locks that are taken with the key.
    key: keyLock(begun),
    caller: callerSteps(begun),
    found: upsert?.find,
    plan: isUpsert(begun) ? noReads : readsOfPlan(begun.plan),
  } satisfies Reads;
  const work = async (results: StepResult[], transaction: Transaction) => {
    const rows = nameResults(reads, results);
    const caller = authorize(begun, rows.caller);
    const claim = claimKey(begun, rows.key, rows.caller);
    if (claim.kind === 'replay') return await replay(begun, caller, claim, rows.plan.record, transaction);
    const chosen = isUpsert(begun)
      ? await choose(begun, caller, rows.found, transaction)
      : { request: begun, caller, rows: rows.plan };
    carried.request = chosen.request;
    const { outcome, instant } = await decide(chosen.request, chosen.caller, chosen.rows);
    const steps = [
      ...countDeletion(chosen.request, caller),
      // Before the change, whose first steps write the record, so that they are joined; its later ones read what these have written.
      ...storeResponse(caller, claim, outcome, instant),
      ...appendEvent(chosen.request, caller, outcome),
      ...change(outcome),
    ];
    await commit(transaction, caller, outcome, steps);
    if (outcome.events !== undefined && outcome.events.length > 0) nudge(outcome.events);
    if (outcome.response === undefined) return steps.length > 0;
    return { ...outcome.response, replayed: false, position: transaction.position() };
  };
  return await database.transaction(begun.scope, stepsOf(reads), work);
}

/** Decides whether an upsert creates or changes a record, and performs the reads for it. */
async function choose(
  { plan, token, scope, requestId }: UpsertWrite,
  caller: Caller,
  found: StepResult | undefined,
  transaction: Transaction,
): Promise<{ request: TokenWrite; caller: Caller; rows: PlanRows }> {
  const { id, requirement } = plan.match(found, caller);
  const permitted = authorizeAs(caller, requirement);
  const chosen = plan.planFor(id, token.preconditions);
  const reads = readsOfPlan(chosen);
  return {
    request: { scope, requestId, plan: chosen, token: { ...token, requirement } },
    caller: permitted,
    rows: nameResults(reads, await transaction.send(stepsOf(reads))),
  };
}

function isUpsert(request: WriteRequest | UpsertWrite): request is UpsertWrite {
  return request.plan.kind === 'upsert';
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
