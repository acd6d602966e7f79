/**
 * Writes of operators. They use the plans and models of the API, and the same pipeline, with the rights of the database role
 * instead of a token's. Plans of their own are only creating an organization (`organizations.ts`) and adding a member without an
 * invitation (`users.ts`).
 */

import { Problem } from '@trellis/schema/problem.ts';
import { clients } from '@trellis/schema/resources/clients.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Reads } from '../../kernel/database/reads.ts';
import { notifyAccessChange } from '../../kernel/identity/access-notifier.ts';
import { operator } from '../../kernel/identity/actor.ts';
import { createModel, type Model, type Rules } from '../../kernel/pipeline/model.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import type { Storage, Target } from '../../kernel/pipeline/storage.ts';
import { definePlan } from '../../kernel/pipeline/write/define-plan.ts';
import type { Outcome, Plan, PlanContext } from '../../kernel/pipeline/write/plan.ts';
import { type PlanAdditions, planCreate, planUpdate } from '../../kernel/pipeline/write/plans.ts';
import { write } from '../../kernel/pipeline/write/write.ts';
import { AdministrationError } from './checks.ts';
import { clientRules } from './clients/rules.ts';
import { clientStorage } from './clients/storage.ts';
import { memberRules } from './members/rules.ts';
import { memberStorage } from './members/storage.ts';
import { organizationRules, organizationStorage } from './organization/storage.ts';
import { tokenRules } from './tokens/rules.ts';
import { tokenStorage } from './tokens/storage.ts';

/** The models of what operators change. */
export const operatorModels = {
  organizations: operatorModel(organizations, organizationStorage, organizationRules),
  members: operatorModel(members, memberStorage, memberRules),
  clients: operatorModel(clients, clientStorage, clientRules),
  tokens: operatorModel(tokens, tokenStorage, tokenRules),
};

/** The background role writes no search entries. */
function operatorModel<D extends Resource>(resource: D, storage: Storage, rules: Rules<NoInfer<D>>): Model {
  return { ...createModel(resource, storage, rules), isIndexedLater: true };
}

/** Commands print what they read afterwards. */
const shape = { minimal: true };

/** A record of an organization, both by their uuids. */
export function targetOf(organizationId: string, id: string): Target {
  return { organizationId, userId: null, parentId: null, id };
}

/** Values in stored form. The commands have already resolved references. */
function inputOf(values: Values): Input {
  return { values, references: [], faults: [] };
}

/** Plans a record of an organization (uuid). */
export function planNew(
  model: Model,
  organizationId: string,
  values: Values,
  additions: PlanAdditions = {},
): Plan<'create'> {
  const place = { organizationId, userId: null, parentId: null };
  return planCreate(new Map(), model, place, inputOf(values), shape, additions);
}

/** Plans a change of some fields. */
export function planChange(model: Model, target: Target, values: Values): Plan<'update'> {
  return planUpdate(model, target, inputOf(values), shape);
}

/** The plan, unless the reads find a row: then nothing changes. */
export function unlessFound(plan: Plan, existing: readonly Step[]): Plan<'administration'> {
  const planned = asOperator(plan);
  const reads = { existing, planned: planned.reads };
  return definePlan<'administration', typeof reads>({
    ...planned,
    reads,
    decide: ({ rows, ...context }, before) =>
      rows.existing.rows.length > 0
        ? { steps: [], events: [] }
        : planned.decide({ ...context, rows: rows.planned }, before),
  });
}

/** Plans a change that the API does not have. `decide` returns what is written; null: nothing. */
export function planOwn<R extends Reads>(
  model: Model,
  reads: R,
  decide: (context: PlanContext<'administration', R>) => Outcome<'administration'> | null,
): Plan<'administration'> {
  return definePlan<'administration', R>({
    kind: 'administration',
    model,
    lock: [],
    reads,
    decide: (context) => decide(context) ?? { steps: [], events: [] },
  });
}

/** A plan of the API as an operator carries it out. */
function asOperator(plan: Plan): Plan<'administration'> {
  return {
    kind: 'administration',
    model: plan.model,
    lock: plan.lock ?? [],
    reads: plan.reads,
    decide(context, before) {
      const decided = plan.decide({ ...context, actor: operator }, before);
      return decided instanceof Refusal ? decided : { steps: decided.steps, events: decided.events ?? [] };
    },
  };
}

/**
 * Carries a plan out on behalf of an operator, and tells running servers of it, so that their reads see it at once. What is gone already
 * need not be deleted.
 * @param worker pool of the background role
 * @throws AdministrationError for a refusal by the rules; DatabaseFailure for a violated constraint
 */
export async function administer(
  worker: Database,
  organizationId: string,
  plan: Plan | Plan<'administration'>,
): Promise<void> {
  try {
    await write(
      // The relay of a running node is another process, and polls.
      { database: worker, nudge: () => undefined },
      {
        scope: { organizationId, userId: null },
        requestId: newUuid(),
        plan: plan.kind === 'administration' ? plan : asOperator(plan),
        token: null,
      },
    );
    await notifyAccessChange(worker, [organizationId]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code !== 'not_found') throw new AdministrationError(error.message);
    if (plan.kind !== 'delete' && plan.kind !== 'erasure')
      throw new AdministrationError('It has been removed meanwhile.');
  }
}
