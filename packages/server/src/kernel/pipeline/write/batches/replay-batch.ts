/** Replays the response of a batch that was carried out under its key before. Rights are checked again. */

import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Step } from '../../../database/batch.ts';
import type { Transaction } from '../../../database/database.ts';
import { checkOwnership, type Requirement } from '../../../identity/actor.ts';
import type { Model } from '../../model.ts';
import { decodeRecord } from '../../storage.ts';
import type { Claim } from '../idempotency/idempotency.ts';
import type { WriteResult } from '../plan.ts';
import { authorizeAs, type Caller } from '../steps/authorize.ts';
import { requirePublish } from '../steps/check-transition.ts';
import type { BatchRequest } from './batch.ts';

/** The stored response, if the caller still has the rights that its items needed. @throws Problem */
export async function replayBatch(
  { items, outcomesIn }: BatchRequest,
  caller: Caller,
  { response, published }: Extract<Claim, { kind: 'replay' }>,
  transaction: Transaction,
): Promise<WriteResult> {
  const owned: { step: Step; model: Model; permitted: Caller }[] = [];
  for (const [index, { status, id }] of outcomesIn(response.body ?? '').entries()) {
    const item = items[index];
    if (item === undefined || id === undefined) continue;
    const { model, requirement } = item;
    const permitted = authorizeAs(caller, status === 201 ? requirement : requirementOfChange(requirement));
    if (permitted.token === null) continue;
    if (published.includes(model.resource.name))
      requirePublish(permitted.token.requirement, model.resource, permitted.actor);
    const recordId = decodeId(model.resource.idPrefix, id);
    if (permitted.grant !== 'own' || recordId === null) continue;
    const step = model.statements.read({ ...item.place(), id: recordId }, 'working', 'narrow');
    owned.push({ step, model, permitted });
  }
  const rows = owned.length === 0 ? [] : await transaction.send(owned.map(({ step: read }) => read));
  for (const [index, { model, permitted }] of owned.entries()) {
    const row = rows[index]?.rows[0];
    if (row !== undefined && permitted.token !== null)
      checkOwnership(permitted.actor, permitted.grant, decodeRecord(model.storage, row).createdBy);
  }
  return { ...response, replayed: true, position: null };
}

/** The requirement of an upsert that changed a record; other requirements stay the same. */
function requirementOfChange({ orActions, permission, ...others }: Requirement): Requirement {
  return orActions === undefined || permission === null
    ? { ...others, permission }
    : { ...others, permission: { ...permission, action: 'update' } };
}
