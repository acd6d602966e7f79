/**
 * Changes of a person's sessions and credentials. Like a write of the pipeline, each is one transaction of two batches: locked reads, a
 * decision, then the writes with their events. Changes of one person are serialized.
 */
import type { Step, StepResult } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { nameResults, type Reads, type ResultsOf, stepsOf } from '../../kernel/database/reads.ts';
import { lockVersionStep, readLockedVersion } from './credential-version.ts';
import type { PersonEventContext } from './person-events.ts';

/** A change of one person. */
export interface PersonChange<R extends Reads, T> {
  /** Uuid. */
  readonly userId: string;
  readonly requestId: string;
  /** Whether an operator changes it instead of the person. */
  readonly isByOperator?: boolean;
  /** The reads for the decision; their locks keep the results valid. */
  readonly reads: R;
  /** Decides on the writes. @throws Problem for a refusal, which also rolls back the effects of the reads */
  decide(found: PersonState<R>): PersonOutcome<T>;
}

/** The input of a decision. */
interface PersonState<R extends Reads> {
  readonly rows: ResultsOf<R>;
  /** The credential version. */
  readonly version: number;
  readonly context: PersonEventContext;
}

/** A decision, ready to be written. */
interface PersonOutcome<T> {
  readonly steps: readonly Step[];
  /** The result for the caller, made of the results of the steps. */
  result(written: readonly StepResult[]): T;
}

/** Carries a change out, as the role that signs people in. */
export function changePerson<R extends Reads, T>(
  auth: Database,
  { userId, requestId, isByOperator = false, reads, decide }: PersonChange<R, T>,
): Promise<T> {
  const first = [lockVersionStep(userId), ...stepsOf(reads)];
  return auth.backgroundTransaction(first, async ([locked, ...results], transaction) => {
    const { version, instant } = readLockedVersion(locked);
    const context = { userId, actorId: isByOperator ? null : userId, requestId, instant };
    const { steps, result } = decide({ rows: nameResults(reads, results), version, context });
    return result(await transaction.commit(steps));
  });
}
