/** What a write is made of: the plan with the rows that it reads, and the outcome or refusal that it decides on. */

import type { Problem } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Row, Step, StepResult } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import type { Reads, ResultsOf } from '../../database/reads.ts';
import type { DomainEvent } from '../../events/append.ts';
import type { Actor, Audience, Requirement } from '../../identity/actor.ts';
import type { Credentials } from '../../identity/authenticator.ts';
import type { AnswerAllowances } from '../answer-budget.ts';
import type { Shown, StoredResponse } from '../idempotency.ts';
import type { EntityTags } from '../precondition.ts';
import type { Storage } from '../storage.ts';
import type { UniqueConflict } from '../unique-conflicts.ts';
import type { ReferenceCheck } from './check-references.ts';
import { takes, type WriteKind, type WriteStep } from './kinds.ts';

/** What the pipeline is given by the process that it runs in. */
export interface WriteContext {
  readonly database: Database;
  /** Called after a commit with the events that it appended, so that nobody need wait for their next poll. */
  readonly nudge: (events: readonly DomainEvent[]) => void;
}

/** What writes that a token asks for are given beside it. */
export interface TokenWriteContext extends WriteContext {
  readonly idempotencyRetentionSeconds: number;
  /** Limits how fast large responses are stored. */
  readonly allowances: AnswerAllowances;
  /** Remembers that a token was used. */
  readonly noteUse: (actor: Actor, identityRow: Row | undefined) => void;
}

/** A write, with everything that is known of it before its transaction begins. */
export interface WriteRequest {
  readonly scope: Scope;
  /** What the events name as their request. */
  readonly requestId: string;
  readonly plan: Plan;
  /** The request that asks for it; null: nobody does, and the plan is of a kind that needs no token. */
  readonly token: TokenRequest | null;
}

/** What a token asks for. */
export interface TokenRequest {
  readonly credentials: Credentials;
  readonly audience: Audience;
  readonly requirement: Requirement;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly ifMatch: EntityTags | undefined;
  readonly context: Pick<TokenWriteContext, 'idempotencyRetentionSeconds' | 'allowances' | 'noteUse'>;
}

/**
 * The token's request, for a step that needs one; null where the kind of the write leaves the step out.
 * @throws Error where the kind takes the step and no token asks
 */
export function tokenFor(step: WriteStep, { plan, token }: WriteRequest): TokenRequest | null {
  if (!takes(plan.kind, step)) return null;
  if (token === null) throw new Error(`the step ${step} of a write of the kind ${plan.kind} needs a token`);
  return token;
}

/** What the pipeline must know of the kind of record that is written. */
export interface Written {
  readonly resource: Pick<
    Resource,
    'name' | 'scope' | 'publishScope' | 'module' | 'idPrefix' | 'table' | 'parent' | 'givesAccess'
  >;
  readonly storage: Pick<Storage, 'columns'>;
}

/** A resource whose publishing has a right of its own. */
export type Publishable = Pick<Resource, 'name' | 'scope' | 'publishScope' | 'module'>;

/** What is to be done: the rows that must be read first, and a pure decision on them. */
export interface Plan<R extends Reads = Reads> {
  readonly kind: WriteKind;
  readonly model: Written;
  /** Locks the record; the last step reads it. Empty where there is none yet. */
  readonly lock: readonly Step[];
  /** Finds the record named by the path above the collection; null when there is none. */
  readonly parent: { readonly step: Step; readonly storage: Storage } | null;
  readonly references: ReferenceCheck | null;
  /** Further rows that the decision needs. */
  readonly reads: R;
  /** Decides what is written. `before`: the locked record; null where the plan locks none. */
  decide(context: PlanContext<R>, before: StoredRecord | null): Outcome | Refusal;
  /** How the response of an earlier request under the same key is answered; null: as it was stored, to everybody. */
  readonly replay: ReplayPlan | null;
  /** A last look outside the database, before the commit and under its locks. @returns why the write is refused, or null */
  readonly confirm: (() => Promise<Problem | null>) | null;
  /** For the error that says that a record is still used: counts its dependents, as rows of (resource, count). */
  readonly usages: (() => readonly Step[]) | null;
}

/** What a decision is made on. */
export interface PlanContext<R extends Reads = Reads> {
  /** Who asks; null: the system itself, or an operator. */
  readonly actor: Actor | null;
  /** The instant of the write, RFC 3339. */
  readonly instant: string;
  /** The record above a new one, e.g. the site of an article; null otherwise. */
  readonly parent: StoredRecord | null;
  /** The results of the plan's `reads`. */
  readonly rows: ResultsOf<R>;
}

/** Checks the types of a plan's reads, and forgets them: the pipeline knows no names of any plan. */
export function definePlan<R extends Reads>(plan: Plan<R>): Plan {
  return plan;
}

/** A decision, ready to be written. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  readonly response: StoredResponse;
  readonly shown: Shown;
  /** Kinds of record that the change publishes, unpublishes or changes for readers. */
  readonly publishes: readonly Publishable[];
  /** Which unique value a violated constraint is about; null when it is about none. */
  readonly explainConflict: ((constraint: string) => UniqueConflict | null) | null;
}

/** A decision against the change. */
export class Refusal {
  readonly problem: Problem;
  /** Rights that the change would have taken: whoever lacks one is told that instead. */
  readonly publishes: readonly Publishable[];

  constructor(problem: Problem, publishes: readonly Publishable[] = []) {
    this.problem = problem;
    this.publishes = publishes;
  }
}

/** How the response of an earlier request is answered again. */
export interface ReplayPlan {
  /** Reads the record of a stored response as the caller sees it, and as it is; null where everybody sees every record. */
  visibility(response: StoredResponse): VisibilityReads | null;
  /** Shows the record of a response whose body is not stored; null where no response can be without it. */
  readonly show: ((recordId: string) => RecordView) | null;
}

/** Two reads of a record. */
export type VisibilityReads = {
  /** As the caller sees it. */
  readonly visible: Step;
  /** As it is, whoever may see it. */
  readonly existing: readonly Step[];
};

/** How a record is read and shown as the body of a response. */
export interface RecordView {
  readonly step: Step;
  render(row: Row): Pick<StoredResponse, 'etag' | 'body'>;
}

export interface WriteResult extends StoredResponse {
  /** Whether this is the stored response of an earlier request. */
  readonly replayed: boolean;
}

/** The first row of a result, if it has one. */
export function firstRow(result: StepResult | undefined): Row | undefined {
  return result?.rows[0];
}
