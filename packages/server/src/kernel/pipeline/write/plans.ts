/**
 * The plans of create, update, action and delete for all resources. Differences between resources come from their
 * rules.
 */

import type { Fault, Problem } from '@trellis/schema/problem.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import { flattenFields, hasHistory, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { completeObject, withDefaults } from '@trellis/schema/validation/defaults.ts';
import { problemOf } from '@trellis/schema/validation/faults.ts';
import { findMissingMembers, type Input } from '@trellis/schema/validation/input.ts';
import { renderRecord, type StoredRecord, type Values } from '@trellis/schema/validation/values.ts';
import { decodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { step } from '../../database/batch.ts';
import type { Reads } from '../../database/reads.ts';
import { operator } from '../../identity/actor.ts';
import { changesSince, recordAsOf } from '../changes.ts';
import { entityTag, versionOf } from '../entity-tags.ts';
import type { Decision, Model, Models, RuleContext } from '../model.ts';
import { modelOf } from '../model.ts';
import { type Publishable, Refusal } from '../refusal.ts';
import { decodeRecord, type Target } from '../storage.ts';
import { definePlan } from './define-plan.ts';
import type { Shown, StoredResponse } from './idempotency/idempotency.ts';
import type {
  Outcome,
  ParentRead,
  Plan,
  PlanContext,
  RecordView,
  ReplayPlan,
  TokenKind,
  VisibilityReads,
} from './plan.ts';
import { planSlug } from './slug.ts';
import { applyChange, applyCreation, applyRemoval, type Stamp } from './steps/change.ts';
import { planReferences } from './steps/check-references.ts';
import {
  checkInitial,
  checkTransitions,
  eventOfChange,
  publishedBy,
  publishedByBody,
} from './transitions.ts';
import { findUniqueConflict } from './unique-conflicts.ts';
import { namingSteps, usageSteps } from './usage.ts';

/** The format of the response: `Prefer: return=minimal` omits the body (RFC 7240). */
export interface ResponseShape {
  readonly minimal: boolean;
}

/** The additions of an operation to the shared plan. */
export interface PlanAdditions {
  /** Values of a new record that no body gives, such as the hash of its secret. */
  readonly values?: Values;
  /** Additional reads and locks of the first batch. */
  readonly reads?: Reads;
  /**
   * Additional steps of the same transaction, and what they change about the response. `recordId`: uuid of the record.
   */
  complete?(outcome: Outcome, recordId: string, instant: string): Outcome;
  /** See `Plan`. */
  readonly confirm?: () => Promise<Problem | null>;
}

/** Plans the creation of a record. */
export function planCreate(
  models: Models,
  model: Model,
  place: Omit<Target, 'id'>,
  input: Input,
  shape: ResponseShape,
  { values: made, reads: further, complete, confirm }: PlanAdditions = {},
): Plan<'create'> {
  const { resource, rules } = model;
  const { organizationId, parentId } = place;
  const id = newUuid();
  const slug = planSlug(model, place, input);
  return definePlan({
    kind: 'create',
    model,
    parent: planParent(models, resource, place),
    references: planReferences(organizationId, parentId, input.references),
    reads: { slug: slug.taken, rules: rules.reads?.({ ...place, id: null }, input), further },
    decide(context) {
      const given = { ...input.values, ...made, ...slug.choose(context.rows.slug, context.parent) };
      const publishes = publishedByBody(resource, null, input.values);
      const values = decideCreate(model, given, ruleContext(context));
      if (values instanceof Refusal) return new Refusal(values.problem, publishes);
      const { userId } = stampOf(context);
      const after: StoredRecord = {
        id,
        parentId,
        version: 1,
        createdAt: context.instant,
        updatedAt: context.instant,
        createdBy: userId,
        updatedBy: userId,
        // The rules know declared fields only.
        values: { ...made, ...values },
      };
      const { steps, events } = applyCreation(model, organizationId, after);
      const outcome: Outcome = {
        steps,
        events,
        response: recordResponse(resource, after, 201, shape),
        shown: shownRecord(resource, id),
        publishes,
        explainConflict: (constraint) => findUniqueConflict(model, { ...place, id }, values, constraint),
      };
      return complete?.(outcome, id, context.instant) ?? outcome;
    },
    replay: {
      visibility({ location }) {
        const created = decodeId(resource.idPrefix, location?.split('/').at(-1) ?? '');
        return created === null ? null : visibilityReads(model, { ...place, id: created });
      },
      show: (recordId, response) => viewRecord(model, { ...place, id: recordId }, response),
    },
    confirm: confirm ?? null,
  });
}

/** Plans a merge patch (RFC 7396) of a record. */
export function planUpdate(
  model: Model,
  target: Target,
  input: Input,
  shape: ResponseShape,
  { reads: further, complete, confirm }: PlanAdditions = {},
): Plan<'update'> {
  const { organizationId, parentId } = target;
  return definePlan({
    kind: 'update',
    model,
    lock: model.statements.lock(target),
    references: planReferences(organizationId, parentId, input.references),
    reads: { rules: model.rules.reads?.(target, input), further },
    decide(context, before) {
      const decided = decideUpdate(model, before, input, ruleContext(context));
      if (decided instanceof Refusal) return decided;
      const outcome = applyDecision(model, organizationId, before, decided, stampOf(context), shape);
      return complete?.(outcome, before.id, context.instant) ?? outcome;
    },
    replay: replayOf(model, target),
    confirm: confirm ?? null,
  });
}

/**
 * Plans a change of a record that has no body, such as restoring an old version. `V`: the values of the model's records.
 */
export function planAction<R extends Reads, V extends Values = Values>(
  model: Model,
  target: Target,
  reads: R,
  shape: ResponseShape,
  decide: (before: StoredRecord<V>, context: RuleContext<R>) => Decision | Refusal,
  { complete, confirm }: Omit<PlanAdditions, 'reads'> = {},
): Plan<'action'> {
  return definePlan<'action', R>({
    kind: 'action',
    model,
    lock: model.statements.lock(target),
    reads,
    decide(context, before) {
      const decided = decide(before as StoredRecord<V>, context);
      if (decided instanceof Refusal) return decided;
      const outcome = applyDecision(model, target.organizationId, before, decided, stampOf(context), shape);
      return complete?.(outcome, before.id, context.instant) ?? outcome;
    },
    replay: replayOf(model, target),
    confirm: confirm ?? null,
  });
}

/**
 * Plans the deletion of a record.
 * @param keepSeconds how long it is kept in the trash; 0: it is not
 */
export function planDelete(model: Model, target: Target, keepSeconds = 0): Plan<'delete'> {
  const { rules } = model;
  return definePlan({
    kind: 'delete',
    model,
    lock: model.statements.lock(target),
    reads: { rules: rules.removalReads?.(target) },
    decide(context, before) {
      const inContext = ruleContext(context);
      const also = rules.remove?.(before, inContext) ?? [];
      if (also instanceof Refusal) return also;
      const stamp = stampOf(context);
      const { steps, events } = applyRemoval(model, target.organizationId, before, also, stamp, keepSeconds);
      return {
        steps,
        events: [...events, ...(rules.removalEvents?.(before, inContext) ?? [])],
        response: { status: 204, location: null, etag: null, body: null },
        shown: { recordId: before.id, as: 'other' },
        publishes: publishedBy(model, before.values, null),
      };
    },
    replay: { ...replayOf(model, target), show: null },
    usages: () => usageSteps(model.resource, target.organizationId, target),
    users: () => namingSteps(model.resource, target.organizationId, target),
  });
}

/** The values of a new record, completed and checked by its resource's rules. */
function decideCreate(model: Model, given: Values, context: RuleContext): Values | Refusal {
  const { resource, rules, recordRules } = model;
  const complete = withDefaults(resource, given);
  const refused = problemOf(checkInitial(resource, complete));
  if (refused !== null) return new Refusal(refused);
  const created = rules.create === undefined ? complete : rules.create(complete, context);
  if (created instanceof Refusal) return created;
  const values = recordRules.derive?.(created, context.actor.country) ?? created;
  return refusalOf(recordRules.check?.(values) ?? []) ?? values;
}

/** The result of a patch by the rules of its resource. */
function decideUpdate(
  model: Model,
  before: StoredRecord,
  { values: patch }: Input,
  context: RuleContext,
): Decision | Refusal {
  const { resource, rules, recordRules } = model;
  const patched = mergeValues(resource, before.values, patch);
  const incomplete = refusalOf(findMissingMembers(resource, patch, patched));
  if (incomplete !== null) return incomplete;
  const merged = recordRules.derive?.(patched, context.actor.country) ?? patched;
  const transitions = checkTransitions(resource, before.values, merged);
  if (transitions.refused !== null) return new Refusal(transitions.refused, transitions.publishes);
  const decided = rules.update?.(before, patch, merged, context) ?? {
    values: merged,
    events: [eventOfChange(resource, before.values, merged)],
  };
  const soFar = [
    ...publishedByBody(resource, before.values, patch),
    ...transitions.publishes,
    ...(decided.publishes ?? []),
  ];
  if (decided instanceof Refusal) return new Refusal(decided.problem, soFar);
  const publishes = [...soFar, ...publishedBy(model, before.values, decided.values)];
  return refusalOf(recordRules.check?.(decided.values) ?? [], publishes) ?? { ...decided, publishes };
}

function refusalOf(faults: readonly Fault[], publishes: readonly Publishable[] = []): Refusal | null {
  const problem = problemOf(faults);
  return problem === null ? null : new Refusal(problem, publishes);
}

/** Applies a patch: objects merge, everything else is replaced; null clears. */
function mergeValues(resource: Resource, before: Values, patch: Values): Values {
  const merged = { ...before };
  for (const [name, field] of flattenFields(resource)) {
    const given = patch[name];
    if (given === undefined) continue;
    const schema = field.schema as JsonSchema;
    merged[name] =
      given !== null && schema.type === 'object'
        ? completeObject(schema, applyMergePatch(before[name] ?? {}, given) as Record<string, unknown>)
        : given;
  }
  return merged;
}

/**
 * The outcome of a decision: the changed record, its events and the response. A decision that changes nothing writes
 * nothing.
 */
function applyDecision(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  decision: Decision,
  stamp: Stamp,
  shape: ResponseShape,
): Outcome {
  const { after, steps, events } = applyChange(model, organizationId, before, decision, stamp);
  const target = { organizationId, userId: stamp.userId, parentId: before.parentId, id: before.id };
  return {
    steps,
    events,
    response: recordResponse(model.resource, after, 200, shape),
    shown: shownRecord(model.resource, after.id),
    publishes: decision.publishes ?? [],
    explainConflict: (constraint) => findUniqueConflict(model, target, after.values, constraint),
  };
}

/** That a response shows a record, which is rendered again if its changes are stored. */
export function shownRecord(resource: Resource, recordId: string): Shown {
  return { recordId, as: hasHistory(resource) ? 'record' : 'other' };
}

/** The response that shows a record. */
export function recordResponse(
  resource: Resource,
  record: StoredRecord,
  status: 200 | 201,
  shape: ResponseShape,
): StoredResponse {
  return {
    status: shape.minimal && status === 200 ? 204 : status,
    location: status === 201 || shape.minimal ? recordPath(resource, record.parentId, record.id) : null,
    etag: entityTag(record.version),
    body: shape.minimal ? null : JSON.stringify(renderRecord(resource, record)),
  };
}

function planParent(models: Models, resource: Resource, place: Omit<Target, 'id'>): ParentRead | null {
  if (resource.parent === null || place.parentId === null) return null;
  const parent = modelOf(models, resource.parent.resource);
  const target = { ...place, parentId: null, id: place.parentId };
  return { step: parent.statements.read(target, 'working', 'narrow'), storage: parent.storage };
}

/** How the response about an existing record is replayed. */
export function replayOf(model: Model, target: Target): ReplayPlan {
  return {
    visibility: () => visibilityReads(model, target),
    show: (_recordId, response) => viewRecord(model, target, response),
  };
}

/** Reads a record with and without the caller's restrictions; null for resources that are visible to all members. */
export function visibilityReads(
  { statements, rules: { seeAll } }: Model,
  target: Target,
): VisibilityReads | null {
  if (seeAll === undefined) return null;
  const read = statements.read(target, 'working', 'narrow');
  return { visible: read, existing: [step(seeAll), read] };
}

/** The record that a response shows, at its version. Who may see it now is decided before, and has seen it then. */
export function viewRecord(
  { resource, storage, statements, rules: { seeAll } }: Model,
  target: Target,
  { etag }: StoredResponse,
): RecordView {
  const version = etag === null ? null : versionOf(etag);
  const read = statements.read(target, 'working', 'full');
  return {
    steps:
      version === null
        ? [read]
        : [
            read,
            ...(seeAll === undefined ? [] : [step(seeAll)]),
            changesSince(target.organizationId, target.id, version),
          ],
    render([found, ...more]) {
      const [row] = found?.rows ?? [];
      if (row === undefined) throw new Error('a record that is gone is not rendered');
      const current = decodeRecord(storage, row);
      const record = (version === null ? null : recordAsOf(current, more.at(-1), version)) ?? current;
      return { etag: entityTag(record.version), body: JSON.stringify(renderRecord(resource, record)) };
    },
  };
}

function ruleContext({
  rows,
  ...context
}: PlanContext<TokenKind, { readonly rules: Reads | undefined }>): RuleContext {
  return { ...context, rows: rows.rules ?? {} };
}

export function stampOf({ instant, actor }: Pick<RuleContext, 'instant' | 'actor'>): Stamp {
  const isOperator = actor === operator;
  return { instant, userId: isOperator ? null : actor.userId, clientId: isOperator ? null : actor.clientId };
}
