/**
 * Replays the response of a request that was carried out under its key before. Permissions are checked again, and
 * nothing is shown of a record that is deleted or hidden from the caller by now.
 */

import { resourceByName } from '@trellis/schema/resources/index.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { StepResult } from '../../database/batch.ts';
import type { Transaction } from '../../database/database.ts';
import { nameResults, stepsOf } from '../../database/reads.ts';
import { checkOwnership } from '../../identity/actor.ts';
import { decodeRecord } from '../storage.ts';
import { type Claim, recordGone, type StoredResponse } from './idempotency/idempotency.ts';
import type { BegunWrite, WriteResult } from './plan.ts';
import { authorizeAs, type Caller } from './steps/authorize.ts';
import { requirePublish } from './steps/check-transition.ts';

type Replay = Extract<Claim, { kind: 'replay' }>;

/**
 * The stored response, if the caller may still see it.
 * @param locked the locked record, for plans that lock one
 * @throws Problem the same as for the request itself; not_found for a deleted or hidden record
 */
export async function replay(
  { plan }: BegunWrite,
  caller: Caller,
  claim: Replay,
  locked: StepResult | undefined,
  transaction: Transaction,
): Promise<WriteResult> {
  const subject = plan.replay?.subject?.(claim.response, claim.recordId);
  const [record = locked] = subject === undefined ? [] : await transaction.send([subject]);
  authorizeReplay(
    plan,
    plan.kind === 'upsert' ? authorizeAs(caller, plan.requirementOf(claim.response)) : caller,
    claim,
    record,
  );
  await checkVisibility(plan, caller, claim, transaction);
  return { ...(await completeResponse(plan, claim, record, transaction)), replayed: true, position: null };
}

/** Checks the rights that the write needed, and ownership. A deleted record has no owner to check. */
function authorizeReplay(
  plan: BegunWrite['plan'],
  caller: Caller,
  { published }: Replay,
  record: StepResult | undefined,
): void {
  if (caller.token === null) return;
  const { token, actor, grant } = caller;
  for (const name of published) requirePublish(token.requirement, resourceByName(name), actor);
  const row = record?.rows[0];
  if (row !== undefined) checkOwnership(actor, grant, decodeRecord(plan.model.storage, row).createdBy);
}

/** Refuses if the record exists and is hidden from the caller. */
async function checkVisibility(
  plan: BegunWrite['plan'],
  { actor }: Caller,
  claim: Replay,
  transaction: Transaction,
): Promise<void> {
  const reads =
    actor === null ? null : (plan.replay?.visibility(claim.response, actor, claim.recordId) ?? null);
  if (reads === null) return;
  const { visible, existing } = nameResults(reads, await transaction.send(stepsOf(reads)));
  if (visible.rows.length === 0 && existing.rows.length === 1) throw recordGone(shownId(plan, claim));
}

/**
 * The response with its body. One that shows the record is rendered as it was: the same bytes, as long as the changes since are stored.
 * @throws Problem not_found if the record was deleted
 */
async function completeResponse(
  plan: BegunWrite['plan'],
  claim: Replay,
  record: StepResult | undefined,
  transaction: Transaction,
): Promise<StoredResponse> {
  const { response, isRecord, isErased, recordId } = claim;
  const isRendered = isRecord || isErased;
  if (response.body === null && !isRendered) return response;
  const locks = plan.kind === 'upsert' || plan.lock !== undefined;
  // A deleted record is not shown, even while what is stored about it has not been erased yet.
  if (locks && record?.rows[0] === undefined) throw recordGone(shownId(plan, claim));
  if (locks && !isRendered) return response;
  const view = recordId === null ? undefined : plan.replay?.show?.(recordId, response);
  if (view === undefined) return response;
  const results = await transaction.send(view.steps);
  if (results[0]?.rows[0] === undefined) throw recordGone(shownId(plan, claim));
  return isRendered ? { ...response, ...view.render(results) } : response;
}

/** The record's id as the API shows it. */
function shownId({ model }: BegunWrite['plan'], { recordId }: Replay): string | null {
  return recordId === null ? null : encodeId(model.resource.idPrefix, recordId);
}
