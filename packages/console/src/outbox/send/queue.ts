/**
 * The durable queue of changes. A change is stored with its idempotency key before it is sent, and removed after the response. If the tab,
 * the computer or the server stops in between, the change is resent under the same key and takes effect once. One tab sends (`Sender`); all
 * tabs learn the state and the outcomes.
 */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../../api/api.ts';
import type { Amendment, Change, ChangeId, NewChange, Submission } from '../store/change.ts';
import { autosaveRefusal, type Refusal } from '../store/refusal.ts';
import { type Outcome, Outcomes } from './outcomes.ts';
import { type Completed, isAutosaveBlocked, Sender, type SenderOptions } from './sender.ts';

export interface QueueOptions extends SenderOptions {
  /** Called in every tab for each completed change. */
  readonly onCompleted?: (completed: Completed) => void;
  /** Called in every tab whenever the state may have changed. */
  readonly onState?: (state: QueueState) => void;
}

/** A stored change. */
export interface Submitted {
  readonly change: Change;
  /** Resolves with the outcome of the change; never rejects. */
  readonly outcome: Promise<Outcome>;
}

/** The state that the header of the console displays. */
export interface QueueState {
  /** All changes in order, pending and refused. */
  readonly changes: readonly Change[];
  /** Why sending is suspended, as far as this tab knows; null while it is not. */
  readonly obstacle: Error | null;
}

/** A message between tabs. */
type Message =
  | { readonly kind: 'changed' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'completed'; readonly completed: Completed };

/** Maximum delay, in milliseconds, of the message about a change that has left the queue. */
const messageMs = 1_000;

export class ChangeQueue {
  private readonly options: QueueOptions;
  private readonly sender: Sender;
  private readonly channel: BroadcastChannel;
  private readonly stopping = new AbortController();
  private readonly outcomes = new Outcomes();
  private running: Promise<void> | null = null;
  private isClosed = false;

  constructor(options: QueueOptions) {
    this.options = options;
    this.sender = new Sender(options, {
      completed: (completed) => this.tell(completed),
      changed: () => this.announce(),
      paused: () => void this.report(),
    });
    this.channel = new BroadcastChannel(`trellis-changes ${options.owner}`);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'completed') this.handleCompleted(data.completed);
      else this.wakeUp(data.kind === 'resumed');
    };
  }

  /** Starts sending as soon as no other tab does. @returns resolves when the queue has stopped */
  start(): Promise<void> {
    void this.report();
    this.running ??= this.sender.start(this.stopping.signal);
    return this.running;
  }

  /** Aborted when the queue stops. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Stops sending and releases the lock to another tab. Requests in flight are resent under their keys. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running?.catch(() => undefined);
    this.isClosed = true;
    this.channel.close();
    for (const sequence of this.outcomes.missing([])) this.outcomes.settle({ sequence }, { kind: 'gone' });
  }

  /** Stores a change; it is sent as soon as possible, exactly once. Resolves when it is durable. */
  async submit(added: NewChange): Promise<Submitted> {
    return this.submitted(await this.options.store.add(added, this.submission()));
  }

  /** Resends a refused change under a new key, unchanged or amended. @returns null when the change is gone or was modified */
  async retry(id: ChangeId, amended: Amendment | null = null): Promise<Submitted | null> {
    this.outcomes.forget(id.sequence);
    const change = await this.options.store.retry(id, amended, this.submission());
    return change && this.submitted(change);
  }

  /** Replaces changes by others (see `ChangeStore.replace`). @returns null when one of them is gone or was modified */
  async replace(ids: readonly ChangeId[], added: readonly NewChange[]): Promise<readonly Submitted[] | null> {
    for (const { sequence } of ids) this.outcomes.forget(sequence);
    const changes = await this.options.store.replace(ids, added, this.submission());
    this.announce();
    return changes?.map((change) => this.submitted(change)) ?? null;
  }

  /**
   * Replaces a change by its merge with the record's current version. An automatic save is refused instead if the record now needs an
   * explicit one.
   * @param amended null when nothing is left to send
   * @returns the merged change, or null; `false` when the change is gone or was modified, or was refused: then nothing was merged
   */
  async merge(
    change: Change,
    amended: Amendment | null,
    record: ApiRecord,
  ): Promise<Submitted | null | false> {
    this.outcomes.forget(change.sequence);
    if (amended !== null && isAutosaveBlocked(this.options, amended.request, record)) {
      await this.options.store.refuse(change, autosaveRefusal);
      this.announce();
      return false;
    }
    const merged = await this.options.store.merge(change, amended);
    if (merged === null) this.outcomes.settle(change, { kind: 'done', record });
    if (merged) return this.submitted(merged);
    this.announce();
    return merged;
  }

  /** Discards a change. @returns whether it still existed */
  async dismiss(id: ChangeId): Promise<boolean> {
    const isDone = await this.options.store.dismiss(id);
    if (isDone) this.outcomes.settle(id, { kind: 'gone' });
    this.announce();
    return isDone;
  }

  /** Retries immediately, after the network is back or the user has signed in again. */
  resume(): void {
    this.post({ kind: 'resumed' });
    this.wakeUp(true);
  }

  /** The stored changes of a record, in order. */
  async list(record: string): Promise<readonly Change[]> {
    return (await this.options.store.list()).filter((change) => change.record === record);
  }

  async state(): Promise<QueueState> {
    return { changes: await this.options.store.list(), obstacle: this.sender.obstacle };
  }

  private submitted(change: Change): Submitted {
    this.announce();
    // It became part of a change that is in conflict.
    if (change.refusal !== null) this.settleRefused(change, change.refusal);
    return { change, outcome: this.outcomes.of(change.sequence) };
  }

  private settleRefused(change: Change, refusal: Refusal): void {
    this.outcomes.settle(change, { kind: 'refused', change, refusal });
  }

  private submission(): Submission {
    return { askedAt: (this.options.now ?? Date.now)(), session: this.options.session };
  }

  /** Announces a completed change to all tabs, including this one. */
  private tell(completed: Completed): void {
    this.post({ kind: 'completed', completed });
    // An exception of a listener must not stop the queue.
    queueMicrotask(() => this.handleCompleted(completed));
  }

  private handleCompleted(completed: Completed): void {
    const { change, body } = completed;
    this.options.onCompleted?.(completed);
    this.outcomes.settle(change, { kind: 'done', record: isPlainObject(body) ? (body as ApiRecord) : null });
  }

  /** Announces a change of state to all tabs, including this one. */
  private announce(): void {
    this.post({ kind: 'changed' });
    if (!this.stopping.signal.aborted) this.wakeUp(false);
  }

  /** Posts to the other tabs, also while this one stops: otherwise they would continue from the state before a completed change. */
  private post(message: Message): void {
    if (!this.isClosed) this.channel.postMessage(message);
  }

  private wakeUp(isResumed: boolean): void {
    if (isResumed) this.sender.resume();
    else this.sender.wake();
    void this.report();
  }

  /** Reports the state, and the outcomes that follow from it. */
  private async report(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    // On failure, the next change or the check each minute reads it again.
    const state = await this.state().catch(() => null);
    if (state === null || this.stopping.signal.aborted) return;
    this.options.onState?.(state);
    for (const change of state.changes) {
      if (change.refusal !== null) this.settleRefused(change, change.refusal);
    }
    if (this.outcomes.missing(state.changes).length > 0)
      setTimeout(() => void this.settleMissing(), messageMs);
  }

  /** Settles changes that have left the queue as gone, unless their outcome was told. */
  private async settleMissing(): Promise<void> {
    const changes = await this.options.store.list().catch(() => null);
    if (changes === null) return;
    for (const sequence of this.outcomes.missing(changes))
      this.outcomes.settle({ sequence }, { kind: 'gone' });
  }
}
