/**
 * Carries out the items of a batch in its transaction. Successive items that do not depend on each other are a group, which is read,
 * decided and written together. If the database refuses one of a group, its items are carried out one by one.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@trellis/schema/problem.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import {
  type DatabaseFailure,
  type Statement,
  type Step,
  type StepResult,
  step,
} from '../../../database/batch.ts';
import type { Transaction } from '../../../database/database.ts';
import { joinSteps } from '../../../database/joined-steps.ts';
import { nameResults, stepsOf } from '../../../database/reads.ts';
import type { DomainEvent } from '../../../events/append.ts';
import { versionOf } from '../../entity-tags.ts';
import { seesAll, seeVisibleRecords } from '../../see-all-records.ts';
import { type DecidedWrite, decide, type PlanRows, readsOfPlan } from '../decide.ts';
import { CommitFailure, explainFailure } from '../explain-failure.ts';
import {
  type Claim,
  idempotencyConstraint,
  inProgress,
  type StoredResponse,
  storeSteps,
} from '../idempotency/idempotency.ts';
import type { TokenWrite } from '../plan.ts';
import { appendEvent } from '../steps/append-event.ts';
import { authorizeAs, type Caller } from '../steps/authorize.ts';
import { change } from '../steps/change.ts';
import { keyOf } from '../steps/claim-key.ts';
import { countDeletion } from '../steps/count-deletion.ts';
import {
  type BatchItem,
  type BatchOutcome,
  type BatchRequest,
  type DoneItem,
  mostAttempts,
  type PlannedItem,
} from './batch.ts';

/** How long a batch may take, in ms. Its locks are held as long. */
const longestMs = 20_000;
/** How many items are decided before other requests have a turn. */
const itemsPerTurn = 10;

const savepoint: Statement = { name: 'batch_savepoint', text: 'SAVEPOINT batch_group' };
const release: Statement = { name: 'batch_release', text: 'RELEASE SAVEPOINT batch_group' };
const undo: Statement = { name: 'batch_undo', text: 'ROLLBACK TO SAVEPOINT batch_group' };

/** An item whose plan is known. */
interface Candidate extends PlannedItem {
  readonly index: number;
  readonly caller: Caller;
}

/** An item whose kind of write is known. */
interface Chosen {
  readonly candidate: Candidate;
  readonly caller: Caller;
  readonly request: TokenWrite;
  /** The record that it changes; null for a new one. */
  readonly recordId: string | null;
}

type Decided = Chosen & DecidedWrite;

/** The state of a batch while it is carried out. */
export class BatchRun {
  /** The events of all items, in order. */
  readonly events: DomainEvent[] = [];
  private readonly batch: BatchRequest;
  private readonly caller: Caller;
  private readonly claim: Claim;
  private readonly transaction: Transaction;
  private readonly outcomes: (BatchOutcome | undefined)[];
  private readonly planned = new Map<number, PlannedItem>();
  /** How often an upsert had to find its record again, by its index. */
  private readonly repeated = new Map<number, number>();
  private readonly published = new Set<string>();
  private readonly endMs = performance.now() + longestMs;
  private response: StoredResponse | null = null;

  constructor(batch: BatchRequest, caller: Caller, claim: Claim, transaction: Transaction) {
    this.batch = batch;
    this.caller = caller;
    this.claim = claim;
    this.transaction = transaction;
    this.outcomes = batch.items.map(() => undefined);
  }

  /** Carries out all items in groups, in their order. */
  async carryOut(): Promise<StoredResponse> {
    while (this.outcomes.includes(undefined)) {
      if (performance.now() > this.endMs)
        throw new Problem(
          'overloaded',
          'The batch took too long. Nothing was changed: send fewer items at once.',
          {
            headers: { 'retry-after': '1' },
          },
        );
      const candidates = this.collect();
      if (candidates.length > 0) await this.carryOutGroup(candidates);
    }
    if (this.response === null) await this.send([]);
    if (this.response === null) throw new Error('a batch ended without a response');
    return this.response;
  }

  /** The next items whose plans can be made before any of them is carried out. */
  private collect(): Candidate[] {
    const candidates: Candidate[] = [];
    for (const [index, item] of this.batch.items.entries()) {
      if (this.outcomes[index] !== undefined) continue;
      const waits = candidates.some((candidate) => item.refersTo.includes(candidate.index));
      if (waits) break;
      try {
        const candidate = this.prepare(index, item);
        const [first] = candidates;
        // Nothing that is deleted may be found by what is decided together with it.
        if (first !== undefined && isRemoval(first) !== isRemoval(candidate)) break;
        candidates.push(candidate);
      } catch (error) {
        if (!this.refuse(index, error, candidates.length)) break;
      }
    }
    return candidates;
  }

  private prepare(index: number, item: BatchItem): Candidate {
    const caller = authorizeAs(this.caller, item.requirement);
    const planned = this.planned.get(index) ?? item.plan((at) => this.idOf(at));
    this.planned.set(index, planned);
    return { ...planned, index, caller };
  }

  private idOf(index: number): string | null {
    const outcome = this.outcomes[index];
    if (outcome === undefined || outcome instanceof Problem) return null;
    return encodeId(outcome.model.resource.idPrefix, outcome.recordId);
  }

  /**
   * Notes that an item is refused.
   * @param waiting number of items before it that have not been carried out; of an atomic batch, the first refusal is its response
   * @returns whether it was noted; if not, the others have to be carried out first
   */
  private refuse(index: number, error: unknown, waiting: number): boolean {
    if (!(error instanceof Problem)) throw error;
    if (this.batch.atomic) {
      if (waiting > 0) return false;
      const { code, message, errors, members, headers } = error;
      throw new Problem(code, message, { errors, members: { ...members, item: index }, headers });
    }
    this.outcomes[index] = error;
    return true;
  }

  /** Carries out as many items as are independent of each other; the remaining ones have no outcome yet. */
  private async carryOutGroup(candidates: readonly Candidate[]): Promise<void> {
    const chosen = await this.choose(candidates);
    const rows = await this.read(chosen);
    const decided: Decided[] = [];
    for (const [place, one] of chosen.entries()) {
      if (place % itemsPerTurn === itemsPerTurn - 1) await nextTurn();
      try {
        decided.push({ ...one, ...(await decide(one.request, one.caller, rows[place] as PlanRows)) });
      } catch (error) {
        if (this.isToRepeat(one, error)) break;
        if (!this.refuse(one.candidate.index, error, decided.length)) break;
      }
    }
    if (decided.length > 0) await this.write(decided);
  }

  /** Finds the records of upserts, and keeps the items up to the first that depends on one before it. */
  private async choose(candidates: readonly Candidate[]): Promise<Chosen[]> {
    const finds = candidates.flatMap(({ plan }) => (plan.kind === 'upsert' ? [plan.find] : []));
    const found = finds.length === 0 ? [] : await this.transaction.send(finds);
    let next = 0;
    const chosen: Chosen[] = [];
    const keys = new Set<string>();
    const ids = new Set<string>();
    for (const candidate of candidates) {
      const rows = candidate.plan.kind === 'upsert' ? found[next++] : undefined;
      try {
        const one = this.chooseOne(candidate, rows);
        const { recordId, request } = one;
        const isAlone = stepsOf({ reads: request.plan.reads.rules ?? {} }).length > 0;
        const depends =
          isAlone ||
          candidate.wanted.some((key) => keys.has(key)) ||
          (recordId !== null && ids.has(recordId));
        if (chosen.length > 0 && depends) break;
        chosen.push(one);
        if (isAlone) break;
        for (const key of candidate.keys) keys.add(key);
        if (recordId !== null) ids.add(recordId);
      } catch (error) {
        if (!this.refuse(candidate.index, error, chosen.length)) break;
      }
    }
    return chosen;
  }

  private chooseOne(candidate: Candidate, found: StepResult | undefined): Chosen {
    const { scope, requestId, token } = this.batch;
    const { plan, caller, index } = candidate;
    const { preconditions, requirement, recordId } = this.item(index);
    if (plan.kind !== 'upsert') {
      const request = { scope, requestId, plan, token: { ...token, preconditions, requirement } };
      return { candidate, caller: { ...caller, token: request.token } as Caller, request, recordId };
    }
    const matched = plan.match(found, caller);
    const permitted = authorizeAs(caller, matched.requirement);
    const request = {
      scope,
      requestId,
      plan: plan.planFor(matched.id, preconditions),
      token: { ...token, preconditions, requirement: matched.requirement },
    };
    return {
      candidate,
      caller: { ...permitted, token: request.token } as Caller,
      request,
      recordId: matched.id,
    };
  }

  private item(index: number): BatchItem {
    const item = this.batch.items[index];
    if (item === undefined) throw new Error(`a batch has no item ${index}`);
    return item;
  }

  /** Performs the reads of all plans together. */
  private async read(chosen: readonly Chosen[]): Promise<PlanRows[]> {
    const reads = Object.fromEntries(chosen.map(({ request }, place) => [place, readsOfPlan(request.plan)]));
    const steps = stepsOf(reads);
    const results = steps.length === 0 ? [] : await this.transaction.send(steps);
    return Object.values(nameResults(reads, results)) as unknown as PlanRows[];
  }

  /** Writes a group; one by one if the database refuses one of its writes. */
  private async write(decided: readonly Decided[]): Promise<void> {
    for (const one of decided)
      this.outcomes[one.candidate.index] = doneOf(this.item(one.candidate.index), one);
    try {
      await this.send(decided);
    } catch (error) {
      const failure = error as DatabaseFailure;
      if (failure.constraint === idempotencyConstraint) throw inProgress();
      // Class 23: a constraint. Anything else is about the transaction as a whole.
      if (failure.code?.startsWith('23') !== true) throw error;
      for (const { candidate } of decided) this.outcomes[candidate.index] = undefined;
      await this.transaction.send([step(undo)]);
      const [one] = decided;
      if (decided.length === 1 && one !== undefined) await this.explain(one, error);
      else await this.writeSingly(decided);
    }
  }

  private async writeSingly(decided: readonly Decided[]): Promise<void> {
    for (const { candidate } of decided) {
      await this.carryOutGroup([candidate]);
      // An upsert that must look up its record again blocks the items after it.
      if (this.outcomes[candidate.index] === undefined) return;
    }
  }

  /** Notes why the database has refused an item. */
  private async explain(one: Decided, error: unknown): Promise<void> {
    const failure = new CommitFailure(error, one.caller.actor, one.outcome);
    if (this.isToRepeat(one, failure)) return;
    const inside = { query: (_scope: unknown, steps: readonly Step[]) => this.transaction.send(steps) };
    const problem = await explainFailure(inside, one.request, failure);
    this.refuse(one.candidate.index, problem, 0);
  }

  /** Whether an upsert must look up its record again, because another request changed the result in the meantime. */
  private isToRepeat({ candidate: { plan, index }, request }: Chosen, error: unknown): boolean {
    if (plan.kind !== 'upsert' || !plan.isOvertaken(error, request.plan.kind)) return false;
    const times = (this.repeated.get(index) ?? 1) + 1;
    this.repeated.set(index, times);
    return times <= mostAttempts;
  }

  /** Sends the steps of a group; with the last one the response, and the end of the transaction. */
  private async send(decided: readonly Decided[]): Promise<void> {
    const steps = decided.flatMap((one) => stepsOfItem(one));
    const events = decided.flatMap(({ outcome }) => outcome.events ?? []);
    const published = decided.flatMap(({ outcome }) => (outcome.publishes ?? []).map(({ name }) => name));
    const outcomes = this.outcomes.filter((outcome) => outcome !== undefined);
    if (outcomes.length < this.outcomes.length) {
      if (steps.length > 0) await this.transaction.send([step(savepoint), ...steps, step(release)]);
    } else {
      const { token } = this.batch;
      const response = { status: 200, location: null, etag: null, body: this.batch.render(outcomes) };
      const stored = storeSteps(keyOf(token), this.claim, {
        response,
        shown: { recordId: null, as: 'other' },
        published: [...new Set([...this.published, ...published])],
        instant: this.caller.instant,
      });
      await this.transaction.commit([step(savepoint), ...steps, ...stored]);
      this.response = response;
    }
    this.events.push(...events);
    for (const name of published) this.published.add(name);
  }
}

function isRemoval({ plan }: Candidate): boolean {
  return plan.kind === 'delete';
}

/** The steps of one item, the same as for a single write. */
function stepsOfItem({ request, caller, outcome }: Decided): Step[] {
  const steps = [
    ...countDeletion(request, caller),
    ...appendEvent(request, caller, outcome),
    ...change(outcome),
  ];
  // The extended visibility of one item must not apply to the next one.
  return joinSteps(steps.some(seesAll) ? [...steps, step(seeVisibleRecords)] : steps);
}

function doneOf(
  { model }: BatchItem,
  { outcome: { response, shown }, request: { plan } }: Decided,
): DoneItem {
  if (response === undefined || shown?.recordId == null)
    throw new Error('an item of a batch has no response');
  const isDeleted = plan.kind === 'delete';
  const version = isDeleted || response.etag === null ? null : versionOf(response.etag);
  return {
    model,
    status: plan.kind === 'create' ? 201 : isDeleted ? 204 : 200,
    recordId: shown.recordId,
    version,
  };
}
