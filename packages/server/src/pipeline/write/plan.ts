/** The types of a write: the plan with its reads, and the outcome or refusal that it decides on. */

import type { Problem } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Row, Step, StepResult } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import type { Reads, ResultsOf } from '../../database/reads.ts';
import type { DomainEvent } from '../../events/append.ts';
import type { Actor, Audience, Identity, Requirement } from '../../identity/actor.ts';
import type { Credentials } from '../../identity/authenticator.ts';
import type { EntityTags } from '../entity-tags.ts';
import type { Storage } from '../storage.ts';
import type { Shown, StoredResponse } from './idempotency/idempotency.ts';
import type { AnswerAllowances } from './idempotency/response-budget.ts';
import { takes, type WriteKind, type WriteStep } from './kinds.ts';
import type { ReferenceCheck } from './steps/check-references.ts';
import type { UniqueConflict } from './unique-conflicts.ts';

/** The dependencies of the pipeline. */
export interface WriteContext {
  readonly database: Database;
  /** Called after a commit with the appended events, so that loops need not wait for their next poll. */
  readonly nudge: (events: readonly DomainEvent[]) => void;
}

/** The dependencies of writes that a token requests. */
export interface TokenWriteContext extends WriteContext {
  readonly idempotencyRetentionSeconds: number;
  /** Limits how fast large responses are stored. */
  readonly allowances: AnswerAllowances;
  /** Records that a token was used. */
  readonly noteUse: (actor: Actor, identity: Identity | undefined) => void;
}

/** A write, with everything that is known before its transaction begins. */
export interface WriteRequest {
  readonly scope: Scope;
  /** The request id in the events. */
  readonly requestId: string;
  readonly plan: Plan;
  /** The request's token; null for the kinds of write that need none. */
  readonly token: TokenRequest | null;
}

/** The token of a request and what it is used for. */
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
 * The token of the request for a step; null if the kind of the write omits the step.
 * @throws Error if the kind has the step and there is no token
 */
export function tokenFor(step: WriteStep, { plan, token }: WriteRequest): TokenRequest | null {
  if (!takes(plan.kind, step)) return null;
  if (token === null) throw new Error(`the step ${step} of a write of the kind ${plan.kind} needs a token`);
  return token;
}

/** What the pipeline needs to know of the written resource. */
export interface Written {
  readonly resource: Pick<
    Resource,
    'name' | 'scope' | 'publishScope' | 'module' | 'idPrefix' | 'table' | 'parent' | 'givesAccess'
  >;
  readonly storage: Pick<Storage, 'columns'>;
}

/** A resource with its own right to publish. */
export type Publishable = Pick<Resource, 'name' | 'scope' | 'publishScope' | 'module'>;

/** A planned write: the rows to read first, and a pure decision based on them. */
export interface Plan<R extends Reads = Reads> {
  readonly kind: WriteKind;
  readonly model: Written;
  /** Locks the record; the last step reads it. Empty for creates. */
  readonly lock: readonly Step[];
  /** Finds the parent in the path of the collection; null if there is none. */
  readonly parent: { readonly step: Step; readonly storage: Storage } | null;
  readonly references: ReferenceCheck | null;
  /** Further rows that the decision needs. */
  readonly reads: R;
  /** Decides the write. `before`: the locked record; null for plans without one. */
  decide(context: PlanContext<R>, before: StoredRecord | null): Outcome | Refusal;
  /** How the stored response of an earlier request under the same key is replayed; null: unchanged, to everybody. */
  readonly replay: ReplayPlan | null;
  /**
   * The last check outside the database, before the commit and under its locks.
   * @returns the refusal, or null
   */
  readonly confirm: (() => Promise<Problem | null>) | null;
  /** For the error that a record is still in use: counts the records that refer to it, as rows of (resource, count). */
  readonly usages: (() => readonly Step[]) | null;
}

/** The input of a decision. */
export interface PlanContext<R extends Reads = Reads> {
  /** The caller, or `operator`; null for the system. */
  readonly actor: Actor | null;
  /** The instant of the write, RFC 3339. */
  readonly instant: string;
  /** The parent of a new record, e.g. the site of an article; otherwise null. */
  readonly parent: StoredRecord | null;
  /** The results of the plan's `reads`. */
  readonly rows: ResultsOf<R>;
}

/** Checks the types of a plan's reads and erases them: the pipeline does not know their names. */
export function definePlan<R extends Reads>(plan: Plan<R>): Plan {
  return plan;
}

/** A decision, ready to be written. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  readonly response: StoredResponse;
  readonly shown: Shown;
  /** Resources whose records the change publishes, unpublishes or changes for readers. */
  readonly publishes: readonly Publishable[];
  /** The unique value of a violated constraint; null for other constraints. */
  readonly explainConflict: ((constraint: string) => UniqueConflict | null) | null;
}

/** A refused change. */
export class Refusal {
  readonly problem: Problem;
  /** Rights that the change would have needed. Whoever lacks one gets that error instead. */
  readonly publishes: readonly Publishable[];

  constructor(problem: Problem, publishes: readonly Publishable[] = []) {
    this.problem = problem;
    this.publishes = publishes;
  }
}

/** How the response of an earlier request is replayed. */
export interface ReplayPlan {
  /** Reads the record of a stored response as the caller sees it and as it is; null if the caller sees every record. */
  visibility(response: StoredResponse, actor: Actor | null): VisibilityReads | null;
  /** Renders the record of a response whose body is not stored; null if all bodies are stored. */
  readonly show: ((recordId: string) => RecordView) | null;
}

/** Two reads of a record. */
export type VisibilityReads = {
  /** As the caller sees it. */
  readonly visible: Step;
  /** As it is, whoever may see it. */
  readonly existing: readonly Step[];
};

/** How a record is read and rendered as the body of a response. */
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
