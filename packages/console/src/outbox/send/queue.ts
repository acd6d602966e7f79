/**
 * The durable queue of changes. A change is stored with its idempotency key before it is sent, and removed when the server has
 * responded: whatever ends in between, the tab, the laptop or the server, it is sent again under the same key and happens once.
 * Of all tabs one sends, which holds a lock of the browser. Changes of one record keep their order; records do not wait for
 * each other.
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
  /** Makes one attempt of each request: the queue repeats. */
  readonly client: Pick<ApiClient, 'request'>;
  readonly store: ChangeStore;
  /** Organization and user whose session sends. Changes of others stay where they are until those sign in again. */
  readonly owner: string;
  /** Id of the session that sends. */
  readonly session: string;
  /** Whether a request to this path changes who may do what. It is sent only in the session in which the person has asked for it. */
  readonly givesAccess: (path: string) => boolean;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
  /** Called in the tab that sends, for each change that was carried out. */
  readonly onDone?: (change: Change, response: ApiResponse<unknown>) => void;
  /**
   * Called in every tab for each change that was carried out.
   * @param isStored whether the change may still be in the store: it is a patch. Whoever no longer finds it there knows what it has left. A
   *   deletion would take the page away that waits for its outcome
   */
  readonly onCompleted?: (completed: Completed, isStored: boolean) => void;
  /** Called in every tab whenever the state may have changed. */
  readonly onChange?: (state: QueueState) => void;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Waits after a failure; replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds after which every tab looks for changes of which it was not told; a minute when absent. */
  readonly checkIntervalMs?: number;
}

/** A change that was carried out, as all tabs are told. */
export interface Completed {
  readonly change: Change;
  /** The body of the response without what is shown once; null without a body. */
  readonly body: unknown;
}

/** What the header of the console shows. */
export interface QueueState {
  /** All changes in their order, those that wait and those that were refused. */
  readonly changes: readonly Change[];
  /** Changes without a response yet. */
  readonly waiting: number;
  /** Changes that the server refused, until the person has seen them. */
  readonly refused: readonly Change[];
  /** Why nothing is sent now, as far as this tab knows; null when nothing is in the way. */
  readonly obstacle: Error | null;
}

/** A message between tabs. */
type Message =
  | { readonly kind: 'changed' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'completed'; readonly completed: Completed };

/** Records whose changes are sent at the same time. */
const concurrency = 4;
const defaultCheckIntervalMs = 60_000;

export class ChangeQueue {
  private readonly options: QueueOptions;
  private readonly now: () => number;
  private readonly channel: BroadcastChannel;
  private readonly stopping = new AbortController();
  /** There may be something to send. */
  private readonly wakeup = new Wakeup();
  /** What was in the way may be gone. */
  private readonly resumption = new Wakeup();
  /** Records of which a change is being sent. */
  private readonly busy = new Set<string>();
  /** Records whose last request has failed, in the order of their turns: after all others, so that none waits for one that always fails. */
  private readonly failed = new Set<string>();
  private failures = 0;
  /** How often what was in the way may have gone. */
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

  /** Begins to send as soon as no other tab does. @returns what ends with the queue */
  start(): Promise<void> {
    this.running ??= this.runLocked();
    return this.running;
  }

  /** Aborted when it is stopped. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Stops sending and gives the lock to another tab. What is being sent is sent again under its key. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running?.catch(() => undefined);
    this.isClosed = true;
    this.channel.close();
  }

  /** Stores a change; it will be sent. Resolves when it is safe. */
  async add(added: NewChange): Promise<Change> {
    const { store, owner } = this.options;
    const stored = await store.add(owner, added, this.submission());
    this.announce();
    return stored;
  }

  /** Tries again at once: the network is back, or the person has signed in again. */
  resume(): void {
    this.post({ kind: 'resumed' });
    this.wakeUp(true);
  }

  /** Removes a change that the person gives up. @returns whether it was still there */
  async dismiss(id: ChangeId): Promise<boolean> {
    const isDone = await this.options.store.dismiss(id);
    this.announce();
    return isDone;
  }

  /**
   * Sends a refused change again under a new key.
   * @param amended the request to send instead, and the values that it replaces
   * @returns the stored change; null when it is gone or not what it was
   */
  async retry(id: ChangeId, amended: Amendment | null = null): Promise<Change | null> {
    const stored = await this.options.store.retry(id, amended, this.submission());
    this.announce();
    return stored;
  }

  /** Puts a merged request in the place of changes that belong together (see the store). */
  async merge(
    chain: readonly Change[],
    amended: Amendment | null,
    isRequested: boolean,
  ): Promise<Change | null | false> {
    const merged = await this.options.store.merge(chain, amended, isRequested ? this.submission() : null);
    this.announce();
    return merged;
  }

  /** Keeps that a change cannot be carried out, unless it is gone or not what it was. */
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
    // A tab that was closed before it could tell of a change has stored it all the same.
    const checking = setInterval(() => this.wakeUp(false), checkIntervalMs);
    while (!signal.aborted) {
      const { resumptions } = this;
      try {
        await locks.request(`trellis-changes ${owner}`, { signal }, () => this.run(signal));
      } catch (error) {
        // Where this tab cannot read the storage, another one may.
        await this.pause(error, signal, resumptions);
      }
    }
    clearInterval(checking);
  }

  /** Sends what waits, and then whatever is added, until the signal is aborted. */
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

  /** The first change of each record, unless it was refused or one of the record is being sent. */
  private async findReady(): Promise<Change[]> {
    // Signed out: every request would be refused. After another failure one request finds out whether it has passed.
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

  /** Sends a change once. @throws what keeps the server from responding */
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

  /** Tells all tabs, this one too, that a change was carried out. */
  private tell(completed: Completed): void {
    this.post({ kind: 'completed', completed });
    // A fault of a page ends nothing here.
    queueMicrotask(() => this.options.onCompleted?.(completed, isToldFirst(completed.change)));
  }

  /**
   * Whether the person has to ask for the change again: a later sign-in is no consent to what changes rights, and what is older than
   * the server remembers may be a copy of what was done, put back by somebody. A version that is gone stops such a copy.
   */
  private mustBeConfirmed({ request, askedAt, session }: Change, now: number): boolean {
    if (request.ifMatch === null && isOld(askedAt, now)) return true;
    return session !== this.options.session && this.options.givesAccess(request.path);
  }

  /** Whether the server wants the person to prove again who they are before it does this: the page asks, and nothing else waits for that. */
  private mustBeProved({ method, path }: ChangeRequest, { code }: ProblemError): boolean {
    return (
      code === 'insufficient_user_authentication' && (method === 'DELETE' || this.options.givesAccess(path))
    );
  }

  private submission(): Submission {
    return { askedAt: this.now(), session: this.options.session };
  }

  /**
   * Waits after a failure that passes: of the network, the server, the session or the browser's storage. The change is still there,
   * and is sent again under its key.
   * @param resumptions those before what has failed began: what was in the way then may be gone
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

  /** Tells all tabs, this one too, that something has changed. */
  private announce(): void {
    this.post({ kind: 'changed' });
    if (!this.stopping.signal.aborted) this.wakeUp(false);
  }

  /** Tells the other tabs, also while this one stops: they would go on from what the record was before a change that is carried out. */
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
    // What cannot be read now is read when something changes, or a minute later.
    const state = await this.state().catch(() => null);
    if (state !== null) onChange(state);
  }
}

/** Whether pages are told of a change before it leaves the store: one that no longer finds it there would go on from what the record was before. */
function isToldFirst({ request }: Change): boolean {
  return request.method === 'PATCH';
}

/**
 * The version that the change has left. A replayed response may show the record as it is by now; a change that follows must not
 * overwrite what others did in between, so it gets the version right after the one that was changed.
 */
function etagAfter({ ifMatch }: ChangeRequest, etag: string | null): string | null {
  const [before, after] = [versionOf(ifMatch), versionOf(etag)];
  return before !== null && after !== null && after > before + 1 ? etagOf(before + 1) : etag;
}

function isSignedOut(error: Error | null): boolean {
  return error instanceof ProblemError && endsSession(error);
}
