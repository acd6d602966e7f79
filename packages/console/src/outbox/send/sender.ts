/**
 * Sends the changes of the queue while this tab holds a browser lock: at most one change of a record at a time, and in order. Merges a change
 * with those that others have made first, so that only conflicts need the user.
 */
import type { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { type ApiResponse, etagOf } from '@trellis/client/response.ts';
import { delayAfter, wait } from '@trellis/client/retry.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { ApiRecord } from '../../api/api.ts';
import { type Amendment, type Change, type ChangeRequest, versionOf } from '../store/change.ts';
import type { ChangeStore } from '../store/change-store.ts';
import {
  autosaveRefusal,
  endsSession,
  isOld,
  isOutcomeUnknown,
  isRefusal,
  needsProof,
  notConfirmedRefusal,
  outcomeUnknownRefusal,
  toRefusal,
} from '../store/refusal.ts';
import { withoutOneTimeMembers } from './one-time.ts';
import { Wakeup } from './wakeup.ts';

export interface SenderOptions {
  /** A client without retries: the queue repeats requests itself. */
  readonly client: Pick<ApiClient, 'request'>;
  readonly store: ChangeStore;
  /** Organization and user of the session, whose tabs share the store. */
  readonly owner: string;
  readonly session: string;
  /** Whether a request to this path changes access rights. Such a change is sent only in the session in which the user made it. */
  readonly givesAccess: (path: string) => boolean;
  /** The resource of a request path; null when there is none, and nothing to merge. */
  readonly resourceOf: (path: string) => Resource | null;
  /** Whether the current state of a record permits an automatic save (`sessionScopes: 'drafts'`). Otherwise the user must save explicitly. */
  readonly allowsAutosave: (resource: Resource, record: ApiRecord) => boolean;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
  /** Called in the sending tab for each completed change. */
  readonly onDone?: (change: Change, response: ApiResponse<unknown>) => void;
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

/** What the sender tells the queue. */
interface Listeners {
  /** A change was carried out. */
  readonly completed: (completed: Completed) => void;
  /** The stored changes differ. */
  readonly changed: () => void;
  /** `obstacle` differs. */
  readonly paused: () => void;
}

/** Number of records whose changes are sent concurrently. */
const concurrency = 4;
const defaultCheckIntervalMs = 60_000;

export class Sender {
  private readonly options: SenderOptions;
  private readonly listeners: Listeners;
  private readonly now: () => number;
  /** Fires when there may be something to send. */
  private readonly wakeup = new Wakeup();
  /** Fires when an obstacle may be gone. */
  private readonly resumption = new Wakeup();
  /** Records with a request in flight. */
  private readonly busy = new Set<string>();
  /** Records whose last request failed, in order. They come after all others, so that a permanently failing record blocks none. */
  private readonly failed = new Set<string>();
  /** The last response for each record with further changes: they are based on an earlier version. */
  private readonly responses = new Map<string, ApiRecord>();
  private failures = 0;
  /** How often `resume` was called. */
  private resumptions = 0;
  /** Why sending is suspended; null while it is not. */
  obstacle: Error | null = null;

  constructor(options: SenderOptions, listeners: Listeners) {
    this.options = options;
    this.listeners = listeners;
    this.now = options.now ?? Date.now;
  }

  /** Looks for changes to send. */
  wake(): void {
    this.wakeup.wake();
  }

  /** Retries immediately. */
  resume(): void {
    this.resumptions += 1;
    this.clearObstacle();
    this.resumption.wake();
    this.wakeup.wake();
  }

  /** Sends as soon as no other tab does, until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const { locks, owner, checkIntervalMs = defaultCheckIntervalMs } = this.options;
    // Finds changes of tabs that closed before they could announce them.
    const checking = setInterval(() => this.wake(), checkIntervalMs);
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
    // Other tabs may have sent changes since.
    this.responses.clear();
    try {
      while (!signal.aborted) {
        const woken = this.wakeup.next();
        for (const change of await this.findReady()) {
          this.busy.add(change.record);
          const work = this.attempt(change, signal).finally(() => {
            this.busy.delete(change.record);
            sending.delete(work);
            this.listeners.changed();
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
    for (const change of await this.options.store.list()) {
      if (!first.has(change.record)) first.set(change.record, change);
    }
    for (const record of this.responses.keys()) if (!first.has(record)) this.responses.delete(record);
    const turns = [...this.failed];
    return [...first.values()]
      .filter(({ record, refusal }) => refusal === null && !this.busy.has(record))
      .sort((one, other) => turns.indexOf(one.record) - turns.indexOf(other.record))
      .slice(0, Math.max(0, most - this.busy.size));
  }

  /** Sends a change once. @throws the error when there is no definite response */
  private async send(found: Change, signal: AbortSignal): Promise<void> {
    const { client, store, onDone, givesAccess } = this.options;
    const now = this.now();
    const change = await store.markSent(found, now, await this.rebaseOnResponse(found));
    if (change === null) return;
    const { request, key, firstSentAt } = change;
    if (isOutcomeUnknown({ firstSentAt, ifMatch: request.ifMatch }, now))
      return store.refuse(change, outcomeUnknownRefusal);
    if (this.mustBeConfirmed(change, now)) return store.refuse(change, notConfirmedRefusal);
    const { ifMatch, ...rest } = request;
    const given = { ...rest, ifMatch: ifMatch ?? undefined, idempotencyKey: key, attempts: 1, signal };
    let response: ApiResponse<unknown>;
    try {
      response = await client.request(given);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (!isRefusal(error) && !needsProof(error, request, givesAccess(request.path))) throw error;
      this.clearObstacle();
      return error.code === 'version_mismatch' && !isOld(change.askedAt, now)
        ? this.mergeRefused(change, error, signal)
        : store.refuse(change, toRefusal(error));
    }
    this.clearObstacle();
    const { body } = response;
    if (request.method === 'PATCH' && isPlainObject(body) && body.id === change.record)
      this.responses.set(change.record, body as ApiRecord);
    const completed: Completed = { change, body: withoutOneTimeMembers(body) };
    // A page that no longer finds its PATCH in the store would continue from the state before it, unless it was told. A deletion leaves the
    // store first, because the notification may close the page that awaits its outcome.
    const isToldFirst = request.method === 'PATCH';
    if (isToldFirst) this.listeners.completed(completed);
    await store.settle(change.sequence, etagAfter(request, response.etag));
    onDone?.(change, response);
    if (!isToldFirst) this.listeners.completed(completed);
  }

  /** The request of an unsent edit for the version that the previous change of its record has made; null when it needs none, or conflicts. */
  private async rebaseOnResponse(change: Change): Promise<Amendment | null> {
    const response = this.responses.get(change.record);
    const version = versionOf(change.request.ifMatch);
    if (response === undefined || version === null || version >= response.version) return null;
    const plan = await this.planMerge(change, response);
    return plan === null ||
      plan.conflicts.length > 0 ||
      isAutosaveBlocked(this.options, change.request, response)
      ? null
      : plan.amended;
  }

  /** Merges a change with those that others have made first; a conflict is kept for the user. @throws the error of a temporary failure */
  private async mergeRefused(change: Change, refused: ProblemError, signal: AbortSignal): Promise<void> {
    const { client, store } = this.options;
    const { path } = change.request;
    if (change.base === null || change.request.method !== 'PATCH')
      return store.refuse(change, toRefusal(refused));
    let theirs: ApiRecord;
    try {
      theirs = (await client.request({ method: 'GET', path, attempts: 1, signal })).body as ApiRecord;
    } catch (error) {
      if (!(error instanceof ProblemError) || !isRefusal(error)) throw error;
      return store.refuse(change, toRefusal(error));
    }
    const plan = await this.planMerge(change, theirs);
    // A conflict matters only if the change may be sent at all, so permission is checked first.
    const isBlocked =
      plan !== null && plan.amended !== null && isAutosaveBlocked(this.options, change.request, theirs);
    if (isBlocked) return store.refuse(change, autosaveRefusal);
    if (plan === null || plan.conflicts.length > 0) return store.refuse(change, toRefusal(refused));
    await store.merge(change, plan.amended);
    if (plan.amended === null) this.listeners.completed({ change, body: theirs });
  }

  private async planMerge(change: Change, theirs: ApiRecord) {
    const resource = this.options.resourceOf(change.request.path);
    if (resource === null || change.base === null || change.request.method !== 'PATCH') return null;
    // Loaded when it is needed first.
    const { amend, mergeChange } = await import('../merge/rebase.ts');
    const { values, conflicts } = mergeChange(change, resource, theirs);
    return { conflicts, amended: amend(change, values, theirs) };
  }

  /**
   * Whether the user must confirm the change again. A change of access rights needs the session it was made in. A change older than the key
   * retention may be a restored copy of one that was carried out already; a precondition on the version makes such a copy harmless.
   */
  private mustBeConfirmed({ request, askedAt, session }: Change, now: number): boolean {
    if (request.ifMatch === null && isOld(askedAt, now)) return true;
    return session !== this.options.session && this.options.givesAccess(request.path);
  }

  /**
   * Waits after a temporary failure of the network, the server, the session or the storage. The change is kept and resent under its key.
   * @param resumptions the count before the failed attempt: if it has grown since, the obstacle may be gone already
   */
  private async pause(error: unknown, signal: AbortSignal, resumptions: number): Promise<void> {
    if (signal.aborted || resumptions !== this.resumptions) return;
    this.failures += 1;
    this.obstacle = error instanceof Error ? error : new Error(String(error));
    this.listeners.paused();
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
}

/**
 * The version after the change. A replayed response may contain a later version; the next request must not overwrite changes in between, so
 * its precondition is the version directly after the changed one.
 */
function etagAfter({ ifMatch }: ChangeRequest, etag: string | null): string | null {
  const [before, after] = [versionOf(ifMatch), versionOf(etag)];
  return before !== null && after !== null && after > before + 1 ? etagOf(before + 1) : etag;
}

function isSignedOut(error: Error | null): boolean {
  return error instanceof ProblemError && endsSession(error);
}

/** Whether a request was saved automatically although the current state of the record needs an explicit save. */
export function isAutosaveBlocked(
  { resourceOf, allowsAutosave }: Pick<SenderOptions, 'resourceOf' | 'allowsAutosave'>,
  { path, sessionScopes }: ChangeRequest,
  record: ApiRecord,
): boolean {
  if (sessionScopes !== 'drafts') return false;
  const resource = resourceOf(path);
  return resource !== null && !allowsAutosave(resource, record);
}
