/**
 * Steps as a distributed database (Citus) executes them: joined steps one by one, and the distributed forms of the statements that have them.
 * See docs/decisions/0111-distribution-by-citus.md.
 */
import { type Step, type StepResult, step } from '../batch.ts';
import { namedOrganization } from '../scope.ts';

/** What is sent for steps. */
export interface DistributedSteps {
  readonly steps: readonly Step[];
  /** For each of the original steps, the place of its result. */
  readonly places: readonly number[];
}

/** The steps in the forms of a distributed database. A joined step has the result of the first of its steps. */
export function distributedSteps(steps: readonly Step[]): DistributedSteps {
  const organization = namedOrganization(steps);
  const sent: Step[] = [];
  const places = steps.map((original) => {
    const [first = -1] = (original.joined ?? [original]).map((one) => {
      sent.push(...formsOf(one, organization));
      return sent.length - 1;
    });
    return first;
  });
  return { steps: sent, places };
}

function formsOf(original: Step, organization: string | null): readonly Step[] {
  const { distributed } = original.statement;
  if (distributed === undefined) return [original];
  return distributed.map(({ statement, parameters }) =>
    step(
      statement,
      parameters.map((number) => (number === 0 ? organization : (original.values[number - 1] ?? null))),
    ),
  );
}

/** The results of the original steps; fewer, if those of the steps behind a COMMIT are missing. */
export function resultsOf({ places }: DistributedSteps, results: readonly StepResult[]): StepResult[] {
  return places.flatMap((place) => results[place] ?? []);
}
