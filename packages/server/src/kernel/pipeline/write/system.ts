/**
 * Writes by the system: a text was extracted, a timed change is due. They are plans of the kind `system`, carried out
 * by the same pipeline as requests.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Step } from '../../database/batch.ts';
import type { Reads, ResultsOf } from '../../database/reads.ts';
import type { Decision, Model } from '../model.ts';
import { definePlan } from './define-plan.ts';
import type { Outcome, Plan, WriteContext } from './plan.ts';
import { applyChange, applyRemoval } from './steps/change.ts';
import { write } from './write.ts';

/** A change by the system. */
export interface SystemWrite<R extends Reads = Reads> {
  readonly organizationId: string;
  readonly parentId: string | null;
  readonly id: string;
  readonly model: Model;
  /** The request id in the events. */
  readonly requestId: string;
  /** Additional rows that the decision needs. */
  readonly reads: R;
  /** Decides the change of the record, with further steps of the same transaction; null changes nothing. */
  decide(before: StoredRecord, instant: string, rows: ResultsOf<R>): SystemOutcome | null;
}

/** The new state. `remove`: the record is deleted; only for resources whose deletion changes no other records. */
export interface SystemOutcome {
  readonly decision: Decision | 'remove';
  readonly steps: readonly Step[];
}

/**
 * Carries out the change.
 * @returns whether anything was written; not if the record was deleted or `decide` returned null
 */
export async function writeAsSystem<R extends Reads>(
  context: WriteContext,
  change: SystemWrite<R>,
): Promise<boolean> {
  const { organizationId, requestId } = change;
  try {
    const scope = { organizationId, userId: null };
    return await write(context, { scope, requestId, plan: planSystemWrite(change), token: null });
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false;
    throw error;
  }
}

function planSystemWrite<R extends Reads>(change: SystemWrite<R>): Plan<'system'> {
  const { organizationId, parentId, id, model, reads } = change;
  return definePlan<'system', R>({
    kind: 'system',
    model,
    lock: model.statements.lock({ organizationId, userId: null, parentId, id }),
    reads,
    decide({ instant, rows }, before) {
      const decided = change.decide(before, instant, rows);
      if (decided === null) return { steps: [], events: [] };
      const stamp = { instant, userId: null, clientId: null };
      const { steps, events }: Pick<Outcome, 'steps' | 'events'> =
        decided.decision === 'remove'
          ? applyRemoval(model, organizationId, before, [], stamp)
          : applyChange(model, organizationId, before, decided.decision, stamp);
      return { steps: [...decided.steps, ...steps], events };
    },
  });
}
