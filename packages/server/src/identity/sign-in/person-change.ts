/**
 * Changes of a person's sessions and credentials. Like a write of the pipeline, each is one transaction of two
 * batches: what is read, behind locks; a decision; and what is written, with its events. Changes of one person are made one
 * after the other.
 */
import { Problem } from '@trellis/schema/problem.ts';
import type { Step, StepResult } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { nameResults, type Reads, type ResultsOf, stepsOf } from '../../database/reads.ts';
import { uuidArray } from '../../database/values.ts';
import { lockVersionStep, readLockedVersion } from './credential-version.ts';
import {
  findOrganizations,
  namedOrganizations,
  namedOrganizationsStep,
  type OrganizationsOfPerson,
} from './organizations-of-person.ts';
import type { PersonEventContext } from './person-events.ts';

/** A change of one person. */
export interface PersonChange<R extends Reads, T> {
  /** Uuid. */
  readonly userId: string;
  readonly requestId: string;
  /** Whether an operator changes it instead of the person. */
  readonly isByOperator?: boolean;
  /** What the decision needs, behind the locks under which it stays true; a function where the organizations of the person are named. */
  readonly reads: R | ((organizations: OrganizationsOfPerson) => R);
  /** Decides what is written. @throws Problem for a refusal; nothing is changed then, by the reads either */
  decide(found: PersonState<R>): PersonOutcome<T>;
}

/** What a decision is made on. */
interface PersonState<R extends Reads> {
  readonly rows: ResultsOf<R>;
  /** Of what the person signs in with. */
  readonly version: number;
  readonly context: PersonEventContext;
}

/** A decision, ready to be written. */
interface PersonOutcome<T> {
  readonly steps: readonly Step[];
  /** The result for the caller, made of the results of the steps. */
  result(written: readonly StepResult[]): T;
}

/** How often a change is begun again because the person has joined another organization meanwhile. */
const maxAttempts = 3;

/**
 * Carries a change out, as the role that signs people in.
 * @throws Problem overloaded when the person joins organizations faster than they can be read
 */
export async function changePerson<R extends Reads, T>(
  auth: Database,
  { userId, requestId, isByOperator = false, reads, decide }: PersonChange<R, T>,
): Promise<T> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const known = typeof reads === 'function' ? await findOrganizations(auth, userId) : null;
    await auth.requireEnabled(known ?? []);
    const named = typeof reads === 'function' ? reads(known === null ? null : uuidArray(known)) : reads;
    const again = known === null ? [] : [namedOrganizationsStep(userId)];
    const first = [lockVersionStep(userId), ...stepsOf(named), ...again];
    const done = await auth.backgroundTransaction(first, async ([locked, ...results], transaction) => {
      const { version, instant } = readLockedVersion(locked);
      // Whatever was read may lack rows of an organization that is new.
      if (known !== null && !isAmong(namedOrganizations(results.at(-1)), known)) return null;
      const rows = nameResults(named, results);
      const context = { userId, actorId: isByOperator ? null : userId, requestId, instant };
      const { steps, result } = decide({ rows, version, context });
      return { result: result(await transaction.commit(steps)) };
    });
    if (done !== null) return done.result;
  }
  throw new Problem('overloaded');
}

function isAmong(ids: readonly string[] | null, known: readonly string[]): boolean {
  return ids?.every((id) => known.includes(id)) === true;
}
