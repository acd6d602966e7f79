/** The refusal of a change, by the rules of a resource or by a plan. */

import type { Problem } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';

/** A resource with its own right to publish. */
export type Publishable = Pick<Resource, 'name' | 'scope' | 'publishScope' | 'module'>;

/** A refused change. */
export class Refusal {
  readonly problem: Problem;
  /** Rights that the change would have required. A caller who lacks one gets the error for that instead. */
  readonly publishes: readonly Publishable[];

  constructor(problem: Problem, publishes: readonly Publishable[] = []) {
    this.problem = problem;
    this.publishes = publishes;
  }
}
