/**
 * Exactly-once changes of up to 10,000 records. The idempotency key of each request is derived from the bulk change and the record, so a
 * run that was interrupted continues with the unconfirmed records, and each record changes once. A browser lock ensures that only one tab
 * runs a bulk change.
 */
import type { ApiClient } from '@trellis/client/api-client.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { type ApiResponse, etagOf } from '@trellis/client/response.ts';
import { delayAfter, wait } from '@trellis/client/retry.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import type { Submission } from '../store/change.ts';
import type { Values } from '../store/fields.ts';
import {
  endsSession,
  isOld,
  isOutcomeUnknown,
  isRefusal,
  outcomeUnknown,
  outcomeUnknownMessage,
} from '../store/refusal.ts';
import type {
  Bulk,
  BulkAction,
  BulkFailure,
  BulkItem,
  BulkStore,
  BulkTarget,
  BulkUndo,
  FieldChange,
} from './bulk-store.ts';
import { bodyOf } from './field-change.ts';

export const mostBulkRecords = 10_000;

export interface BulkOptions {
  /** Applies `Retry-After` to all requests together. */
  readonly client: Pick<ApiClient, 'request'>;
  readonly store: BulkStore;
  /** Organization and user of the session. */
  readonly owner: string;
  readonly session: string;
  /** As in the queue of changes. */
  readonly givesAccess: (path: string) => boolean;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
  /** The merge patch that undoes a change of fields in this record; null when there is none. */
  readonly inverseOf: (change: FieldChange, record: Values) => object | null;
  /** The path of the request that restores a deleted record; null when it cannot be restored. */
  readonly restoringPath: (path: string) => string | null;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Delay after a failure that concerns all records; replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Progress of a bulk change. The counts derive from the stored records, so they are exact also after a crash. */
export interface BulkProgress {
  readonly id: string;
  readonly label: string;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly waiting: number;
  /** Number of finished records whose previous values `undo` restores. */
  readonly undoable: number;
  readonly isPaused: boolean;
}

/** Increments of the counts after a record has finished or failed. */
type Counted = Partial<Record<'done' | 'failed' | 'undoable', number>>;

/** Records of one read, by path. */
type Known = ReadonlyMap<string, Values>;

/** Number of concurrent requests. */
const concurrency = 4;
/** Number of records that one transaction marks as sent, before the first of them is sent. */
const batchSize = 20;
/** Maximum number of times that a body is recomputed because another user changed the record. */
const mostEdits = 5;
const unknownFailure: BulkFailure = { code: outcomeUnknown, reasons: [outcomeUnknownMessage] };

export class BulkRunner {
  private readonly options: BulkOptions;
  private readonly now: () => number;

  constructor(options: BulkOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
  }

  /**
   * Stores a bulk change. `run` processes it, now or after a crash.
   * @throws RangeError for too many records, or for a duplicate record
   */
  async add(label: string, action: BulkAction, targets: readonly BulkTarget[]): Promise<string> {
    if (targets.length > mostBulkRecords)
      throw new RangeError(`A bulk change has at most ${mostBulkRecords} records.`);
    const distinct = new Set(targets.map(({ recordId }) => recordId));
    if (distinct.size < targets.length) throw new RangeError('A record is named twice.');
    const id = makeIdempotencyKey();
    const { store, owner } = this.options;
    const bulk: Bulk = {
      id,
      owner,
      label,
      action,
      total: targets.length,
      madeAt: this.now(),
      ...this.submission(),
      isPaused: false,
    };
    await store.add(bulk, targets);
    return id;
  }

  /** All stored bulk changes, also those of an earlier browser session. */
  async list(): Promise<BulkProgress[]> {
    const bulks = await this.options.store.list();
    const progress = await Promise.all(bulks.map(({ id }) => this.progress(id)));
    return progress.filter((one) => one !== null);
  }

  /** Null when the bulk change does not exist. */
  async progress(id: string): Promise<BulkProgress | null> {
    const { store } = this.options;
    const [bulk, items, undoable] = await Promise.all([
      store.find(id),
      store.items(id),
      store.countUndos(id),
    ]);
    if (bulk === null) return null;
    const { label, total, isPaused } = bulk;
    const failed = items.filter(({ failure }) => failure !== null).length;
    const done = total - items.length;
    return { id, label, total, done, failed, waiting: items.length - failed, undoable, isPaused };
  }

  /** The failed records with their reasons. */
  async failures(id: string): Promise<BulkItem[]> {
    return (await this.options.store.items(id)).filter(({ failure }) => failure !== null);
  }

  /** Stops after the requests in flight, in all tabs and across restarts, until `resume`. */
  async pause(id: string): Promise<void> {
    await this.options.store.pause(id);
  }

  async resume(id: string): Promise<void> {
    await this.options.store.resume(id, this.submission());
  }

  /** Marks the failed records as pending. The server did not process them, so their keys stay valid. */
  async retryFailures(id: string): Promise<void> {
    const failed = await this.failures(id);
    await this.options.store.put(failed.map((item) => ({ ...item, failure: null, firstSentAt: null })));
    await this.resume(id);
  }

  /**
   * Replaces a bulk change by one that restores the previous values of each changed record, on condition that nobody has changed the record
   * since. `run` processes it.
   * @returns its id; null when there is nothing to undo or it was undone already
   */
  async undo(id: string, label: string): Promise<string | null> {
    const { store, owner } = this.options;
    const made = { id: makeIdempotencyKey(), madeAt: this.now(), ...this.submission() };
    const undoing = { ...made, owner, label, isPaused: false };
    return (await store.replaceByUndo(id, undoing)) ? undoing.id : null;
  }

  /** Call this after records left the trash by other means: undoing their deletion would have no effect. */
  async forgetRestorations(recordIds: readonly string[]): Promise<void> {
    await this.options.store.forgetRestorations(new Set(recordIds));
  }

  /** Removes a bulk change. Unsent requests are discarded. */
  async remove(id: string): Promise<void> {
    await this.options.store.remove(id);
  }

  /**
   * Processes a bulk change until no record is pending, it is paused, or the signal is aborted. A bulk change that needs a new confirmation
   * is paused. While another tab processes it, this call waits for that tab.
   * @param onProgress called after each record
   * @throws ProblemError when the session has ended or belongs to another user: run it again after signing in
   */
  async run(id: string, signal: AbortSignal, onProgress?: (progress: BulkProgress) => void): Promise<void> {
    try {
      await this.options.locks.request(`trellis-bulk ${id}`, { signal }, () =>
        this.work(id, signal, onProgress),
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async work(
    id: string,
    signal: AbortSignal,
    onProgress: ((progress: BulkProgress) => void) | undefined,
  ): Promise<void> {
    const begun = await this.progress(id);
    if (begun === null) return;
    let progress = begun;
    const count = ({ done = 0, failed = 0, undoable = 0 }: Counted) => {
      progress = {
        ...progress,
        done: progress.done + done,
        failed: progress.failed + failed,
        waiting: progress.waiting - done - failed,
        undoable: progress.undoable + undoable,
      };
      onProgress?.(progress);
    };
    const waiting = (await this.options.store.items(id)).filter(({ failure }) => failure === null);
    for (const batch of batchesOf(waiting)) {
      const bulk = await this.options.store.find(id);
      if (bulk === null || bulk.isPaused || signal.aborted) return;
      if (this.mustBeConfirmed(bulk, waiting)) return this.options.store.pause(id);
      await this.sendBatch(bulk, batch, signal, count);
    }
  }

  /** Whether the user must resume it explicitly, by the same rules as single changes (`queue.ts`). */
  private mustBeConfirmed({ askedAt, session }: Bulk, items: readonly BulkItem[]): boolean {
    if (isOld(askedAt, this.now())) return true;
    return session !== this.options.session && items.some(({ path }) => this.options.givesAccess(path));
  }

  private submission(): Submission {
    return { askedAt: this.now(), session: this.options.session };
  }

  private async sendBatch(
    bulk: Bulk,
    items: readonly BulkItem[],
    signal: AbortSignal,
    count: (counted: Counted) => void,
  ): Promise<void> {
    const now = this.now();
    const { store } = this.options;
    const unknown = items.filter((item) => isOutcomeUnknown(item, now));
    await store.put(unknown.map((item) => ({ ...item, failure: unknownFailure })));
    if (unknown.length > 0) count({ failed: unknown.length });
    const sent = items
      .filter((item) => !unknown.includes(item))
      .map((item) => ({ ...item, firstSentAt: item.firstSentAt ?? now }));
    await store.put(sent);
    const known = await this.readTogether(bulk, sent, signal);
    const queue = [...sent];
    const work = async () => {
      for (let item = queue.shift(); item !== undefined && !signal.aborted; item = queue.shift()) {
        count(await this.sendOne(bulk, item, known, signal));
      }
    };
    const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /**
   * Reads the records whose change depends on their current values, with one request per collection.
   * @returns the records by path. `prepare` reads the missing ones individually, which reveals the reason
   */
  private async readTogether(bulk: Bulk, items: readonly BulkItem[], signal: AbortSignal): Promise<Known> {
    const read = items.filter((item) => doneTo(bulk, item).change !== null && item.body == null);
    const collections = Map.groupBy(read, ({ path }) => path.slice(0, path.lastIndexOf('/')));
    const lists = [...collections].map(async ([path, members]) => {
      if (members.length === 1) return [];
      const ids = members.map(({ recordId }) => recordId);
      try {
        const { body } = await this.options.client.request({ method: 'GET', path, query: { ids }, signal });
        const found =
          isPlainObject(body) && Array.isArray(body.items) ? body.items.filter(isPlainObject) : [];
        return found.map((record): [string, Values] => [`${path}/${record.id}`, record]);
      } catch (error) {
        if (!(error instanceof ProblemError) || endsSession(error)) throw error;
        return [];
      }
    });
    return new Map((await Promise.all(lists)).flat());
  }

  /** Sends the request of one record and retries it until the server responds. */
  private async sendOne(bulk: Bulk, item: BulkItem, known: Known, signal: AbortSignal): Promise<Counted> {
    const { store } = this.options;
    const { method, change } = doneTo(bulk, item);
    let current = item;
    let edits = 0;
    for (let failures = 1; ; failures += 1) {
      try {
        const prepared = await this.prepare(bulk, current, edits === 0 ? known : null, signal);
        if (prepared === null) {
          await store.settle(current, null);
          return { done: 1 };
        }
        current = prepared;
        const response = await this.request(bulk, current, signal);
        const undo = method === 'DELETE' ? this.undoDeletion(current) : undoOf(current, response);
        await store.settle(current, undo);
        return { done: 1, undoable: undo === null ? 0 : 1 };
      } catch (error) {
        if (!(error instanceof ProblemError) || endsSession(error)) throw error;
        if (error.code === 'version_mismatch' && change !== null) {
          // The server may have forgotten the key, so the conflicting version may be the result of this very change.
          if (isOutcomeUnknown(current, this.now())) {
            await store.put([{ ...current, failure: unknownFailure }]);
            return { failed: 1 };
          }
          edits += 1;
          if (edits <= mostEdits) {
            current = { ...current, body: null, ifMatch: null };
            continue;
          }
        }
        if (isRefusal(error)) {
          const failure = { code: error.code, reasons: error.reasons };
          await store.put([{ ...current, failure }]);
          return { failed: 1 };
        }
        const delay = delayAfter(failures, error.retryAfterMs);
        await (this.options.wait ?? wait)(delay, signal);
      }
    }
  }

  /**
   * Reads a record to compute its request body and its undo. Both are stored before the request is sent, with the version as precondition,
   * so a retry after a crash sends the same request.
   * @param known records that were just read; null after another user changed this one
   * @returns null when there is nothing to change
   */
  private async prepare(
    bulk: Bulk,
    item: BulkItem,
    known: Known | null,
    signal: AbortSignal,
  ): Promise<BulkItem | null> {
    const { client, store, inverseOf } = this.options;
    const { change } = doneTo(bulk, item);
    if (change === null || item.body != null) return item;
    const { path } = item;
    const found = known?.get(path) ?? (await client.request({ method: 'GET', path, signal })).body;
    const record = isPlainObject(found) ? found : {};
    const body = bodyOf(change, record);
    if (body === null) return null;
    const version = Number(record.version);
    const undoing = inverseOf(change, record);
    const inverse = undoing === null ? null : { body: undoing, version };
    const ready = { ...item, body, inverse, ifMatch: etagOf(version) };
    await store.put([ready]);
    return ready;
  }

  /** The request that restores a deleted record; null when there is none. */
  private undoDeletion({ path }: BulkItem): BulkUndo | null {
    const restoring = this.options.restoringPath(path);
    return restoring === null ? null : { body: null, ifMatch: null, path: restoring };
  }

  private request(bulk: Bulk, item: BulkItem, signal: AbortSignal): Promise<ApiResponse<unknown>> {
    const { id, action } = bulk;
    const { suffix, body } = action;
    const { method, change } = doneTo(bulk, item);
    // A recomputed body is a new request and needs a new key.
    const attempt = change === null ? '' : `:${item.ifMatch?.replaceAll('"', '')}`;
    return this.options.client.request({
      method,
      path: `${item.path}${suffix}`,
      body: item.body ?? body,
      ifMatch: item.ifMatch ?? undefined,
      idempotencyKey: `${id}:${item.recordId}${attempt}`,
      signal,
    });
  }
}

/** Groups records that are sent together; turns run one after the other. */
function batchesOf(items: readonly BulkItem[]): (readonly BulkItem[])[] {
  const turns = [...Map.groupBy(items, ({ turn = 0 }) => turn)].sort(([one], [other]) => one - other);
  return turns.flatMap(([, inTurn]) =>
    Array.from({ length: Math.ceil(inTurn.length / batchSize) }, (_, index) =>
      inTurn.slice(index * batchSize, (index + 1) * batchSize),
    ),
  );
}

/** The method of a record's request, and its change. */
function doneTo({ action }: Bulk, { method, change }: BulkItem) {
  return {
    method: method ?? action.method,
    change: change ?? (method === undefined ? (action.change ?? null) : null),
  };
}

/** The request that undoes the change of a record; null when there is none or the record did not change. */
function undoOf({ inverse }: BulkItem, { body: record }: ApiResponse<unknown>): BulkUndo | null {
  if (inverse == null || !isPlainObject(record) || record.version !== inverse.version + 1) return null;
  return { body: inverse.body, ifMatch: etagOf(record.version) };
}
