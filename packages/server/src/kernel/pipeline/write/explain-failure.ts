/**
 * Translates a violated constraint into an error for the caller, after the transaction has ended, on another
 * connection.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { countOf } from '@trellis/schema/resources/nouns.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { DatabaseFailure } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import { type Actor, needsRecentSignIn } from '../../identity/actor.ts';
import { decodeRecord } from '../storage.ts';
import { idempotencyConstraint, inProgress } from './idempotency/idempotency.ts';
import type { WriteKind } from './kinds.ts';
import type { Outcome, Plan, WriteRequest } from './plan.ts';
import { mayRead } from './steps/authorize.ts';
import { deletionsConstraint } from './steps/count-deletion.ts';

/** A commit that the database refused. */
export class CommitFailure extends Error {
  readonly actor: Actor | null;
  readonly outcome: Outcome<WriteKind>;

  constructor(cause: unknown, actor: Actor | null, outcome: Outcome<WriteKind>) {
    super('the commit failed', { cause });
    this.actor = actor;
    this.outcome = outcome;
  }
}

/** The error to throw instead: a problem if the client can be told, otherwise the failure itself. */
export async function explainFailure(
  database: Pick<Database, 'query'>,
  { scope, plan, token }: WriteRequest,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof CommitFailure)) return error;
  const failure = error.cause as DatabaseFailure;
  if (token === null) return failure;
  if (failure.constraint === deletionsConstraint)
    return needsRecentSignIn(undefined, 'This session has deleted 100 records within a day. Deleting more');
  if (failure.code === '23505') {
    if (failure.constraint === idempotencyConstraint) return inProgress();
    return (await explainConflict(database, scope, plan, error, failure.constraint ?? '')) ?? failure;
  }
  if (failure.code === '23503') {
    if (plan.usages !== undefined) return explainUse(database, scope, plan, plan.usages, error.actor);
    const loss = error.outcome.explainLoss;
    if (loss !== undefined) return loss.explain(await database.query(scope, loss.steps)) ?? failure;
    return explainLostReference(plan, failure);
  }
  return failure;
}

async function explainConflict(
  database: Pick<Database, 'query'>,
  scope: Scope,
  { model: { resource, storage } }: Plan,
  { outcome, actor }: CommitFailure,
  constraint: string,
): Promise<Problem | null> {
  const conflict = outcome.explainConflict?.(constraint) ?? null;
  if (conflict === null) return null;
  const [found] = await database.query(scope, [conflict.step]);
  const row = found?.rows[0];
  const isShown = row !== undefined && actor !== null && mayRead(actor, resource);
  const { field, errors } = conflict.locate(row);
  return new Problem('conflict', conflict.detail, {
    members: {
      field,
      ...(isShown ? { existingId: encodeId(resource.idPrefix, decodeRecord(storage, row).id) } : {}),
    },
    errors,
  });
}

async function explainUse(
  database: Pick<Database, 'query'>,
  scope: Scope,
  { users = () => [] }: Plan,
  usages: NonNullable<Plan['usages']>,
  actor: Actor | null,
): Promise<Problem> {
  const counting = usages();
  const naming = users().filter(({ resource }) => actor !== null && mayRead(actor, resource));
  const found = await database.query(scope, [...counting, ...naming.map(({ step }) => step)]);
  const usedBy = found
    .slice(0, counting.length)
    .flatMap(({ rows }) =>
      rows
        .map(([label, count]) => ({ resource: label ?? '', count: Number(count) }))
        .filter(({ count }) => count > 0),
    );
  const uses = naming.flatMap(({ resource, row }, index) =>
    row.all(found[counting.length + index]).map(({ id, parentId, title, isPublished }) => ({
      type: resource.singular,
      id: encodeId(resource.idPrefix, id),
      path: recordPath(resource, parentId, id),
      title,
      published: isPublished,
    })),
  );
  const text = usedBy.map(({ resource, count }) => countOf(resourceByName(resource), count)).join(', ');
  return new Problem('in_use', text === '' ? undefined : `Still used by ${text}.`, {
    members: { usedBy, ...(uses.length === 0 ? {} : { uses }) },
  });
}

/** The error for a record that was deleted in the meantime, the same as for one that never existed. */
function explainLostReference({ model: { resource } }: Plan, failure: DatabaseFailure): Problem {
  const { parent, table } = resource;
  const isParent = parent !== null && failure.constraint === `${table}_organization_id_${parent.column}_fkey`;
  return new Problem(isParent ? 'not_found' : 'reference_not_found', undefined, { cause: failure });
}
