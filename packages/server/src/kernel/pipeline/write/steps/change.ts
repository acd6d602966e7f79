/** The step `change`: the record at its next version, its search entries, and changes of other records. */

import { hasHistory } from '@trellis/schema/resources/resource.ts';
import { changedFields, type StoredRecord } from '@trellis/schema/validation/values.ts';
import { toInstant } from '@trellis/schema/values/clock.ts';
import type { Step } from '../../../database/batch.ts';
import { indexJobsStep } from '../../../identity/index-jobs.ts';
import { changeStep, fieldChanges, type RecordChange } from '../../changes.ts';
import type { Decision, FurtherChange, Model } from '../../model.ts';
import { removeSearchEntries, restoredEntrySteps, searchEntrySteps } from '../../search/entries.ts';
import { eraseSteps } from '../erasure.ts';
import type { WriteKind } from '../kinds.ts';
import type { Outcome } from '../plan.ts';
import { eventsOfPublished } from '../transitions.ts';
import { eventOf } from './append-event.ts';

/** The steps of an outcome. */
export function change({ steps }: Outcome<WriteKind>): readonly Step[] {
  return steps;
}

/** A change, ready to be written. */
export interface Applied extends Pick<Outcome, 'steps' | 'events'> {
  readonly after: StoredRecord;
}

/** Time and author of the change; null: the system, or an operator. */
export interface Stamp {
  /** RFC 3339. */
  readonly instant: string;
  readonly userId: string | null;
  /** Of the token; null for the system, and for operators. */
  readonly clientId: string | null;
}

/** The steps that create a record, and their event. */
export function applyCreation(model: Model, organizationId: string, after: StoredRecord): Applied {
  return {
    after,
    steps: [
      ...model.storage.insert({ organizationId, before: null, after }),
      ...searchSteps(model, organizationId, after, searchEntrySteps(model, organizationId, null, after)),
    ],
    events: [eventOf(model, after, 'created', changedFields(model.resource, {}, after.values))],
  };
}

/** A record that is restored from the trash. */
export interface Restored {
  readonly after: StoredRecord;
  /** The record with its published version; null without one. */
  readonly published: StoredRecord | null;
  readonly clientId: string | null;
}

/**
 * The steps that restore a record from the trash, and their events.
 * @param before the record as it was deleted
 */
export function applyRestoration(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  { after, published, clientId }: Restored,
): Applied {
  const { storage, trash } = model;
  if (trash === null) throw new Error(`${model.resource.name} has no trash`);
  return {
    after,
    steps: [
      ...(storage.restore?.({ organizationId, before, after }) ??
        storage.insert({ organizationId, before: null, after })),
      ...changeSteps(model, organizationId, before, after, { action: 'restored', clientId }),
      ...searchSteps(
        model,
        organizationId,
        after,
        restoredEntrySteps(model, organizationId, after, published),
      ),
      ...trash.remove({ organizationId, id: after.id }),
    ],
    events: [
      eventOf(model, after, 'restored', changedFields(model.resource, {}, after.values)),
      // Readers see it again.
      ...eventsOfPublished(model, after.values).reached.map((what) => eventOf(model, after, what, [])),
    ],
  };
}

/** The steps of a decision, with its events and the changes of other records; none if no field changes. */
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
  const also = applyFurther(organizationId, decision.also ?? [], stamp);
  const after: StoredRecord = {
    ...before,
    version: before.version + 1,
    // For a record other than the requested one, the clock was read before waiting for the record's lock.
    updatedAt: stamp.instant > before.updatedAt ? stamp.instant : before.updatedAt,
    updatedBy: stamp.userId,
    values: decision.values,
  };
  return {
    after,
    steps: [
      ...also.steps,
      // Before the record, so that both are one statement where the record's first step is joinable.
      ...changeSteps(model, organizationId, before, after, { action: 'updated', clientId: stamp.clientId }),
      ...storage.update({ organizationId, before, after }),
      ...searchSteps(model, organizationId, after, searchEntrySteps(model, organizationId, before, after)),
    ],
    events: [...also.events, ...decision.events.map((what) => eventOf(model, after, what, changed))],
  };
}

/**
 * The steps that delete a record, with its events and the changes of other records.
 * @param keepSeconds how long the record is kept in the trash; 0: it is not
 */
export function applyRemoval(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  further: readonly FurtherChange[],
  stamp: Stamp,
  keepSeconds = 0,
): Pick<Outcome, 'steps' | 'events'> {
  const also = applyFurther(organizationId, further, stamp);
  const removed = {
    ...before,
    version: before.version + 1,
    updatedAt: stamp.instant,
    updatedBy: stamp.userId,
  };
  const isKept = keepSeconds > 0;
  return {
    steps: [
      ...also.steps,
      ...(isKept
        ? [
            ...changeSteps(model, organizationId, before, removed, {
              action: 'deleted',
              clientId: stamp.clientId,
            }),
            ...keepSteps(model, organizationId, before, stamp, keepSeconds),
          ]
        : eraseSteps(model, organizationId, before.id)),
      ...searchSteps(model, organizationId, before, [
        ...removeSearchEntries(model.resource, organizationId, before.id),
      ]),
      ...model.storage.remove(organizationId, before),
    ],
    events: [
      ...also.events,
      ...eventsOfPublished(model, before.values).left.map((what) => eventOf(model, removed, what, [])),
      eventOf(model, removed, 'deleted', []),
    ],
  };
}

/** The steps that copy a record into the trash; none if the resource has none. */
function keepSteps(
  { trash, rules }: Model,
  organizationId: string,
  record: StoredRecord,
  { instant, userId }: Stamp,
  seconds: number,
): Step[] {
  const over = toInstant(Date.parse(instant) + seconds * 1_000);
  const latest = rules.keptUntil?.(record.values) ?? over;
  return (
    trash?.keep(organizationId, record, {
      userId,
      deletedAt: instant,
      purgeAt: latest < over ? latest : over,
      readers: rules.readers?.(record.values) ?? null,
      sha256: rules.contentOf?.(record.values) ?? null,
    }) ?? []
  );
}

/** The step that stores what a change has replaced; none for resources without a history. */
function changeSteps(
  { resource, rules }: Model,
  organizationId: string,
  before: StoredRecord,
  after: StoredRecord,
  { action, clientId }: Pick<RecordChange, 'action' | 'clientId'>,
): Step[] {
  if (!hasHistory(resource)) return [];
  // Readers of events only, where every member who may read the resource reads all records, are no readers of the record.
  const readersOf = ({ values }: StoredRecord) =>
    rules.seeAll === undefined ? null : (rules.readers?.(values) ?? null);
  const change: RecordChange = {
    recordId: after.id,
    version: after.version,
    changedAt: after.updatedAt,
    changedBy: after.updatedBy,
    clientId,
    action,
    fields: fieldChanges(resource, before.values, after.values),
  };
  return [changeStep(organizationId, change, { before: readersOf(before), after: readersOf(after) })];
}

/** The steps that write the search entries of a record, or a step that defers them to the indexer. */
function searchSteps(
  { resource, isIndexedLater = false }: Model,
  organizationId: string,
  { id }: StoredRecord,
  steps: Step[],
): Step[] {
  return isIndexedLater && steps.length > 0
    ? [indexJobsStep(organizationId, resource.singular, [id])]
    : steps;
}

function applyFurther(
  organizationId: string,
  changes: readonly FurtherChange[],
  stamp: Stamp,
): Pick<Outcome, 'steps' | 'events'> {
  const applied = changes.map(({ model, before, decision }) =>
    applyChange(model, organizationId, before, decision, stamp),
  );
  return {
    steps: applied.flatMap(({ steps }) => steps),
    events: applied.flatMap(({ events }) => events),
  };
}
