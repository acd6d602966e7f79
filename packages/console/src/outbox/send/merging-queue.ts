/**
 * The queue of changes with what pages need of it: it reports what became of each change, and merges those that were refused because
 * somebody else was first. Whichever tab comes first merges, from what is stored alone, so it makes no difference whether the page
 * that made a change is still shown. Only conflicts are left to a person.
 */
import { ProblemError } from '@trellis/client/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../../api/api.ts';
import {
  type Amendment,
  type Change,
  type ChangeId,
  isMergeable,
  type NewChange,
  type Refusal,
  refuseUnrequested,
  toRefusal,
} from '../store/change.ts';
import { isOld } from '../store/key-life.ts';
import { isRefusal } from './problems.ts';
import { ChangeQueue, type Completed, type QueueOptions, type QueueState } from './queue.ts';

/** What became of a change. */
export type Outcome =
  /** It was carried out. `record` is the one that the server returned; null after a deletion. */
  | { readonly kind: 'done'; readonly record: ApiRecord | null }
  /** The server refused it, and it could not be merged. It is kept until it is sent again or given up. */
  | { readonly kind: 'refused'; readonly change: Change; readonly refusal: Refusal }
  /**
   * Nothing more is known of it here: it was given up, another tab was closed before it reported what became of it, or somebody has
   * signed out while it waited.
   */
  | { readonly kind: 'gone' };

/** A change that is stored. */
export interface Submitted {
  readonly change: Change;
  /** What becomes of it; never rejects. */
  readonly outcome: Promise<Outcome>;
}

export interface MergingOptions extends Omit<QueueOptions, 'onChange' | 'onDone'> {
  /** The resource of a request; null for one that has none. */
  readonly resourceOf: (path: string) => Resource | null;
  /**
   * Whether a record, as it is now, may be changed by a request that nobody has asked for (`sessionScopes` of the request). What may not
   * is refused here, until somebody asks for it.
   */
  readonly mayChangeUnrequested: (resource: Resource, record: ApiRecord) => boolean;
  /** Reads a record. @throws ProblemError */
  readonly read: (path: string) => Promise<ApiRecord>;
  /** Called whenever the state may have changed. What may still be merged counts as waiting: nobody needs to decide anything yet. */
  readonly onState: (state: Pick<QueueState, 'changes' | 'obstacle'>) => void;
  /** Milliseconds until a record that could not be read is read again for a merge; three seconds when absent. */
  readonly mergeRetryMs?: number;
}

/** Outcomes that are remembered for whoever asks late. */
const mostRemembered = 200;
/** How long the message about a change that has left the queue may take, in milliseconds. */
const messageMs = 1_000;

export class MergingQueue {
  private readonly options: MergingOptions;
  private readonly queue: ChangeQueue;
  private readonly waiters = new Map<number, PromiseWithResolvers<Outcome>>();
  private readonly outcomes = new Map<number, Outcome>();
  /** Changes that were carried out and have not left the store yet, by their `sequence`. */
  private readonly completed = new Map<number, Completed>();
  /** Keys of the changes that could not be merged without asking. */
  private readonly conflicts = new Set<string>();
  /** Keys of the changes that are being merged. */
  private readonly merging = new Set<string>();

  constructor(options: MergingOptions) {
    this.options = options;
    this.queue = new ChangeQueue({
      ...options,
      onCompleted: (completed, isStored) => this.handleCompleted(completed, isStored),
      onChange: (state) => this.handleState(state),
    });
  }

  /** Begins to send. @returns what ends with the queue */
  start(): Promise<void> {
    void this.refresh();
    return this.queue.start();
  }

  /** Stores a change; it is sent as soon as possible, and once. */
  async submit(added: NewChange): Promise<Submitted> {
    const change = await this.queue.add(added);
    return { change, outcome: this.outcomeOf(change.sequence) };
  }

  /** Sends a refused change again, as it is or amended. @returns null when it is gone or not what it was */
  async retry(id: ChangeId, amended: Amendment | null = null): Promise<Submitted | null> {
    this.outcomes.delete(id.sequence);
    const change = await this.queue.retry(id, amended);
    return change === null ? null : { change, outcome: this.outcomeOf(change.sequence) };
  }

  /**
   * Puts a merged request in the place of changes that belong together (`chainFrom`). They are refused instead if nobody has asked for
   * them and somebody has to (`mayChangeUnrequested`).
   * @param amended null when nothing is left to be done
   * @param record as it is now
   * @param isRequested whether the person asks for it now
   * @returns the change that is left, or null; `false` when one of them is gone or not what it was, or when they are refused, and nothing was done
   */
  async merge(
    chain: readonly Change[],
    amended: Amendment | null,
    record: ApiRecord,
    isRequested = false,
  ): Promise<Submitted | null | false> {
    for (const { sequence } of chain) this.outcomes.delete(sequence);
    const [first] = chain;
    if (first !== undefined && amended !== null && this.mustBeAskedFor(amended, record)) {
      await this.queue.refuse(first, refuseUnrequested());
      return false;
    }
    const change = await this.queue.merge(chain, amended, isRequested);
    if (change === false) return false;
    if (change !== null) return { change, outcome: this.outcomeOf(change.sequence) };
    // The record is already as it was to become.
    for (const merged of chain) this.settle(merged, { kind: 'done', record });
    return null;
  }

  /** Gives a change up. @returns whether it was still there */
  async dismiss(id: ChangeId): Promise<boolean> {
    const isDone = await this.queue.dismiss(id);
    if (isDone) this.settle(id, { kind: 'gone' });
    return isDone;
  }

  /** The changes of a record, in their order, as they are stored. The refusal of those that may still be merged is null. */
  async list(record: string): Promise<readonly Change[]> {
    const { changes } = await this.queue.state();
    return changes.filter((change) => change.record === record).map((change) => this.withoutMerging(change));
  }

  /** Aborted when it is stopped. */
  get stopped(): AbortSignal {
    return this.queue.stopped;
  }

  /** Tries at once what waits. */
  resume(): void {
    this.queue.resume();
  }

  async stop(): Promise<void> {
    await this.queue.stop();
    for (const sequence of this.waiters.keys()) this.settle({ sequence }, { kind: 'gone' });
  }

  /** Whether a request was made by itself, while the record as it is now may only be changed by somebody who asks for it. */
  private mustBeAskedFor({ request }: Amendment, record: ApiRecord): boolean {
    if (request.sessionScopes !== 'drafts') return false;
    const resource = this.options.resourceOf(request.path);
    return resource !== null && !this.options.mayChangeUnrequested(resource, record);
  }

  private outcomeOf(sequence: number): Promise<Outcome> {
    const known = this.outcomes.get(sequence);
    if (known !== undefined) return Promise.resolve(known);
    const waiter = this.waiters.get(sequence) ?? Promise.withResolvers<Outcome>();
    this.waiters.set(sequence, waiter);
    return waiter.promise;
  }

  /** Settles the outcome of a change, which is also that of those that were merged into it. */
  private settle({ sequence, contains = [] }: Pick<Change, 'sequence' | 'contains'>, outcome: Outcome): void {
    for (const one of [sequence, ...contains]) {
      this.waiters.get(one)?.resolve(outcome);
      this.waiters.delete(one);
      this.outcomes.delete(one);
      this.outcomes.set(one, outcome);
      const [oldest] = this.outcomes.keys();
      if (this.outcomes.size > mostRemembered && oldest !== undefined) this.outcomes.delete(oldest);
    }
  }

  private handleCompleted(completed: Completed, isStored: boolean): void {
    this.options.onCompleted?.(completed, isStored);
    if (isStored) this.completed.set(completed.change.sequence, completed);
    else this.settleDone(completed);
  }

  private settleDone({ change, body }: Completed): void {
    this.settle(change, { kind: 'done', record: isPlainObject(body) ? (body as ApiRecord) : null });
  }

  private handleState(state: QueueState): void {
    if (this.stopped.aborted) return;
    const changes = state.changes.map((change) => this.withoutMerging(change));
    this.options.onState({ changes, obstacle: state.obstacle });
    // What the storage refuses is tried again with the next state.
    for (const change of state.refused) void this.handleRefusal(change).catch(() => undefined);
    const present = new Set(state.changes.flatMap(({ sequence, contains = [] }) => [sequence, ...contains]));
    for (const completed of this.completed.values()) {
      const { sequence } = completed.change;
      if (present.has(sequence)) continue;
      this.completed.delete(sequence);
      this.settleDone(completed);
    }
    for (const sequence of this.waiters.keys()) {
      if (present.has(sequence)) continue;
      setTimeout(() => void this.checkGone(sequence), messageMs);
    }
  }

  /** Settles that a change is gone, unless it was stored after it had been looked for. */
  private async checkGone(sequence: number): Promise<void> {
    if (this.stopped.aborted || !this.waiters.has(sequence)) return;
    const state = await this.readState();
    if (state === null || !this.waiters.has(sequence)) return;
    const isThere = state.changes.some(
      (one) => one.sequence === sequence || one.contains?.includes(sequence),
    );
    if (!isThere) this.settle({ sequence }, { kind: 'gone' });
  }

  /** Merges, or settles that the change was refused. */
  private async handleRefusal(change: Change): Promise<void> {
    const { key, refusal } = change;
    if (refusal === null) return;
    if (!this.isMerging(change)) {
      this.settle(change, { kind: 'refused', change, refusal });
      return;
    }
    if (this.merging.has(key)) return;
    this.merging.add(key);
    let isDecided = true;
    try {
      // One tab reads the record. That only one of them merges follows from the key.
      isDecided = await this.options.locks.request(`trellis-merge ${key}`, () => this.mergeRefused(change));
    } catch (error) {
      await this.handleUnreadable(change, error);
    } finally {
      this.merging.delete(key);
    }
    if (!isDecided || this.conflicts.has(key)) await this.refresh();
  }

  /** The record of a change that is to be merged could not be read: it is gone, or was closed to the person, or that passes. */
  private async handleUnreadable(change: Change, error: unknown): Promise<void> {
    if (this.stopped.aborted) return;
    if (error instanceof ProblemError && isRefusal(error)) {
      await this.queue.refuse(change, toRefusal(error));
      return;
    }
    setTimeout(() => void this.refresh(), this.options.mergeRetryMs ?? 3_000);
  }

  private isMerging(change: Change): boolean {
    // What is old may be a copy of what was done, which somebody has put back: the person decides.
    const isRecent = !isOld(change.askedAt, (this.options.now ?? Date.now)());
    return isRecent && isMergeable(change) && !this.conflicts.has(change.key);
  }

  private withoutMerging(change: Change): Change {
    return this.isMerging(change) ? { ...change, refusal: null } : change;
  }

  private async refresh(): Promise<void> {
    if (this.stopped.aborted) return;
    const state = await this.readState();
    if (state !== null) this.handleState(state);
  }

  /** The state; null when the storage cannot be read now. It is read again when something changes, and every minute. */
  private readState(): Promise<QueueState | null> {
    return this.queue.state().catch(() => null);
  }

  /**
   * Merges a change with what others have done, unless another tab has, and notes when somebody has to decide.
   * @returns whether that is all. Otherwise something was added to the change in between, or it is refused
   */
  private async mergeRefused(change: Change): Promise<boolean> {
    const { amend, planMerge } = await import('../merge/rebase.ts');
    const { path } = change.request;
    const resource = this.options.resourceOf(path);
    const theirs = await this.options.read(path);
    const { refused, changes } = await this.queue.state();
    if (this.stopped.aborted || !refused.some(({ key }) => key === change.key)) return true;
    const plan = resource === null ? null : planMerge(change.sequence, changes, resource, theirs);
    const amended = plan && amend(plan.chain, plan.values, theirs);
    // Nobody is asked about a conflict before it is known that the change is to be made at all.
    const isConflict =
      plan === null ||
      (plan.conflicts.length > 0 && (amended === null || !this.mustBeAskedFor(amended, theirs)));
    if (!isConflict) return (await this.merge(plan.chain, amended, theirs)) !== false;
    this.conflicts.add(change.key);
    return true;
  }
}
