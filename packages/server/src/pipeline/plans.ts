/** The plans of create, update, delete and actions, for all resources. What is particular comes from the model's rules. */

import { Problem } from '@trellis/schema/problem.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import {
  completeObject,
  findMissingMembers,
  type Input,
  withDefaults,
} from '@trellis/schema/validation/input.ts';
import {
  changedFields,
  renderRecord,
  type StoredRecord,
  type Values,
} from '@trellis/schema/validation/values.ts';
import { decodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { applyMergePatch } from '@trellis/schema/values/merge-patch.ts';
import { makeSlug } from '@trellis/schema/values/slug.ts';
import { type Statement, type Step, type StepResult, step } from '../database/flight.ts';
import { textArray } from '../database/values.ts';
import type { DomainEvent } from '../events/append.ts';
import { eraseStep } from './answer-erasure.ts';
import { findHolder } from './holders.ts';
import type { StoredResponse } from './idempotency.ts';
import { takeTurn } from './locks.ts';
import type { Decision, FurtherChange, Model, Models, RuleContext } from './model.ts';
import { modelOf } from './model.ts';
import { checkInitial, checkMoves, checkSeen, eventOfChange } from './moves.ts';
import { entityTag } from './precondition.ts';
import { checkReferences } from './references.ts';
import { removeSearchEntry, searchEntrySteps } from './search-entries.ts';
import { columnName, decodeRecord, type Target } from './storage.ts';
import type { Outcome, Plan, ShowAgain } from './write.ts';

/** How the response is to look: `Prefer: return=minimal` leaves the body out (RFC 7240). */
export interface ResponseShape {
  readonly minimal: boolean;
}

const noReferences = { steps: [], judge: () => undefined };

/** Plans the creation of a record. */
export function planCreate(
  models: Models,
  model: Model,
  place: Omit<Target, 'id'>,
  input: Input,
  shape: ResponseShape,
): Plan {
  const { resource, storage, rules } = model;
  const { organizationId, parentId } = place;
  const id = newUuid();
  const slug = planSlug(model, place, input);
  const gather = [...slug.steps, ...(rules.gather?.({ ...place, id: null }, input) ?? [])];
  let decided: Values = input.values;
  return {
    model,
    operation: 'create',
    lock: [],
    parent: planParent(models, resource, place),
    references: checkReferences(organizationId, parentId, input.references),
    gather,
    decide(context) {
      const given = { ...input.values, ...slug.choose(context.gathered.slice(0, slug.steps.length)) };
      const ruled = { ...context, gathered: context.gathered.slice(slug.steps.length) };
      const complete = withDefaults(resource, given);
      refuseFaults(checkInitial(resource, complete));
      const created = rules.create?.(complete, ruled) ?? complete;
      const values = rules.derive?.(created, ruled) ?? created;
      decided = values;
      refuseFaults(rules.check?.(values, ruled) ?? []);
      const after: StoredRecord = {
        id,
        parentId,
        version: 1,
        createdAt: context.instant,
        updatedAt: context.instant,
        createdBy: context.actor.userId,
        updatedBy: context.actor.userId,
        values,
      };
      const changed = changedFields(resource, {}, values);
      return {
        steps: [
          ...storage.insert({ organizationId, before: null, after }),
          ...searchEntrySteps(model, organizationId, null, after),
        ],
        events: [eventOf(model, after, 'created', changed)],
        response: recordResponse(resource, after, 201, shape),
        shown: { recordId: id, as: 'changed' },
      };
    },
    showAgain: (recordId) => showAgain(model, { ...place, id: recordId }),
    lookAgain({ location }) {
      const created = decodeId(resource.idPrefix, location?.split('/').at(-1) ?? '');
      return created === null ? [] : lookAgain(model, { ...place, id: created });
    },
    findHolder: (constraint) => findHolder(model, { ...place, id }, decided, constraint),
    usage: () => [],
  };
}

/** Plans a merge patch (RFC 7396) of a record. */
export function planUpdate(model: Model, target: Target, input: Input, shape: ResponseShape): Plan {
  const { resource, rules } = model;
  let decided: Values = input.values;
  return {
    model,
    operation: 'update',
    lock: model.statements.lock(target),
    parent: null,
    references: checkReferences(target.organizationId, target.parentId, input.references),
    gather: rules.gather?.(target, input) ?? [],
    decide(context, before) {
      if (before === null) throw new Problem('not_found');
      const patched = mergeValues(resource, before.values, input.values);
      refuseFaults(findMissingMembers(resource, input.values, patched));
      const merged = rules.derive?.(patched, context) ?? patched;
      decided = merged;
      checkMoves(resource, before.values, merged, context);
      const decision = rules.update?.(before, input.values, merged, context) ?? {
        values: merged,
        events: [eventOfChange(resource, before.values, merged)],
      };
      checkSeen(model, before.values, decision.values, context);
      refuseFaults(rules.check?.(decision.values, context) ?? []);
      return finishUpdate(model, target.organizationId, before, decision, context, shape);
    },
    showAgain: () => showAgain(model, target),
    lookAgain: () => lookAgain(model, target),
    findHolder: (constraint) => findHolder(model, target, decided, constraint),
    usage: () => [],
  };
}

/** Plans a change of a record that no body describes, such as restoring an old version. */
export function planAction(
  model: Model,
  target: Target,
  gather: readonly Step[],
  shape: ResponseShape,
  decide: (before: StoredRecord, context: RuleContext) => Decision,
): Plan {
  return {
    model,
    operation: 'update',
    lock: model.statements.lock(target),
    parent: null,
    references: noReferences,
    gather,
    decide(context, before) {
      if (before === null) throw new Problem('not_found');
      return finishUpdate(model, target.organizationId, before, decide(before, context), context, shape);
    },
    showAgain: () => showAgain(model, target),
    lookAgain: () => lookAgain(model, target),
    findHolder: () => null,
    usage: () => [],
  };
}

/** Plans the deletion of a record. */
export function planDelete(model: Model, target: Target): Plan {
  const { storage, rules } = model;
  return {
    model,
    operation: 'delete',
    lock: model.statements.lock(target),
    parent: null,
    references: noReferences,
    gather: rules.gatherForRemove?.(target) ?? [],
    decide(context, before) {
      if (before === null) throw new Problem('not_found');
      checkSeen(model, before.values, null, context);
      const also = rules.remove?.(before, context) ?? [];
      return {
        ...applyRemoval(model, target.organizationId, before, also, stampOf(context)),
        response: { status: 204, location: null, etag: null, body: null },
        shown: { recordId: before.id, as: 'other' },
      };
    },
    lookAgain: () => lookAgain(model, target),
    findHolder: () => null,
    usage: () => storage.usage(target.organizationId, target),
  };
}

/** A record as the caller sees it, then as it is; nothing where that is the same for all. See `Plan`. */
function lookAgain({ statements, rules: { seeAll } }: Model, target: Target): Step[] {
  if (seeAll === undefined) return [];
  const look = statements.read(target, 'working', 'narrow');
  return [look, step(seeAll), look];
}

/** The record as the caller sees it now, as the body of a response. */
function showAgain({ resource, storage, statements }: Model, target: Target): ShowAgain {
  return {
    step: statements.read(target, 'working', 'full'),
    render(row) {
      const record = decodeRecord(storage, row);
      return { etag: entityTag(record.version), body: JSON.stringify(renderRecord(resource, record)) };
    },
  };
}

/** The changed record, its search entry, its events and the response; nothing of these when nothing changed. */
function finishUpdate(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  decision: Decision,
  context: RuleContext,
  shape: ResponseShape,
): Outcome {
  const { after, steps, events } = applyChange(model, organizationId, before, decision, stampOf(context));
  return {
    steps,
    events,
    response: recordResponse(model.resource, after, 200, shape),
    shown: { recordId: after.id, as: after === before ? 'unchanged' : 'changed' },
  };
}

/** A change, ready to be written. */
export interface Applied extends Pick<Outcome, 'steps' | 'events'> {
  readonly after: StoredRecord;
}

/** When a change is made, and by whom; null: by the system itself. */
export interface Stamp {
  /** RFC 3339. */
  readonly instant: string;
  readonly userId: string | null;
}

function stampOf({ instant, actor }: RuleContext): Stamp {
  return { instant, userId: actor.userId };
}

/** What a decision writes and tells of, with the further changes that it brings. */
export function applyChange(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  decision: Decision,
  stamp: Stamp,
): Applied {
  const { resource, storage } = model;
  const changed = changedFields(resource, before.values, decision.values);
  if (changed.length === 0) return { after: before, steps: [], events: [] };
  const also = (decision.also ?? []).map((change) =>
    applyChange(change.model, organizationId, change.before, change.decision, stamp),
  );
  const after: StoredRecord = {
    ...before,
    version: before.version + 1,
    // The clock was read before this record was waited for, when it is not the one that was asked for.
    updatedAt: stamp.instant > before.updatedAt ? stamp.instant : before.updatedAt,
    updatedBy: stamp.userId,
    values: decision.values,
  };
  return {
    after,
    steps: [
      ...also.flatMap(({ steps }) => steps),
      ...storage.update({ organizationId, before, after }),
      ...searchEntrySteps(model, organizationId, before, after),
    ],
    events: [
      ...also.flatMap(({ events }) => events),
      ...decision.events.map((what) => eventOf(model, after, what, changed)),
    ],
  };
}

/** What the removal of a record writes and tells of, with the changes of other records that it brings. */
export function applyRemoval(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  further: readonly FurtherChange[],
  stamp: Stamp,
): Pick<Outcome, 'steps' | 'events'> {
  const also = further.map((change) =>
    applyChange(change.model, organizationId, change.before, change.decision, stamp),
  );
  const removed = { ...before, version: before.version + 1, updatedAt: stamp.instant };
  return {
    steps: [
      ...also.flatMap(({ steps }) => steps),
      removeSearchEntry(model.resource, organizationId, before.id),
      eraseStep(organizationId, before.id),
      ...model.storage.remove(organizationId, before),
    ],
    events: [...also.flatMap(({ events }) => events), eventOf(model, removed, 'deleted', [])],
  };
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

function eventOf(
  { resource, rules }: Model,
  record: StoredRecord,
  what: string,
  changed: readonly string[],
): DomainEvent {
  return {
    type: `${resource.singular}.${what}`,
    subjectType: resource.singular,
    subjectId: record.id,
    parentId: record.parentId,
    subjectVersion: record.version,
    changedFields: changed,
    readers: rules.readers?.(record.values) ?? null,
    occurredAt: record.updatedAt,
  };
}

function recordResponse(
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

function planParent(models: Models, resource: Resource, place: Omit<Target, 'id'>): Plan['parent'] {
  if (resource.parent === null || place.parentId === null) return null;
  const parent = modelOf(models, resource.parent.resource);
  const target = { ...place, parentId: null, id: place.parentId };
  return { step: parent.statements.read(target, 'working', 'narrow'), storage: parent.storage };
}

interface SlugPlan {
  readonly steps: readonly Step[];
  /** The first free candidate, as a value to add. */
  choose(rows: readonly StepResult[]): Values;
}

/**
 * Plans a slug for a record that was given none: the title's own, or with the next small number, or with random letters.
 * Creates that want the same slug take turns (a lock until the commit), so the choice cannot be overtaken.
 */
function planSlug(model: Model, place: Omit<Target, 'id'>, input: Input): SlugPlan {
  const rule = model.rules.slug;
  if (rule === undefined || (input.values[rule.field] ?? null) !== null)
    return { steps: [], choose: () => ({}) };
  const { resource } = model;
  const title = input.values[rule.from];
  const longest = rule.maxLength - 9;
  const base = makeSlug(typeof title === 'string' ? title : '', longest) || resource.singular;
  const random = newUuid().slice(-8);
  const candidates = [
    base,
    ...Array.from({ length: 8 }, (_, index) => `${base}-${index + 2}`),
    `${base}-${random}`,
  ];
  const column = columnName(rule.field);
  const within = resource.parent === null ? '' : ` AND ${resource.parent.column} = $3`;
  const taken: Statement = {
    name: `taken_slugs_${resource.name}`,
    text: `SELECT ${column} FROM trellis.${resource.table} WHERE organization_id = $1 AND ${column} = ANY ($2)${within}`,
  };
  const values = [
    place.organizationId,
    textArray(candidates),
    ...(place.parentId === null ? [] : [place.parentId]),
  ];
  return {
    steps: [takeTurn(place.organizationId, place.parentId ?? '', resource.name, base), step(taken, values)],
    choose(rows) {
      const used = new Set(rows[1]?.rows.map(([slug]) => slug));
      return { [rule.field]: candidates.find((candidate) => !used.has(candidate)) ?? `${base}-${random}` };
    },
  };
}
