/**
 * The durable queue of changes. A change is stored with its idempotency key before it is sent, and removed when the server has
 * answered it: whatever ends in between, the tab, the laptop or the server, it is sent again under the same key and happens once.
 * Of all tabs one sends, which holds a lock of the browser. Changes of one record keep their order; records do not wait for
 * each other.
 */
import type { Answer } from '@trellis/client/answer.ts';
import type { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { delayAfter, wait } from '@trellis/client/retry.ts';
import { type Change, type ChangeRequest, type NewChange, toRefusal } from './change.ts';
import type { ChangeStore } from './change-store.ts';
import { isOutcomeUnknown, outcomeUnknown, outcomeUnknownMessage } from './key-life.ts';
import { Wakeup } from './wakeup.ts';

export interface QueueOptions {
  /** Makes one attempt of each request: the queue repeats. */
  readonly client: ApiClient;
  readonly store: ChangeStore;
  /** Organization and user whose session sends. Changes of others stay where they are until those sign in again. */
  readonly owner: string;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
  /** Called in the tab that sends, for each change that was carried out. */
  readonly onDone?: (change: Change, answer: Answer<unknown>) => void;
  /** Called in every tab whenever the state may have changed. */
  readonly onChange?: (state: QueueState) => void;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Waits after a failure; replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** What the header of the console shows. */
export interface QueueState {
  /** Changes that were not answered yet. */
  readonly waiting: number;
  /** Changes that the server refused, until the person has seen them. */
  readonly refused: readonly Change[];
  /** Why nothing is sent now, as far as this tab knows; null when nothing is in the way. */
  readonly obstacle: Error | null;
}

/** Messages between tabs. */
const [changed, resumed] = ['changed', 'resumed'];
/** Records whose changes are sent at the same time. */
const concurrency = 4;
/** Attempts after which the delay no longer grows: ten seconds. */
const longestBackoff = 7;

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
  private failures = 0;
  private obstacle: Error | null = null;
  private running: Promise<unknown> | null = null;

  constructor(options: QueueOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
    this.channel = new BroadcastChannel(`trellis-changes ${options.owner}`);
    this.channel.onmessage = ({ data }) => this.hear(data === resumed);
  }

  /** Begins to send as soon as no other tab does. */
  start(): void {
    const { locks, owner } = this.options;
    const { signal } = this.stopping;
    this.running ??= locks
      .request(`trellis-changes ${owner}`, { signal }, () => this.run(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  }

  /** Stops sending and gives the lock to another tab. What is being sent is sent again under its key. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.channel.close();
  }

  /** Stores a change; it will be sent. Resolves when it is safe. */
  async add(added: NewChange): Promise<Change> {
    const { store, owner } = this.options;
    const stored = await store.add(owner, added, this.now());
    this.announce();
    return stored;
  }

  /** Tries again at once: the network is back, or the person has signed in again. */
  resume(): void {
    this.channel.postMessage(resumed);
    this.hear(true);
  }

  /** Removes a refused change that the person has seen. */
  async dismiss(sequence: number): Promise<void> {
    await this.options.store.dismiss(sequence);
    this.announce();
  }

  /** Sends a refused change again under a new key, such as after a merge, with another request. */
  async retry(sequence: number, request: ChangeRequest | null = null): Promise<void> {
    await this.options.store.retry(sequence, request);
    this.announce();
  }

  async state(): Promise<QueueState> {
    const changes = await this.options.store.list(this.options.owner);
    const refused = changes.filter(({ refusal }) => refusal !== null);
    return { waiting: changes.length - refused.length, refused, obstacle: this.obstacle };
  }

  /** Sends what waits, and then whatever is added, until the signal is aborted. */
  private async run(signal: AbortSignal): Promise<void> {
    const sending = new Set<Promise<void>>();
    const abort = () => this.wakeup.wake();
    signal.addEventListener('abort', abort);
    while (!signal.aborted) {
      const woken = this.wakeup.next();
      for (const change of await this.findReady()) {
        this.busy.add(change.record);
        const work = this.send(change, signal).finally(() => {
          this.busy.delete(change.record);
          sending.delete(work);
          this.announce();
        });
        sending.add(work);
      }
      if (!signal.aborted) await woken;
    }
    signal.removeEventListener('abort', abort);
    await Promise.allSettled(sending);
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
    return [...first.values()]
      .filter(({ record, refusal }) => refusal === null && !this.busy.has(record))
      .slice(0, Math.max(0, most - this.busy.size));
  }

  private async send({ sequence }: Change, signal: AbortSignal): Promise<void> {
    const { client, store, onDone } = this.options;
    const now = this.now();
    const change = await store.claim(sequence, now);
    if (change === null) return;
    const { request, key, firstSentAt } = change;
    if (isOutcomeUnknown({ firstSentAt, ifMatch: request.ifMatch }, now)) {
      const reasons = [outcomeUnknownMessage];
      await store.refuse(sequence, { code: outcomeUnknown, status: null, reasons, members: {} });
      return;
    }
    try {
      const { ifMatch, ...rest } = request;
      const given = { ...rest, ifMatch: ifMatch ?? undefined, idempotencyKey: key, attempts: 1, signal };
      const answer = await client.request(given);
      this.clearObstacle();
      await store.settle(sequence, etagAfter(request, answer.etag));
      onDone?.(change, answer);
    } catch (error) {
      if (!signal.aborted) await this.handleFailure(sequence, error, signal);
    }
  }

  /** Keeps a refusal; waits after a failure that passes. */
  private async handleFailure(sequence: number, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof ProblemError && isRefusal(error)) {
      this.clearObstacle();
      await this.options.store.refuse(sequence, toRefusal(error));
      return;
    }
    this.failures += 1;
    // Also a failure of the browser's storage: the change is still there, and is sent again under its key.
    this.obstacle = error instanceof Error ? error : new Error(String(error));
    void this.report();
    if (isSignedOut(this.obstacle)) return;
    const retryAfterMs = error instanceof ProblemError ? error.retryAfterMs : 0;
    const delay = delayAfter(Math.min(this.failures, longestBackoff), retryAfterMs);
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
    if (this.stopping.signal.aborted) return;
    this.channel.postMessage(changed);
    this.hear(false);
  }

  private hear(isResumed: boolean): void {
    if (isResumed) {
      this.clearObstacle();
      this.resumption.wake();
    }
    this.wakeup.wake();
    void this.report();
  }

  private async report(): Promise<void> {
    const { onChange } = this.options;
    if (onChange !== undefined && !this.stopping.signal.aborted) onChange(await this.state());
  }
}

/**
 * Whether the API itself refused the change for good. Something else that answers, such as the sign-in page of a network,
 * decides nothing; nor does the end of the session.
 */
function isRefusal(error: ProblemError): boolean {
  return !error.isTemporary && error.status !== 401 && error.code !== 'unexpected_answer';
}

/**
 * The version that the change has left. A replayed answer may show the record as it is by now; a change that follows must not
 * overwrite what others did in between, so it gets the version right after the one that was changed.
 */
function etagAfter({ ifMatch }: ChangeRequest, etag: string | null): string | null {
  const [before, after] = [versionOf(ifMatch), versionOf(etag)];
  return before !== null && after !== null && after > before + 1 ? `"${before + 1}"` : etag;
}

function isSignedOut(error: Error | null): boolean {
  return error instanceof ProblemError && error.status === 401;
}

function versionOf(etag: string | null): number | null {
  const digits = /^"(\d+)"$/.exec(etag ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}
