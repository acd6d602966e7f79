/**
 * Writes of administration: organizations, members, clients and tokens change by the same pipeline as everything else, in one
 * transaction with an event of each change. The command line asks for them with the database's own rights, without a token.
 */

import { Problem } from '@trellis/schema/problem.ts';
import {
  type AdministrativeSubject,
  administrativeSubjects,
} from '@trellis/schema/resources/administration.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import type { Reads, ResultsOf } from '../database/reads.ts';
import { announceAccess } from '../identity/access-news.ts';
import { readersOfPerson } from '../identity/sign-in/person-events.ts';
import { definePlan, type Plan, Refusal } from '../pipeline/write/plan.ts';
import { write } from '../pipeline/write.ts';
import { AdministrationError } from './checks.ts';

/** Who may read an event: every member those of members, administrators the others, and those of a session whose it is as well. */
function readersOf({ subject, userId }: AdministrativeEvent): readonly string[] | null {
  if (subject === 'member') return null;
  return userId === undefined ? ['OWNER', 'ADMIN'] : readersOfPerson(userId);
}

/** One event of a change. */
export interface AdministrativeEvent {
  readonly subject: AdministrativeSubject;
  /** Uuid of the organization, user, client or token. */
  readonly id: string;
  /** Uuid of whose session it is; for sessions only. */
  readonly userId?: string;
  /** Last part of the type: `created`, `updated`, `deleted`, `revoked`. */
  readonly what: string;
  /** Names of the members that changed. */
  readonly changed?: readonly string[];
}

/** What is to be written; nothing where everything is as it is wanted. */
export interface Change {
  readonly steps: readonly Step[];
  readonly events: readonly AdministrativeEvent[];
}

/** Nothing is to be changed. */
export const unchanged: Change = { steps: [], events: [] };

/** A change of one organization. */
export interface AdministrativeWrite<R extends Reads> {
  readonly organizationId: string;
  readonly subject: AdministrativeSubject;
  /** What the decision needs, behind the locks under which it stays true. */
  readonly reads: R;
  /** Decides what is written; an error where it cannot be. */
  decide(rows: ResultsOf<R>): Change | AdministrationError;
}

/**
 * Carries a change out, and tells running servers of it, so that their reads see it at once.
 * @param worker pool of the background role
 * @throws AdministrationError what `decide` refuses; DatabaseFailure for a violated constraint
 */
export async function administer<R extends Reads>(
  worker: Database,
  change: AdministrativeWrite<R>,
): Promise<void> {
  try {
    await write(
      // The relay of a running node looks by itself: it is another process.
      { database: worker, nudge: () => undefined },
      {
        scope: { organizationId: change.organizationId, userId: null },
        requestId: newUuid(),
        plan: planAdministration(change),
        token: null,
      },
    );
    await announceAccess(worker, [change.organizationId]);
  } catch (error) {
    if (error instanceof Problem && error.cause instanceof AdministrationError) throw error.cause;
    throw error;
  }
}

function planAdministration<R extends Reads>({
  subject,
  organizationId,
  reads,
  decide,
}: AdministrativeWrite<R>): Plan {
  const { table, idPrefix } = administrativeSubjects[subject];
  return definePlan<R>({
    kind: 'administration',
    model: {
      resource: { name: table, scope: table, module: null, idPrefix, table, parent: null },
      storage: { columns: [] },
    },
    lock: [],
    parent: null,
    references: null,
    reads,
    decide({ rows, instant }) {
      const decided = decide(rows);
      if (decided instanceof AdministrationError)
        return new Refusal(new Problem('validation_failed', decided.message, { cause: decided }));
      return {
        steps: decided.steps,
        events: decided.events.map((event) => ({
          type: `${event.subject}.${event.what}`,
          subjectType: event.subject,
          subjectId: event.id,
          parentId: null,
          // These rows have no versions: their events are ordered by their instants.
          subjectVersion: 1,
          changedFields: event.changed ?? [],
          readers: readersOf(event),
          occurredAt: instant,
        })),
        response: { status: 204, location: null, etag: null, body: null },
        shown: { recordId: organizationId, as: 'other' },
        publishes: [],
        explainConflict: null,
      };
    },
    replay: null,
    confirm: null,
    usages: null,
  });
}
