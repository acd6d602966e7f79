/**
 * Writes of operators. They are plans as those of the API, of the same models, carried out by the same pipeline with the database's own
 * rights instead of a token's. What the API cannot do has plans of its own: making an organization (`organizations.ts`), and making
 * somebody a member without an invitation (`users.ts`).
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
import type { Step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import type { Reads } from '../database/reads.ts';
import { announceAccess } from '../identity/access-news.ts';
import { operator } from '../identity/actor.ts';
import { createModel, type Model, type Rules } from '../pipeline/model.ts';
import type { Storage, Target } from '../pipeline/storage.ts';
import { definePlan, type Outcome, type Plan, type PlanContext } from '../pipeline/write/plan.ts';
import { type PlanAdditions, planCreate, planUpdate } from '../pipeline/write/plans.ts';
import { write } from '../pipeline/write/write.ts';
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
function operatorModel(resource: Resource, storage: Storage, rules: Rules): Model {
  return { ...createModel(resource, storage, rules), isIndexedLater: true };
}

/** Commands print what they read afterwards. */
const shape = { minimal: true };
const nothing = { status: 204, location: null, etag: null, body: null } as const;

/** A record of an organization, both by their uuids. */
export function targetOf(organizationId: string, id: string): Target {
  return { organizationId, userId: null, parentId: null, id };
}

/** Values in stored form. The commands have found what they refer to. */
function inputOf(values: Values): Input {
  return { values, references: [], faults: [] };
}

/** Plans a record of an organization (uuid). */
export function planNew(
  model: Model,
  organizationId: string,
  values: Values,
  additions: PlanAdditions = {},
): Plan {
  const place = { organizationId, userId: null, parentId: null };
  return planCreate(new Map(), model, place, inputOf(values), shape, additions);
}

/** Plans a change of some fields. */
export function planChange(model: Model, target: Target, values: Values): Plan {
  return planUpdate(model, target, inputOf(values), shape);
}

/** The plan, unless the reads find a row: then nothing changes. */
export function unlessFound(plan: Plan, existing: readonly Step[]): Plan {
  const reads = { existing, planned: plan.reads };
  return definePlan<typeof reads>({
    ...plan,
    reads,
    decide: ({ rows, ...context }, before) =>
      rows.existing.rows.length > 0
        ? outcomeOf(null)
        : plan.decide({ ...context, rows: rows.planned }, before),
  });
}

/** Plans what the API cannot do. `decide`: what is written; null: nothing. */
export function planOwn<R extends Reads>(
  model: Model,
  reads: R,
  decide: (context: PlanContext<R>) => Pick<Outcome, 'steps' | 'events'> | null,
): Plan {
  return definePlan<R>({
    kind: 'administration',
    model,
    lock: [],
    parent: null,
    references: null,
    reads,
    decide: (context) => outcomeOf(decide(context)),
    replay: null,
    confirm: null,
    usages: null,
  });
}

function outcomeOf(written: Pick<Outcome, 'steps' | 'events'> | null): Outcome {
  return {
    ...(written ?? { steps: [], events: [] }),
    response: nothing,
    // No response is stored.
    shown: { recordId: '', as: 'other' },
    publishes: [],
    explainConflict: null,
  };
}

/**
 * Carries a plan out on behalf of an operator, and tells running servers of it, so that their reads see it at once. What is gone already
 * need not be deleted.
 * @param worker pool of the background role
 * @throws AdministrationError for a refusal by the rules; DatabaseFailure for a violated constraint
 */
export async function administer(worker: Database, organizationId: string, plan: Plan): Promise<void> {
  try {
    await write(
      // The relay of a running node looks by itself: it is another process.
      { database: worker, nudge: () => undefined },
      {
        scope: { organizationId, userId: null },
        requestId: newUuid(),
        plan: {
          ...plan,
          kind: 'administration',
          decide: (context, before) => plan.decide({ ...context, actor: operator }, before),
        },
        token: null,
      },
    );
    await announceAccess(worker, [organizationId]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code !== 'not_found') throw new AdministrationError(error.message);
    if (plan.kind !== 'delete' && plan.kind !== 'erasure')
      throw new AdministrationError('It has been removed meanwhile.');
  }
}
