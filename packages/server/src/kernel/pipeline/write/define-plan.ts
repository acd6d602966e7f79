/** Makes plans of the form that the pipeline carries out. */

import type { Reads } from '../../database/reads.ts';
import type { WriteKind } from './kinds.ts';
import type { Plan, PlanDefinition } from './plan.ts';

/**
 * Checks the types of a plan and erases those of its reads, whose names the pipeline does not know, and of its caller and record,
 * which the steps of the kind guarantee.
 */
export function definePlan<K extends WriteKind, R extends Reads>(plan: PlanDefinition<K, R>): Plan<K> {
  return plan;
}
