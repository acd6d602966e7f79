/**
 * The types of a write: the plan with its reads, and its outcome or refusal. They follow the table in `kinds.ts`: a plan has a part for
 * each step of its kind, and none for omitted steps.
 */

import type { Problem } from '@trellis/schema/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ReferenceUse, StoredRecord } from '@trellis/schema/validation/values.ts';
import type { Step, StepResult } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import type { Reads, ResultsOf } from '../../database/reads.ts';
import type { WalPosition } from '../../database/wal-position.ts';
import type { DomainEvent } from '../../events/append.ts';
import type { Actor, Audience, Identity, Requirement } from '../../identity/actor.ts';
import type { Credentials } from '../../identity/authenticator.ts';
import type { Preconditions } from '../entity-tags.ts';
import type { Publishable, Refusal } from '../refusal.ts';
import type { Storage } from '../storage.ts';
import type { Shown, StoredResponse } from './idempotency/idempotency.ts';
import type { KindWith, OmittedStep, WriteKind, WriteStep } from './kinds.ts';
import type { UniqueConflict } from './unique-conflicts.ts';
import type { namingSteps } from './usage.ts';

/** The dependencies of the pipeline. */
export interface WriteContext {
  readonly database: Database;
  /** Called after a commit with the appended events, so that loops need not wait for their next poll. */
  readonly nudge: (events: readonly DomainEvent[]) => void;
}

/** The dependencies of writes that a token requests. */
export interface TokenWriteContext extends WriteContext {
  readonly idempotencyRetentionSeconds: number;
  /** How long deleted records are kept; 0: not at all. */
  readonly trashRetentionSeconds: number;
  /** Records that a token was used. */
  readonly noteUse: (actor: Actor, identity: Identity | undefined) => void;
}

/** A write, with everything that is known before its transaction begins. */
export type WriteRequest = TokenWrite | TokenlessWrite;

interface BaseRequest {
  readonly scope: Scope;
  /** The request id in the events. */
  readonly requestId: string;
}

/** A write that is authorized by a token. */
export interface TokenWrite extends BaseRequest {
  readonly plan: Plan;
  readonly token: TokenRequest;
}

/** A write by the system or an operator. */
export interface TokenlessWrite extends BaseRequest {
  readonly plan: Plan<Exclude<WriteKind, TokenKind>>;
  readonly token: null;
}

/** A write by a token that creates a record, or changes the existing one with the same value. */
export interface UpsertWrite extends BaseRequest {
  readonly plan: UpsertPlan;
  readonly token: TokenRequest;
}

/** The beginning of a write, before its plan is chosen: the choice may depend on the first reads. */
export interface BegunWrite extends BaseRequest {
  readonly plan: Plan<WriteKind> | UpsertPlan;
  readonly token: TokenRequest | null;
}

/** The kinds of write that a token requests. */
export type TokenKind = KindWith<'authorize'>;

/** The token of a request and the use of it. */
export interface TokenRequest {
  readonly credentials: Credentials;
  readonly audience: Audience;
  readonly requirement: Requirement;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly preconditions: Preconditions;
  readonly context: Pick<TokenWriteContext, 'idempotencyRetentionSeconds' | 'noteUse'>;
}

/** The properties of the written resource that the pipeline needs. */
export interface Written {
  readonly resource: Pick<
    Resource,
    'name' | 'scope' | 'publishScope' | 'module' | 'idPrefix' | 'table' | 'parent' | 'givesAccess'
  >;
  readonly storage: Pick<Storage, 'columns'>;
}

/** The part of a plan or outcome for a step; absent if the kind of write omits the step. */
type For<K extends WriteKind, S extends WriteStep, Part> =
  S extends OmittedStep<K> ? { readonly [Member in keyof Part]?: undefined } : Part;

interface ClaimKeyPart {
  /** How to replay the stored response of an earlier request with the same key; null: unchanged, for all callers. */
  readonly replay: ReplayPlan | null;
}

interface LockRecordPart<K extends WriteKind> {
  /** Locks the record; the last step reads it. A write of an operator may lock none. */
  readonly lock: K extends 'administration' ? readonly Step[] : readonly [Step, ...Step[]];
}

interface FindParentPart {
  /** Finds the parent in the path of the collection; null if there is none. */
  readonly parent: ParentRead | null;
}

interface CheckReferencesPart {
  readonly references: ReferenceCheck;
}

interface ConfirmPart {
  /**
   * The last check outside the database, before the commit and under its locks.
   * @returns the refusal, or null
   */
  readonly confirm: (() => Promise<Problem | null>) | null;
}

/** The parts of a plan, except its decision. */
type PlanParts<K extends WriteKind, R extends Reads> = {
  readonly kind: K;
  readonly model: Written;
  /** Further rows that the decision needs. */
  readonly reads: R;
  /** For the error that a record is still in use: counts the records that refer to it, as rows of (resource, count). */
  readonly usages?: () => readonly Step[];
  /** Finds the records that refer to this one, which the same error names. */
  readonly users?: () => ReturnType<typeof namingSteps>;
} & For<K, 'claimKey', ClaimKeyPart> &
  For<K, 'lockRecord', LockRecordPart<K>> &
  For<K, 'findParent', FindParentPart> &
  For<K, 'checkReferences', CheckReferencesPart> &
  For<K, 'confirm', ConfirmPart>;

/** A pure decision: it returns what is to be written, and changes nothing. */
interface Decides<Context, Before, Decided> {
  /** Decides the write. `before`: the locked record. */
  decide(context: Context, before: Before): Decided | Refusal;
}

/** A planned write: the rows to read first, and a decision based on them. */
export type PlanDefinition<K extends WriteKind, R extends Reads> = PlanParts<K, R> &
  Decides<PlanContext<K, R>, RecordOf<K>, OutcomeOf<K>>;

/** A plan of a kind, as the pipeline carries it out; see `definePlan`. */
type PlanOf<K extends WriteKind> = PlanParts<K, Reads> &
  Decides<PlanContext<WriteKind, Reads>, StoredRecord | null, OutcomeOf<K>>;

/** A plan of one of several kinds; by default of the kinds that a token can request. */
export type Plan<K extends WriteKind = TokenKind> = { [Kind in K]: PlanOf<Kind> }[K];

/** A creation, or a change of the record that has the same value: which of the two is found out first. */
export interface UpsertPlan {
  readonly kind: 'upsert';
  readonly model: Written;
  /** Finds the records that have the value. */
  readonly find: Step;
  /**
   * The record that was found (uuid; null for none), and what creating or changing it requires.
   * @throws Problem ambiguous_match
   */
  match(found: StepResult | undefined, caller: { readonly actor: Actor | null }): Matched;
  /** The plan for what was found. @throws Problem version_mismatch, or the faults of the body, for a creation */
  planFor(id: string | null, preconditions: Preconditions): Plan<'create' | 'update'>;
  /** The requirement of an earlier request, by the status of its response. */
  requirementOf(response: StoredResponse): Requirement;
  /** Whether another write changed the looked-up record in the meantime, so that the lookup must be repeated. */
  isOvertaken(error: unknown, chosen: WriteKind): boolean;
  readonly replay: ReplayPlan;
}

/** The record that an upsert changes, or that there is none. */
export interface Matched {
  readonly id: string | null;
  readonly requirement: Requirement;
}

/** The record that a plan decides on. */
type RecordOf<K extends WriteKind> =
  'lockRecord' extends OmittedStep<K>
    ? null
    : K extends 'administration'
      ? StoredRecord | null
      : StoredRecord;

/** The input of a decision. */
export interface PlanContext<K extends WriteKind, R extends Reads> {
  /** The caller, or `operator`; null for kinds of write without a caller. */
  readonly actor: K extends TokenKind ? Actor : null;
  /** The instant of the write, RFC 3339. */
  readonly instant: string;
  /** The parent of a new record, e.g. the site of an article; otherwise null. */
  readonly parent: StoredRecord | null;
  /** The results of the plan's `reads`. */
  readonly rows: ResultsOf<R>;
}

/** Finds the parent of a new record. */
export interface ParentRead {
  readonly step: Step;
  readonly storage: Storage;
}

/** The references of one body. */
export interface ReferenceCheck {
  /** One read for each resource that is referred to, under its own name. */
  readonly reads: Readonly<Record<string, Step>>;
  /** The references, under the same names. */
  readonly uses: ReadonlyMap<string, readonly ReferenceUse[]>;
}

interface CheckTransitionPart {
  /** Resources whose records the change publishes, unpublishes or changes for readers. */
  readonly publishes: readonly Publishable[];
}

interface AppendEventPart {
  readonly events: readonly DomainEvent[];
}

interface StoreResponsePart {
  readonly response: StoredResponse;
  readonly shown: Shown;
}

/** A decision, ready to be written. */
type OutcomeOf<K extends WriteKind> = {
  readonly steps: readonly Step[];
  /** The unique value of a violated constraint; null for other constraints. */
  readonly explainConflict?: (constraint: string) => UniqueConflict | null;
  /** The error for references to records that no longer exist, other than that of a body; null if all of them exist. */
  readonly explainLoss?: LossExplanation;
} & For<K, 'checkTransition', CheckTransitionPart> &
  For<K, 'appendEvent', AppendEventPart> &
  For<K, 'storeResponse', StoreResponsePart>;

/** Finds out which of its references a record has lost. */
export interface LossExplanation {
  readonly steps: readonly Step[];
  /** @param results of `steps` */
  explain(results: readonly StepResult[]): Problem | null;
}

/** An outcome of one of several kinds of write; by default of those that create or change a record. */
export type Outcome<K extends WriteKind = 'create' | 'update' | 'action'> = {
  [Kind in K]: OutcomeOf<Kind>;
}[K];

/** How the response of an earlier request is replayed. */
export interface ReplayPlan {
  /** Reads the record of a stored response as the caller sees it and as it is; null if the caller sees every record. */
  visibility(response: StoredResponse, actor: Actor, recordId: string | null): VisibilityReads | null;
  /** Renders the record of a response; null if all bodies are stored. */
  readonly show: ((recordId: string, response: StoredResponse) => RecordView) | null;
  /** Reads the record in the response, where it is not the one that the plan locks. */
  readonly subject?: (response: StoredResponse, recordId: string | null) => Step;
}

/** Two reads of a record. */
export type VisibilityReads = {
  /** As the caller sees it. */
  readonly visible: Step;
  /** Its actual state, regardless of visibility. */
  readonly existing: readonly Step[];
};

/** How a record is read, and rendered as the body of a response. */
export interface RecordView {
  /** Reads the record, and then what has changed since. */
  readonly steps: readonly [Step, ...Step[]];
  /**
   * Renders the record at the version of the response; as it is, if that version is not known any more.
   * @param results those of `steps`, of which the first has a row
   */
  render(results: readonly StepResult[]): Pick<StoredResponse, 'etag' | 'body'>;
}

export interface WriteResult extends StoredResponse {
  /** Whether this is the stored response of an earlier request. */
  readonly replayed: boolean;
  /** The position behind its commit; null for a replay, and without replicas. */
  readonly position: WalPosition | null;
}
