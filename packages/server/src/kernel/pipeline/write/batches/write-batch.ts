/**
 * Batches: several writes in one transaction, each decided as it would be alone, with one response under one idempotency key.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { DatabaseFailure, Step } from '../../../database/batch.ts';
import { nameResults, type Reads, stepsOf } from '../../../database/reads.ts';
import { callerStep, keyLockStep } from '../idempotency/idempotency.ts';
import type { WriteContext, WriteResult } from '../plan.ts';
import { authorize } from '../steps/authorize.ts';
import { claimKey, keyOf } from '../steps/claim-key.ts';
import { type BatchRequest, mostAttempts } from './batch.ts';
import { BatchRun } from './batch-run.ts';
import { replayBatch } from './replay-batch.ts';

/**
 * Carries out a batch; exactly once per key.
 * @throws Problem for the batch as a whole; then nothing was changed. Of an atomic one also that of an item, with its index as `item`.
 */
export async function writeBatch(context: WriteContext, batch: BatchRequest): Promise<WriteResult> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await carryOut(context, batch);
    } catch (error) {
      const { code } = error as DatabaseFailure;
      // deadlock_detected: two batches have changed the same records, or created the same unique values, in different orders.
      if (code !== '40P01' || attempts === mostAttempts) throw error;
    }
  }
}

async function carryOut({ database, nudge }: WriteContext, batch: BatchRequest): Promise<WriteResult> {
  const { scope, token } = batch;
  const reads = {
    key: keyLockStep(scope, keyOf(token), 'shared'),
    caller: callerStep(keyOf(token), token.context.idempotencyRetentionSeconds),
    locks: lockSteps(batch),
    parent: batch.parent ?? undefined,
  } satisfies Reads;
  return await database.transaction(scope, stepsOf(reads), async (results, transaction) => {
    const rows = nameResults(reads, results);
    const caller = authorize({ token }, rows.caller);
    const claim = claimKey({ token }, rows.key, rows.caller);
    if (claim.kind === 'replay') return await replayBatch(batch, caller, claim, transaction);
    if (rows.parent?.rows.length === 0) throw new Problem('not_found');
    const run = new BatchRun(batch, caller, claim, transaction);
    const response = await run.carryOut();
    nudge(run.events);
    return { ...response, replayed: false, position: transaction.position() };
  });
}

/** Locks the named records in the order of their ids, so that batches that change them in different orders wait for each other. */
function lockSteps({ scope: { organizationId }, items }: BatchRequest): readonly Step[] | undefined {
  const named = Map.groupBy(
    items.filter(({ recordId }) => recordId !== null),
    ({ model }) => model,
  );
  const steps = [...named]
    .toSorted(([left], [right]) => (left.resource.name < right.resource.name ? -1 : 1))
    .map(([{ statements }, group]) =>
      statements.lockAll(
        organizationId,
        [...new Set(group.map(({ recordId }) => recordId ?? ''))].toSorted(),
      ),
    );
  return steps.length === 0 ? undefined : steps;
}
