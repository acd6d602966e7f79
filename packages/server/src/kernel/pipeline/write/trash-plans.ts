/**
 * The plans of the trash: restoring a record, and purging it by a request or when its time is over. The record is locked in the trash instead of in
 * its table, and written with the steps of every other write.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { withDefaults } from '@trellis/schema/validation/defaults.ts';
import {
  type ReferenceUse,
  referencesIn,
  type StoredRecord,
  type Values,
  withoutReferences,
} from '@trellis/schema/validation/values.ts';
import { decodeId, encodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../database/batch.ts';
import { setLocal } from '../../database/scope.ts';
import { textArray, uuidArray } from '../../database/values.ts';
import { findGrant } from '../../identity/actor.ts';
import { type Model, type Models, modelOf } from '../model.ts';
import { decodeRecord, type Target } from '../storage.ts';
import type { TrashKey, TrashStatements } from '../trash.ts';
import { definePlan } from './define-plan.ts';
import { eraseSteps } from './erasure.ts';
import type { StoredResponse } from './idempotency/idempotency.ts';
import type { LossExplanation, Outcome, Plan } from './plan.ts';
import {
  type ResponseShape,
  recordResponse,
  shownRecord,
  stampOf,
  viewRecord,
  visibilityReads,
} from './plans.ts';
import { eventOf } from './steps/append-event.ts';
import { applyRestoration, type Stamp } from './steps/change.ts';
import { planReferences } from './steps/check-references.ts';
import { publishedBy } from './transitions.ts';
import { findUniqueConflict } from './unique-conflicts.ts';

/** A record of the trash, and who restores or purges it. */
export type TrashTarget = Omit<Target, 'parentId'>;

/** The refusal of a restoration because of references to records that no longer exist anywhere, which can be cleared. */
export class LostReferences extends Problem {
  /** Uuids of the records. */
  readonly ids: ReadonlySet<string>;

  constructor(ids: ReadonlySet<string>, detail: string, errors: readonly Fault[]) {
    super('reference_gone', detail, { errors });
    this.ids = ids;
  }
}

/**
 * Plans the restoration of a record, with its id and all its versions.
 * @param lost uuids of records that no longer exist: references to them are cleared
 */
export function planRestore(
  models: Models,
  model: Model,
  target: TrashTarget,
  shape: ResponseShape,
  lost: ReadonlySet<string>,
): Plan<'action'> {
  const { resource } = model;
  const trash = trashOf(model);
  const liveTarget = ({ location }: StoredResponse): Target => ({
    ...target,
    parentId: parentIn(models, resource, location),
  });
  return definePlan({
    kind: 'action',
    model,
    lock: trash.lock(target),
    reads: { published: trash.readPublished?.(target) },
    decide(context, before) {
      const row = context.rows.published?.rows[0];
      const shown = row === undefined ? null : decodeRecord(model.storage, row);
      const mayPublish = !(findGrant(context.actor, rightFor(resource, 'publish')) instanceof Problem);
      const after = restored(model, before, shown?.values ?? null, mayPublish, lost, stampOf(context));
      // Its texts are those of the published version; everything else belongs to the record.
      const published = shown === null ? null : { ...after, values: shown.values };
      const place = { ...target, parentId: before.parentId };
      const { clientId } = stampOf(context);
      const { steps, events } = applyRestoration(model, target.organizationId, before, {
        after,
        published,
        clientId,
      });
      const outcome: Outcome<'action'> = {
        steps,
        events,
        response: {
          ...recordResponse(resource, after, 200, shape),
          location: recordPath(resource, after.parentId, after.id),
        },
        shown: shownRecord(resource, after.id),
        publishes: publishedBy(model, after.values, null),
        explainConflict: (constraint) => findUniqueConflict(model, place, after.values, constraint),
        explainLoss: explainLoss(models, model, place, [
          after.values,
          ...(shown === null ? [] : [shown.values]),
        ]),
      };
      return outcome;
    },
    replay: {
      visibility: (response) => visibilityReads(model, liveTarget(response)),
      show: (_recordId, response) => viewRecord(model, liveTarget(response), response),
      subject: (response) => model.statements.read(liveTarget(response), 'working', 'narrow'),
    },
    confirm: null,
  });
}

/** Plans the removal of a record from the trash for good. */
export function planPurge(model: Model, target: TrashTarget): Plan<'delete'> {
  const trash = trashOf(model);
  return definePlan({
    kind: 'delete',
    model,
    lock: trash.lock(target),
    reads: {},
    decide: ({ instant }, before) => ({
      steps: [...eraseSteps(model, target.organizationId, target.id), ...trash.remove(target)],
      events: [purged(model, before, instant)],
      response: { status: 204, location: null, etag: null, body: null },
      shown: { recordId: before.id, as: 'other' },
      // As at the deletion: restoring a published record requires the right to publish.
      publishes: publishedBy(model, before.values, null),
    }),
    replay: null,
  });
}

/** Plans the removal of a record whose time is over at the instant `now` (RFC 3339). */
export function planDuePurge(model: Model, key: TrashKey, now: string): Plan<'system'> {
  const trash = trashOf(model);
  return definePlan({
    kind: 'system',
    model,
    lock: trash.lockDue(key, now),
    reads: {},
    decide: ({ instant }, before) => ({
      steps: [...eraseSteps(model, key.organizationId, key.id), ...trash.remove(key)],
      events: [purged(model, before, instant)],
    }),
  });
}

function trashOf({ trash, resource }: Model): TrashStatements {
  if (trash === null) throw new Error(`${resource.name} has no trash`);
  return trash;
}

/** The version after that of the deletion, which its event has. */
function afterDeletion({ version }: StoredRecord): number {
  return version + 2;
}

function purged(model: Model, before: StoredRecord, instant: string) {
  return eventOf(model, { ...before, version: afterDeletion(before), updatedAt: instant }, 'purged', []);
}

/** The record as it is restored, at its next version. */
function restored(
  model: Model,
  before: StoredRecord,
  published: Values | null,
  mayPublish: boolean,
  lost: ReadonlySet<string>,
  { instant, userId }: Stamp,
): StoredRecord {
  const { resource, rules } = model;
  // A field that was added since the deletion has its default.
  const complete = withoutReferences(resource, withDefaults(resource, before.values), lost);
  const values =
    rules.restore?.(complete, { mayPublish, instant, published }) ??
    (mayPublish ? complete : withdraw(resource, complete));
  return { ...before, version: afterDeletion(before), updatedAt: instant, updatedBy: userId, values };
}

/** The values without a status that readers see: the first allowed one after it that they do not see, and that is no dead end. */
function withdraw(resource: Resource, values: Values): Values {
  const hidden: Values = {};
  for (const [name, { transitions }] of flattenFields(resource)) {
    const status = String(values[name]);
    if (transitions === null || !transitions.published.includes(status)) continue;
    const next = [...(transitions.allowed[status] ?? []), ...transitions.initial];
    const leadsOn = (other: string) => (transitions.allowed[other] ?? []).length > 0;
    hidden[name] = next.find((other) => !transitions.published.includes(other) && leadsOn(other));
  }
  return { ...values, ...hidden };
}

/** The parent in the path of a restored record; null for resources without one. */
function parentIn(models: Models, { parent }: Resource, location: string | null): string | null {
  if (parent === null) return null;
  const { idPrefix } = modelOf(models, parent.resource).resource;
  // /v1/magazines/mag_…/issues/iss_…
  return decodeId(idPrefix, location?.split('/').at(-3) ?? '');
}

const findInTrash: Statement = {
  name: 'find_in_trash',
  text: `SELECT resource, id FROM trellis.trash
    WHERE organization_id = $1 AND resource = ANY ($2) AND id = ANY ($3) AND purge_at > clock_timestamp()`,
};
/** Foreign keys see every record, so this check must as well: a record that is hidden from the caller still exists. */
const seeAll: Statement = {
  name: 'see_all_referenced_records',
  text: `SELECT ${setLocal('trellis.all_files', `'on'`)}`,
};

/** Finds which references of a record are lost: of its working and its published version, and its parent. */
function explainLoss(
  models: Models,
  { resource }: Model,
  { organizationId, parentId }: Pick<Target, 'organizationId' | 'parentId'>,
  versions: readonly Values[],
): LossExplanation {
  const { parent } = resource;
  const above =
    parent === null || parentId === null
      ? []
      : [{ resource: parent.resource, sameParent: false, id: parentId, pointer: `/${parent.parameter}` }];
  // Members may leave; their records stay.
  const uses = [...above, ...versions.flatMap((values) => referencesIn(resource, values))].filter(
    (use) => use.resource !== 'users',
  );
  const check = planReferences(organizationId, parentId, uses);
  const names = Object.keys(check.reads);
  const kinds = textArray([...new Set(uses.map((use) => use.resource))]);
  const ids = uuidArray([...new Set(uses.map(({ id }) => id))]);
  return {
    // A record in the trash that the caller may not see cannot be restored first, so it counts as missing.
    steps: [step(findInTrash, [organizationId, kinds, ids]), step(seeAll), ...Object.values(check.reads)],
    explain([inTrash, , ...found]) {
      const kept = new Set(inTrash?.rows.map(([name, id]) => `${name} ${id}`));
      const isKept = (use: ReferenceUse) => kept.has(`${use.resource} ${use.id}`);
      const lost = names.flatMap((name, index) => {
        const present = new Set(found[index]?.rows.map(([id]) => id));
        return (check.uses.get(name) ?? []).filter(({ id }) => !present.has(id));
      });
      if (lost.length === 0) return null;
      const errors = [...new Map(lost.map((use) => [use.pointer, use])).values()].map((use): Fault => {
        const shown = encodeId(modelOf(models, use.resource).resource.idPrefix, use.id);
        const place = { pointer: use.pointer, code: 'reference_gone' };
        return isKept(use)
          ? { ...place, detail: `The record ${shown} is in the trash. Restore it first.` }
          : { ...place, detail: `The record ${shown} no longer exists.` };
      });
      const detail = errors.map((fault) => fault.detail).join(' ');
      const isInTheWay = lost.some((use) => isKept(use) || above.some(({ id }) => id === use.id));
      return isInTheWay
        ? new Problem('reference_gone', detail, { errors })
        : new LostReferences(new Set(lost.map(({ id }) => id)), detail, errors);
    },
  };
}
