/** Step 7: what a decision writes: the record at its next version, what search knows of it, and further records. */

import { changedFields, type StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Step } from '../../database/batch.ts';
import { eraseStep } from '../answer-erasure.ts';
import type { Decision, FurtherChange, Model } from '../model.ts';
import { removeSearchEntry, searchEntrySteps } from '../search-entries.ts';
import { eventOf } from './append-event.ts';
import { onlyIfTaken } from './kinds.ts';
import type { Outcome, Plan } from './plan.ts';

/** The steps of an outcome. */
export function change({ kind }: Plan, { steps }: Outcome): readonly Step[] {
  return onlyIfTaken(kind, 'change', steps);
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

/** What the creation of a record writes, and the event of it. */
export function applyCreation(model: Model, organizationId: string, after: StoredRecord): Applied {
  return {
    after,
    steps: [
      ...model.storage.insert({ organizationId, before: null, after }),
      ...searchEntrySteps(model, organizationId, null, after),
    ],
    events: [eventOf(model, after, 'created', changedFields(model.resource, {}, after.values))],
  };
}

/** What a decision writes, with its events and the further changes that it brings; nothing where no field changes. */
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
    // The clock was read before this record was waited for, when it is not the one that was asked for.
    updatedAt: stamp.instant > before.updatedAt ? stamp.instant : before.updatedAt,
    updatedBy: stamp.userId,
    values: decision.values,
  };
  return {
    after,
    steps: [
      ...also.steps,
      ...storage.update({ organizationId, before, after }),
      ...searchEntrySteps(model, organizationId, before, after),
    ],
    events: [...also.events, ...decision.events.map((what) => eventOf(model, after, what, changed))],
  };
}

/** What the removal of a record writes, with its event and the changes of other records that it brings. */
export function applyRemoval(
  model: Model,
  organizationId: string,
  before: StoredRecord,
  further: readonly FurtherChange[],
  stamp: Stamp,
): Pick<Outcome, 'steps' | 'events'> {
  const also = applyFurther(organizationId, further, stamp);
  const removed = { ...before, version: before.version + 1, updatedAt: stamp.instant };
  return {
    steps: [
      ...also.steps,
      removeSearchEntry(model.resource, organizationId, before.id),
      eraseStep(organizationId, before.id),
      ...model.storage.remove(organizationId, before),
    ],
    events: [...also.events, eventOf(model, removed, 'deleted', [])],
  };
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
