/**
 * The pipeline: the way that tenant data changes, whoever asks. It reads from top to bottom: two flights, and between them
 * the decisions, all on current state read inside the transaction.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { type Resource, scopeOf } from '@trellis/schema/resources/resource.ts';
import type { Grant } from '@trellis/schema/rights/permissions.ts';
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { Database, Scope, Transaction } from '../database/database.ts';
import type { DatabaseFailure, Row, Step, StepResult } from '../database/flight.ts';
import { appendEvents, type DomainEvent } from '../events/append.ts';
import {
  type Actor,
  type Audience,
  checkOwnership,
  identify,
  identityInstant,
  permit,
  type Requirement,
} from '../identity/actor.ts';
import { type Credentials, identityStep } from '../identity/authenticator.ts';
import type { AnswerAllowances } from './answer-budget.ts';
import type { Holder } from './holders.ts';
import {
  type Claim,
  claimStepCount,
  claimSteps,
  idempotencyConstraint,
  inProgress,
  readClaim,
  recordGone,
  type Shown,
  type StoredResponse,
  storeSteps,
} from './idempotency.ts';
import type { RuleContext } from './model.ts';
import { checkPrecondition, type EntityTags } from './precondition.ts';
import type { ReferenceCheck } from './references.ts';
import { decodeRecord, type Storage } from './storage.ts';

/** What the pipeline needs of its surroundings. */
export interface WriteContext {
  readonly database: Database;
  readonly idempotencyRetentionSeconds: number;
  /** Limits how fast large responses are stored. */
  readonly allowances: AnswerAllowances;
  /** Called after a commit with the events that it appended, so that nobody need wait for their next poll. */
  readonly nudge: (events: readonly DomainEvent[]) => void;
  /** Remembers that a token was used. */
  readonly noteUse: (actor: Actor, identityRow: StepResult['rows'][number] | undefined) => void;
}

/** Everything that is known of a write before its transaction begins. */
export interface WriteRequest {
  readonly credentials: Credentials;
  readonly audience: Audience;
  readonly requirement: Requirement;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly ifMatch: EntityTags | undefined;
  readonly requestId: string;
  readonly plan: Plan;
}

/** What the pipeline must know of the kind of record that is written. */
export interface Written {
  readonly resource: Pick<Resource, 'name' | 'scope' | 'module' | 'idPrefix' | 'table' | 'parent'>;
  readonly storage: Pick<Storage, 'columns'>;
}

/** What is to be done: the rows it must see first, and a pure decision on them. */
export interface Plan {
  readonly model: Written;
  /** Whether the operation adds a record, changes or removes the one that `lock` finds. */
  readonly operation: 'create' | 'update' | 'delete';
  /** Locks the record; its row is the last one's. Empty for a create. */
  readonly lock: readonly Step[];
  /** Finds the record named by the path above the collection; null when there is none. */
  readonly parent: { readonly step: Step; readonly storage: Storage } | null;
  readonly references: ReferenceCheck;
  /** Further rows, handed to `decide` in order. */
  readonly gather: readonly Step[];
  decide(context: RuleContext, before: StoredRecord | null): Outcome;
  /**
   * Reads the record of a stored response twice, for a replay: first as the caller sees it, last as it is. Absent where
   * everybody sees every record.
   */
  lookAgain?(response: StoredResponse): readonly Step[];
  /** Shows the record of a stored response whose body is not stored. Absent where no response can be without it. */
  showAgain?(recordId: string): ShowAgain;
  /** A last look outside the database, before the commit and under its locks. @throws Problem */
  confirm?(): Promise<void>;
  /** For the message about a unique value that is taken: finds the record that has it. */
  findHolder(constraint: string): Holder | null;
  /** For the message about a record that is still used: counts what refers to it, as rows of (description, count). */
  usage(): Step[];
}

/** How a record is read and shown as the body of a response. */
export interface ShowAgain {
  readonly step: Step;
  render(row: Row): Pick<StoredResponse, 'etag' | 'body'>;
}

/** A decision, ready to be written. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly events: readonly DomainEvent[];
  readonly response: StoredResponse;
  readonly shown: Shown;
}

export interface WriteResult extends StoredResponse {
  /** Whether this is the stored response of an earlier request. */
  readonly replayed: boolean;
}

/**
 * Carries a write out, exactly once per idempotency key.
 * @throws Problem for everything a caller can be told; then nothing was changed and nothing stored under the key
 */
export async function write(context: WriteContext, request: WriteRequest): Promise<WriteResult> {
  const { plan, credentials } = request;
  const key = { ...credentials, key: request.key, fingerprint: request.fingerprint };
  const first = [
    identityStep(credentials),
    ...claimSteps(key, context.idempotencyRetentionSeconds),
    ...plan.lock,
    ...(plan.parent === null ? [] : [plan.parent.step]),
    ...plan.references.steps,
    ...plan.gather,
  ];
  let actor: Actor | undefined;
  try {
    return await context.database.transaction(credentials, first, async (rows, transaction) => {
      const found = sortRows(plan, rows);
      const authorized = authorize(request, found.identity);
      actor = authorized.actor;
      context.noteUse(actor, found.identity?.rows[0]);
      const claim = readClaim(found.lockedKey, found.storedResponse);
      if (claim.kind === 'replay') {
        authorizeReplay(request, authorized, claim.published, found.record);
        await checkSight(plan, claim, transaction);
        return { ...(await completeResponse(plan, claim, found.record, transaction)), replayed: true };
      }
      const before = lockRecord(plan, found.record);
      const parent = findParent(plan, found.parent);
      if (before !== null) {
        checkOwnership(authorized.actor, authorized.grant, before.createdBy);
        checkPrecondition(request.ifMatch, before.version);
      }
      plan.references.judge(found.references);
      const instant = laterOf(identityInstant(found.identity?.rows[0]), before?.updatedAt ?? '');
      const published = new Set<string>();
      const outcome = plan.decide(
        {
          actor: authorized.actor,
          instant,
          parent,
          gathered: found.gathered,
          requirePublish: (other: Written['resource'] = plan.model.resource) => {
            requirePublish(request.requirement, other, authorized.actor);
            published.add(other.name);
          },
        },
        before,
      );
      await plan.confirm?.();
      await transaction.commit([
        ...outcome.steps,
        ...appendEvents(outcome.events, { ...credentials, requestId: request.requestId }),
        ...storeSteps(key, claim, { ...outcome, published: [...published], instant }, (bytes) =>
          context.allowances.take(credentials.organizationId, bytes, performance.now()),
        ),
      ]);
      if (outcome.events.length > 0) context.nudge(outcome.events);
      return { ...outcome.response, replayed: false };
    });
  } catch (error) {
    throw await explainViolation(context.database, request, actor, error);
  }
}

/** Checks 1 to 5 on current state, for a request that is refused for another reason: who may not ask is told so first. */
export async function authorizeOnly(
  database: Database,
  request: Pick<WriteRequest, 'credentials' | 'audience' | 'requirement'>,
): Promise<void> {
  const [identity] = await database.read(request.credentials, [identityStep(request.credentials)]);
  authorize(request, identity);
}

interface Found {
  readonly identity: StepResult | undefined;
  readonly lockedKey: StepResult | undefined;
  readonly storedResponse: StepResult | undefined;
  readonly record: StepResult | undefined;
  readonly parent: StepResult | undefined;
  readonly references: readonly StepResult[];
  readonly gathered: readonly StepResult[];
}

/** Names the results of the first flight, in the order in which `write` sent its steps. */
function sortRows(plan: Plan, rows: readonly StepResult[]): Found {
  let next = 1 + claimStepCount;
  next += plan.lock.length;
  const record = rows[next - 1];
  const parent = plan.parent === null ? undefined : rows[next++];
  const references = rows.slice(next, next + plan.references.steps.length);
  next += plan.references.steps.length;
  return {
    identity: rows[0],
    lockedKey: rows[1],
    storedResponse: rows[2],
    record,
    parent,
    references,
    gathered: rows.slice(next),
  };
}

function authorize(
  request: Pick<WriteRequest, 'audience' | 'requirement'>,
  identity: StepResult | undefined,
): { actor: Actor; grant: Grant } {
  const actor = identify(identity?.rows[0], request.audience);
  return { actor, grant: permit(actor, request.requirement) };
}

/** Who may no longer do it may no longer see its answer either. A record that is gone by now has no owner to ask for. */
function authorizeReplay(
  { plan, requirement }: WriteRequest,
  { actor, grant }: { actor: Actor; grant: Grant },
  published: readonly string[],
  record: StepResult | undefined,
): void {
  for (const name of published) requirePublish(requirement, resourceByName(name), actor);
  const row = plan.lock.length === 0 ? undefined : record?.rows[0];
  if (row !== undefined) checkOwnership(actor, grant, decodeRecord(plan.model.storage, row).createdBy);
}

/** Whom the record is hidden from by now is told of none, as of any other; one that is gone has nothing to hide. */
async function checkSight(plan: Plan, replay: Replay, transaction: Transaction): Promise<void> {
  const look = plan.lookAgain?.(replay.response) ?? [];
  if (look.length === 0) return;
  const looked = await transaction.send(look);
  if (looked[0]?.rows.length === 0 && looked.at(-1)?.rows.length === 1)
    throw recordGone(shownId(plan, replay));
}

/**
 * The stored response. A body that is not stored is made from the record: the same one as long as the record is at the same
 * version, and the record as it is now afterwards, with its ETag.
 * @throws Problem not_found when the record was deleted
 */
async function completeResponse(
  plan: Plan,
  replay: Replay,
  record: StepResult | undefined,
  transaction: Transaction,
): Promise<StoredResponse> {
  const { response, bodyDropped, recordId } = replay;
  if (response.body === null && !bodyDropped) return response;
  // What was deleted is shown no more, though its answers may be yet to be erased.
  if (plan.lock.length > 0 && record?.rows[0] === undefined) throw recordGone(shownId(plan, replay));
  if (!bodyDropped && plan.lock.length > 0) return response;
  const again = recordId === null ? undefined : plan.showAgain?.(recordId);
  // An answer of a release that did not know the record.
  if (again === undefined) return response;
  const [found] = await transaction.send([again.step]);
  const row = found?.rows[0];
  if (row === undefined) throw recordGone(shownId(plan, replay));
  return bodyDropped ? { ...response, ...again.render(row) } : response;
}

type Replay = Extract<Claim, { kind: 'replay' }>;

function shownId({ model }: Plan, { recordId }: Replay): string | null {
  return recordId === null ? null : encodeId(model.resource.idPrefix, recordId);
}

/**
 * Publishing has a scope of its own where drafts and what readers see are apart; elsewhere the role decides. A refusal
 * names the scopes of the operation too: whoever makes a new token needs to know all of them.
 */
function requirePublish(
  { scopes }: Requirement,
  resource: Pick<Resource, 'name' | 'scope' | 'module'>,
  actor: Actor,
): void {
  const { name, module } = resource;
  const own = `${name}:publish`;
  const needed = allScopes.includes(own) ? own : scopeOf(resource, 'write');
  permit(actor, {
    scopes: [...new Set([...scopes, needed])],
    module,
    permission: { resource: name, action: 'publish' },
  });
}

function lockRecord(plan: Plan, record: StepResult | undefined): StoredRecord | null {
  if (plan.lock.length === 0) return null;
  const row = record?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  return decodeRecord(plan.model.storage, row);
}

function findParent(plan: Plan, found: StepResult | undefined): StoredRecord | null {
  if (plan.parent === null) return null;
  const row = found?.rows[0];
  if (row === undefined) throw new Problem('not_found');
  return decodeRecord(plan.parent.storage, row);
}

/** RFC 3339 UTC texts of equal length compare as instants. A record's instants never go backwards. */
function laterOf(left: string, right: string): string {
  return left > right ? left : right;
}

/** What a violated constraint means to the caller; other errors are returned as they are. */
async function explainViolation(
  database: Database,
  { plan, credentials }: WriteRequest,
  actor: Actor | undefined,
  error: unknown,
): Promise<unknown> {
  const failure = error as DatabaseFailure;
  if (failure.code === '23505') {
    if (failure.constraint === idempotencyConstraint) return inProgress();
    return (await explainConflict(database, plan, credentials, actor, failure.constraint ?? '')) ?? error;
  }
  if (failure.code === '23503') {
    if (plan.operation === 'delete') return explainUse(database, plan, credentials);
    // What was found a moment ago was deleted meanwhile: the same answer as if it had never been there.
    const { parent } = plan.model.resource;
    const lost =
      parent !== null &&
      failure.constraint === `${plan.model.resource.table}_organization_id_${parent.column}_fkey`;
    return new Problem(lost ? 'not_found' : 'reference_not_found', undefined, { cause: error });
  }
  return error;
}

async function explainConflict(
  database: Database,
  plan: Plan,
  scope: Scope,
  actor: Actor | undefined,
  constraint: string,
): Promise<Problem | null> {
  const holder = plan.findHolder(constraint);
  if (holder === null) return null;
  const { resource, storage } = plan.model;
  const readable =
    actor !== undefined &&
    mayRead(actor, {
      scopes: [scopeOf(resource, 'read')],
      module: resource.module,
      permission: { resource: resource.name, action: 'read' },
    });
  const [found] = await database.read(scope, [holder.step]);
  const row = found?.rows[0];
  const existingId =
    row === undefined || !readable ? null : encodeId(resource.idPrefix, decodeRecord(storage, row).id);
  const { field, pointer } = holder.place(row);
  return new Problem('conflict', `Another record already has ${holder.description}.`, {
    members: { field, ...(existingId === null ? {} : { existingId }) },
    errors: [
      {
        pointer,
        code: 'conflict',
        detail: 'This value is already taken.',
      },
    ],
  });
}

function mayRead(actor: Actor, requirement: Requirement): boolean {
  try {
    permit(actor, requirement);
    return true;
  } catch {
    return false;
  }
}

async function explainUse(database: Database, plan: Plan, scope: Scope): Promise<Problem> {
  const counts = await database.read(scope, plan.usage());
  const usedBy = counts.flatMap(({ rows }) =>
    rows
      .map(([label, count]) => ({ resource: label ?? '', count: Number(count) }))
      .filter(({ count }) => count > 0),
  );
  const text = usedBy.map(({ resource, count }) => `${count} ${nounOf(resource, count)}`).join(', ');
  return new Problem('in_use', text === '' ? undefined : `Still used by ${text}.`, { members: { usedBy } });
}

/** What the records of a resource are called, as a noun beside their count: `book`, `knowledge files`. */
function nounOf(name: string, count: number): string {
  const noun = count === 1 ? resourceByName(name).singular : name;
  return noun.replaceAll('-', ' ');
}
