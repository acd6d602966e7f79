/**
 * The durable queue of changes. A change is stored with its idempotency key before it is sent, and removed after the response. If the tab,
 * the computer or the server stops in between, the change is resent under the same key and takes effect once. A browser lock ensures that
 * only one tab sends. Changes of one record keep their order; records are independent of each other.
 */

import type { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { type ApiResponse, etagOf } from '@trellis/client/response.ts';
import { delayAfter, wait } from '@trellis/client/retry.ts';
import {
  type Amendment,
  type Change,
  type ChangeId,
  type ChangeRequest,
  type NewChange,
  type Refusal,
  refuseUnconfirmed,
  type Submission,
  toRefusal,
  versionOf,
} from '../store/change.ts';
import type { ChangeStore } from '../store/change-store.ts';
import { isOld, isOutcomeUnknown, outcomeUnknown, outcomeUnknownMessage } from '../store/key-life.ts';
import { withoutOneTimeMembers } from './one-time.ts';
import { endsSession, isRefusal } from './problems.ts';
import { Wakeup } from './wakeup.ts';

export interface QueueOptions {
  /** A client without retries: the queue repeats requests itself. */
  readonly client: Pick<ApiClient, 'request'>;
  readonly store: ChangeStore;
  /** Organization and user of the session. The changes of other users are kept until these sign in again. */
  readonly owner: string;
  readonly session: string;
  /** Whether a request to this path changes access rights. Such a change is sent only in the session in which the user made it. */
  readonly givesAccess: (path: string) => boolean;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
  /** Called in the sending tab for each completed change. */
  readonly onDone?: (change: Change, response: ApiResponse<unknown>) => void;
  /**
   * Called in every tab for each completed change.
   * @param isStored whether the change may still be in the store, which holds for a PATCH (see `isToldFirst`). A deletion leaves the store
   * first, because the notification may close the page that awaits its outcome.
   */
  readonly onCompleted?: (completed: Completed, isStored: boolean) => void;
  /** Called in every tab whenever the state may have changed. */
  readonly onChange?: (state: QueueState) => void;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Delay after a failure; replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds between checks for changes whose notification was lost; a minute when absent. */
  readonly checkIntervalMs?: number;
}

/** A completed change, as announced to all tabs. */
export interface Completed {
  readonly change: Change;
  /** The response body without one-time members; null without a body. */
  readonly body: unknown;
}

/** The state that the header of the console displays. */
export interface QueueState {
  /** All changes in order, pending and refused. */
  readonly changes: readonly Change[];
  /** Number of changes without a response. */
  readonly waiting: number;
  /** Refused changes, until the user handles them. */
  readonly refused: readonly Change[];
  /** Why sending is suspended, as far as this tab knows; null while it is not. */
  readonly obstacle: Error | null;
}

/** A message between tabs. */
type Message =
  | { readonly kind: 'changed' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'completed'; readonly completed: Completed };

/** Number of records whose changes are sent concurrently. */
const concurrency = 4;
const defaultCheckIntervalMs = 60_000;

export class ChangeQueue {
  private readonly options: QueueOptions;
  private readonly now: () => number;
  private readonly channel: BroadcastChannel;
  private readonly stopping = new AbortController();
  /** Fires when there may be something to send. */
  private readonly wakeup = new Wakeup();
  /** Fires when an obstacle may be gone. */
  private readonly resumption = new Wakeup();
  /** Records with a request in flight. */
  private readonly busy = new Set<string>();
  /** Records whose last request failed, in order. They come after all others, so that a permanently failing record blocks none. */
  private readonly failed = new Set<string>();
  private failures = 0;
  /** How often `resume` was called. */
  private resumptions = 0;
  private obstacle: Error | null = null;
  private running: Promise<void> | null = null;
  private isClosed = false;

  constructor(options: QueueOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
    this.channel = new BroadcastChannel(`trellis-changes ${options.owner}`);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'completed') {
        const { completed } = data;
        this.options.onCompleted?.(completed, isToldFirst(completed.change));
      } else this.wakeUp(data.kind === 'resumed');
    };
  }

  /** Starts sending as soon as no other tab does. @returns resolves when the queue has stopped */
  start(): Promise<void> {
    this.running ??= this.runLocked();
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
  }

  /** Stores a change to be sent. Resolves when it is durable. */
  async add(added: NewChange): Promise<Change> {
    const { store, owner } = this.options;
    const stored = await store.add(owner, added, this.submission());
    this.announce();
    return stored;
  }

  /** Retries immediately, after the network is back or the user has signed in again. */
  resume(): void {
    this.post({ kind: 'resumed' });
    this.wakeUp(true);
  }

  /** Discards a change. @returns whether it still existed */
  async dismiss(id: ChangeId): Promise<boolean> {
    const isDone = await this.options.store.dismiss(id);
    this.announce();
    return isDone;
  }

  /**
   * Resends a refused change under a new key.
   * @param amended the new request, and the values that it replaces
   * @returns the stored change; null when the change is gone or was modified
   */
  async retry(id: ChangeId, amended: Amendment | null = null): Promise<Change | null> {
    const stored = await this.options.store.retry(id, amended, this.submission());
    this.announce();
    return stored;
  }

  /** Replaces a chain of changes by a merged request (see `ChangeStore.merge`). */
  async merge(
    chain: readonly Change[],
    amended: Amendment | null,
    isExplicit: boolean,
  ): Promise<Change | null | false> {
    const merged = await this.options.store.merge(chain, amended, isExplicit ? this.submission() : null);
    this.announce();
    return merged;
  }

  /** Stores the refusal of a change, unless the change is gone or was modified. */
  async refuse(id: ChangeId, refusal: Refusal): Promise<void> {
    await this.options.store.refuse(id, refusal);
    this.announce();
  }

  async state(): Promise<QueueState> {
    const changes = await this.options.store.list(this.options.owner);
    const refused = changes.filter(({ refusal }) => refusal !== null);
    return { changes, waiting: changes.length - refused.length, refused, obstacle: this.obstacle };
  }

  private async runLocked(): Promise<void> {
    const { locks, owner, checkIntervalMs = defaultCheckIntervalMs } = this.options;
    const { signal } = this.stopping;
    // Finds changes of tabs that closed before they could announce them.
    const checking = setInterval(() => this.wakeUp(false), checkIntervalMs);
    while (!signal.aborted) {
      const { resumptions } = this;
      try {
        await locks.request(`trellis-changes ${owner}`, { signal }, () => this.run(signal));
      } catch (error) {
        // While this tab waits, another one with readable storage can send.
        await this.pause(error, signal, resumptions);
      }
    }
    clearInterval(checking);
  }

  /** Sends pending changes as they arrive, until the signal is aborted. */
  private async run(signal: AbortSignal): Promise<void> {
    const sending = new Set<Promise<void>>();
    const abort = () => this.wakeup.wake();
    signal.addEventListener('abort', abort);
    try {
      while (!signal.aborted) {
        const woken = this.wakeup.next();
        for (const change of await this.findReady()) {
          this.busy.add(change.record);
          const work = this.attempt(change, signal).finally(() => {
            this.busy.delete(change.record);
            sending.delete(work);
            this.announce();
          });
          sending.add(work);
        }
        if (!signal.aborted) await woken;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      await Promise.allSettled(sending);
    }
  }

  /** Sends a change once, and waits after a failure. */
  private async attempt(change: Change, signal: AbortSignal): Promise<void> {
    const { resumptions } = this;
    this.failed.delete(change.record);
    try {
      await this.send(change, signal);
    } catch (error) {
      this.failed.add(change.record);
      await this.pause(error, signal, resumptions);
    }
  }

  /** The first change of each record, except records whose first change was refused or that have a request in flight. */
  private async findReady(): Promise<Change[]> {
    // After signing out every request would fail. After another failure, a single request probes whether it has passed.
    if (isSignedOut(this.obstacle)) return [];
    const most = this.obstacle === null ? concurrency : 1;
    const first = new Map<string, Change>();
    for (const change of await this.options.store.list(this.options.owner)) {
      if (!first.has(change.record)) first.set(change.record, change);
    }
    const turns = [...this.failed];
    return [...first.values()]
      .filter(({ record, refusal }) => refusal === null && !this.busy.has(record))
      .sort((one, other) => turns.indexOf(one.record) - turns.indexOf(other.record))
      .slice(0, Math.max(0, most - this.busy.size));
  }

  /** Sends a change once. @throws the error when there is no definite response */
  private async send({ sequence }: Change, signal: AbortSignal): Promise<void> {
    const { client, store, onDone } = this.options;
    const now = this.now();
    const change = await store.claim(sequence, now);
    if (change === null) return;
    const { request, key, firstSentAt } = change;
    if (isOutcomeUnknown({ firstSentAt, ifMatch: request.ifMatch }, now)) {
      const reasons = [outcomeUnknownMessage];
      await store.refuse(change, { code: outcomeUnknown, status: null, reasons, members: {} });
      return;
    }
    if (this.mustBeConfirmed(change, now)) {
      await store.refuse(change, refuseUnconfirmed());
      return;
    }
    const { ifMatch, ...rest } = request;
    const given = { ...rest, ifMatch: ifMatch ?? undefined, idempotencyKey: key, attempts: 1, signal };
    let response: ApiResponse<unknown>;
    try {
      response = await client.request(given);
    } catch (error) {
      if (!(error instanceof ProblemError) || !(isRefusal(error) || this.mustBeProved(request, error)))
        throw error;
      this.clearObstacle();
      await store.refuse(change, toRefusal(error));
      return;
    }
    this.clearObstacle();
    const completed: Completed = { change, body: withoutOneTimeMembers(response.body) };
    if (isToldFirst(change)) this.tell(completed);
    await store.settle(sequence, etagAfter(request, response.etag));
    onDone?.(change, response);
    if (!isToldFirst(change)) this.tell(completed);
  }

  /** Announces a completed change to all tabs, including this one. */
  private tell(completed: Completed): void {
    this.post({ kind: 'completed', completed });
    // An exception of a listener must not stop the queue.
    queueMicrotask(() => this.options.onCompleted?.(completed, isToldFirst(completed.change)));
  }

  /**
   * Whether the user must confirm the change again. A change of access rights needs the session it was made in. A change older than the key
   * retention may be a restored copy of one that was carried out already; a precondition on the version makes such a copy harmless.
   */
  private mustBeConfirmed({ request, askedAt, session }: Change, now: number): boolean {
    if (request.ifMatch === null && isOld(askedAt, now)) return true;
    return session !== this.options.session && this.options.givesAccess(request.path);
  }

  /** Whether the server requires a fresh proof of identity: the page requests it, and no other change waits for it. */
  private mustBeProved({ method, path }: ChangeRequest, { code }: ProblemError): boolean {
    return (
      code === 'insufficient_user_authentication' && (method === 'DELETE' || this.options.givesAccess(path))
    );
  }

  private submission(): Submission {
    return { askedAt: this.now(), session: this.options.session };
  }

  /**
   * Waits after a temporary failure of the network, the server, the session or the storage. The change is kept and resent under its key.
   * @param resumptions the count before the failed attempt: if it has grown since, the obstacle may be gone already
   */
  private async pause(error: unknown, signal: AbortSignal, resumptions: number): Promise<void> {
    if (signal.aborted || resumptions !== this.resumptions) return;
    this.failures += 1;
    this.obstacle = error instanceof Error ? error : new Error(String(error));
    void this.report();
    if (isSignedOut(this.obstacle)) return;
    const retryAfterMs = error instanceof ProblemError ? error.retryAfterMs : 0;
    const delay = delayAfter(this.failures, retryAfterMs);
    const over = new AbortController();
    const waited = (this.options.wait ?? wait)(delay, AbortSignal.any([signal, over.signal]));
    await Promise.race([waited.catch(() => undefined), this.resumption.next()]);
    over.abort();
  }

  private clearObstacle(): void {
    this.obstacle = null;
    this.failures = 0;
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
    if (isResumed) {
      this.resumptions += 1;
      this.clearObstacle();
      this.resumption.wake();
    }
    this.wakeup.wake();
    void this.report();
  }

  private async report(): Promise<void> {
    const { onChange } = this.options;
    if (onChange === undefined || this.stopping.signal.aborted) return;
    // On failure, the next change or the check each minute reads it again.
    const state = await this.state().catch(() => null);
    if (state !== null) onChange(state);
  }
}

/**
 * Whether pages are notified of a change before it leaves the store. A page that no longer finds its PATCH there without the notification
 * would continue from the state before the change.
 */
function isToldFirst({ request }: Change): boolean {
  return request.method === 'PATCH';
}

/**
 * The version after the change. A replayed response may contain a later version; the next change must not overwrite changes in between, so
 * its precondition is the version directly after the changed one.
 */
function etagAfter({ ifMatch }: ChangeRequest, etag: string | null): string | null {
  const [before, after] = [versionOf(ifMatch), versionOf(etag)];
  return before !== null && after !== null && after > before + 1 ? etagOf(before + 1) : etag;
}

function isSignedOut(error: Error | null): boolean {
  return error instanceof ProblemError && endsSession(error);
}
