/**
 * The queue of changes with outcomes and merging: it reports the outcome of each change, and merges changes that were refused with a 412.
 * Any tab may merge, because a merge uses only stored data; the page that made the change may be closed. Only conflicts need the user.
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
  refuseAutosave,
  toRefusal,
} from '../store/change.ts';
import { isOld } from '../store/key-life.ts';
import { isRefusal } from './problems.ts';
import { ChangeQueue, type Completed, type QueueOptions, type QueueState } from './queue.ts';

/** The outcome of a change. */
export type Outcome =
  /** The change was carried out. `record` is the response body; null after a deletion. */
  | { readonly kind: 'done'; readonly record: ApiRecord | null }
  /** The server refused the change and it could not be merged. It stays in the queue until it is resent or discarded. */
  | { readonly kind: 'refused'; readonly change: Change; readonly refusal: Refusal }
  /** The outcome is unknown here: the change was discarded, another tab closed before reporting, or the user signed out. */
  | { readonly kind: 'gone' };

/** A stored change. */
export interface Submitted {
  readonly change: Change;
  /** Resolves with the outcome of the change; never rejects. */
  readonly outcome: Promise<Outcome>;
}

export interface MergingOptions extends Omit<QueueOptions, 'onChange' | 'onDone'> {
  /** The resource of a request path; null when there is none. */
  readonly resourceOf: (path: string) => Resource | null;
  /**
   * Whether the current state of a record permits an automatic save (`sessionScopes: 'drafts'`). Otherwise the queue refuses the change
   * until an explicit save.
   */
  readonly allowsAutosave: (resource: Resource, record: ApiRecord) => boolean;
  /** Reads a record. @throws ProblemError */
  readonly read: (path: string) => Promise<ApiRecord>;
  /**
   * Called whenever the state may have changed. A change that can still be merged counts as pending, because the user need not decide yet.
   */
  readonly onState: (state: Pick<QueueState, 'changes' | 'obstacle'>) => void;
  /** Milliseconds before the record of a merge is read again after a failure; three seconds when absent. */
  readonly mergeRetryMs?: number;
}

/** Number of outcomes that are kept for late callers. */
const mostRemembered = 200;
/** Maximum delay, in milliseconds, of the message about a change that has left the queue. */
const messageMs = 1_000;

export class MergingQueue {
  private readonly options: MergingOptions;
  private readonly queue: ChangeQueue;
  private readonly waiters = new Map<number, PromiseWithResolvers<Outcome>>();
  private readonly outcomes = new Map<number, Outcome>();
  /** Completed changes that are still in the store, by `sequence`. */
  private readonly completed = new Map<number, Completed>();
  /** Keys of the changes with conflicts, which only the user can resolve. */
  private readonly conflicts = new Set<string>();
  /** Keys of the changes with a merge in progress. */
  private readonly merging = new Set<string>();

  constructor(options: MergingOptions) {
    this.options = options;
    this.queue = new ChangeQueue({
      ...options,
      onCompleted: (completed, isStored) => this.handleCompleted(completed, isStored),
      onChange: (state) => this.handleState(state),
    });
  }

  /** Starts sending. @returns resolves when the queue has stopped */
  start(): Promise<void> {
    void this.refresh();
    return this.queue.start();
  }

  /** Stores a change; it is sent as soon as possible, exactly once. */
  async submit(added: NewChange): Promise<Submitted> {
    const change = await this.queue.add(added);
    return { change, outcome: this.outcomeOf(change.sequence) };
  }

  /** Resends a refused change, unchanged or amended. @returns null when the change is gone or was modified */
  async retry(id: ChangeId, amended: Amendment | null = null): Promise<Submitted | null> {
    this.outcomes.delete(id.sequence);
    const change = await this.queue.retry(id, amended);
    return change === null ? null : { change, outcome: this.outcomeOf(change.sequence) };
  }

  /**
   * Replaces a chain of changes (`chainFrom`) by a merged request. Refuses the chain instead if it was saved automatically and the record
   * now needs an explicit save (`allowsAutosave`).
   * @param amended null when nothing is left to send
   * @param record the current version
   * @param isExplicit whether the user saves explicitly
   * @returns the merged change, or null; `false` when a change is gone or was modified, or the chain was refused: then nothing was merged
   */
  async merge(
    chain: readonly Change[],
    amended: Amendment | null,
    record: ApiRecord,
    isExplicit = false,
  ): Promise<Submitted | null | false> {
    for (const { sequence } of chain) this.outcomes.delete(sequence);
    const [first] = chain;
    if (first !== undefined && amended !== null && this.isAutosaveBlocked(amended, record)) {
      await this.queue.refuse(first, refuseAutosave());
      return false;
    }
    const change = await this.queue.merge(chain, amended, isExplicit);
    if (change === false) return false;
    if (change !== null) return { change, outcome: this.outcomeOf(change.sequence) };
    // The record already has all values of the chain.
    for (const merged of chain) this.settle(merged, { kind: 'done', record });
    return null;
  }

  /** Discards a change. @returns whether it still existed */
  async dismiss(id: ChangeId): Promise<boolean> {
    const isDone = await this.queue.dismiss(id);
    if (isDone) this.settle(id, { kind: 'gone' });
    return isDone;
  }

  /** The stored changes of a record, in order. Changes that can still be merged have no refusal. */
  async list(record: string): Promise<readonly Change[]> {
    const { changes } = await this.queue.state();
    return changes.filter((change) => change.record === record).map((change) => this.withoutMerging(change));
  }

  /** Aborted when the queue stops. */
  get stopped(): AbortSignal {
    return this.queue.stopped;
  }

  /** Retries pending changes immediately. */
  resume(): void {
    this.queue.resume();
  }

  async stop(): Promise<void> {
    await this.queue.stop();
    for (const sequence of this.waiters.keys()) this.settle({ sequence }, { kind: 'gone' });
  }

  /** Whether a request was saved automatically although the current state of the record needs an explicit save. */
  private isAutosaveBlocked({ request }: Amendment, record: ApiRecord): boolean {
    if (request.sessionScopes !== 'drafts') return false;
    const resource = this.options.resourceOf(request.path);
    return resource !== null && !this.options.allowsAutosave(resource, record);
  }

  private outcomeOf(sequence: number): Promise<Outcome> {
    const known = this.outcomes.get(sequence);
    if (known !== undefined) return Promise.resolve(known);
    const waiter = this.waiters.get(sequence) ?? Promise.withResolvers<Outcome>();
    this.waiters.set(sequence, waiter);
    return waiter.promise;
  }

  /** Settles the outcome of a change, and of the changes that were merged into it. */
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
    // After a storage failure the next state change retries.
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

  /** Settles a change as gone, unless it was stored after the lookup. */
  private async checkGone(sequence: number): Promise<void> {
    if (this.stopped.aborted || !this.waiters.has(sequence)) return;
    const state = await this.readState();
    if (state === null || !this.waiters.has(sequence)) return;
    const isThere = state.changes.some(
      (one) => one.sequence === sequence || one.contains?.includes(sequence),
    );
    if (!isThere) this.settle({ sequence }, { kind: 'gone' });
  }

  /** Merges the change, or settles it as refused. */
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
      // The lock avoids duplicate reads only; the key of the change ensures that one tab merges.
      isDecided = await this.options.locks.request(`trellis-merge ${key}`, () => this.mergeRefused(change));
    } catch (error) {
      await this.handleUnreadable(change, error);
    } finally {
      this.merging.delete(key);
    }
    if (!isDecided || this.conflicts.has(key)) await this.refresh();
  }

  /** Handles a record that could not be read for a merge: it was deleted, access was revoked, or the failure is temporary. */
  private async handleUnreadable(change: Change, error: unknown): Promise<void> {
    if (this.stopped.aborted) return;
    if (error instanceof ProblemError && isRefusal(error)) {
      await this.queue.refuse(change, toRefusal(error));
      return;
    }
    setTimeout(() => void this.refresh(), this.options.mergeRetryMs ?? 3_000);
  }

  private isMerging(change: Change): boolean {
    // An old change may be a restored copy of one that was carried out already: the user decides.
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

  /** The state; null when the storage cannot be read. The next change, or the check each minute, reads it again. */
  private readState(): Promise<QueueState | null> {
    return this.queue.state().catch(() => null);
  }

  /**
   * Merges a change with those of other users, unless another tab has done so, and marks conflicts for the user.
   * @returns whether the refusal is handled; false when the change was extended in the meantime or the merge was refused
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
    // A conflict matters only if the change may be sent at all, so permission is checked first.
    const isConflict =
      plan === null ||
      (plan.conflicts.length > 0 && (amended === null || !this.isAutosaveBlocked(amended, theirs)));
    if (!isConflict) return (await this.merge(plan.chain, amended, theirs)) !== false;
    this.conflicts.add(change.key);
    return true;
  }
}
