/**
 * Exact changes of up to 10,000 records. The key of each request is derived from the bulk change and the record: whatever is
 * killed in between, the run continues with the records that are not known to be done, and each is changed once. Of all tabs one
 * works on a bulk change, which holds a lock of the browser.
 */
import type { ApiClient } from '@trellis/client/api-client.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { type ApiResponse, etagOf } from '@trellis/client/response.ts';
import { delayAfter, wait } from '@trellis/client/retry.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { endsSession, isRefusal } from '../send/problems.ts';
import type { Submission } from '../store/change.ts';
import type { Values } from '../store/fields.ts';
import { isOld, isOutcomeUnknown, outcomeUnknown, outcomeUnknownMessage } from '../store/key-life.ts';
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

/** Maximum number of records of a bulk change. */
export const mostBulkRecords = 10_000;

export interface BulkOptions {
  /** Honours `Retry-After` for all requests together. */
  readonly client: Pick<ApiClient, 'request'>;
  readonly store: BulkStore;
  /** Organization and user whose session sends. */
  readonly owner: string;
  /** Id of the session that sends. */
  readonly session: string;
  /** As for the queue of changes. */
  readonly givesAccess: (path: string) => boolean;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
  /** The merge patch that undoes a change of fields of this record; null when there is none. */
  readonly inverseOf: (change: FieldChange, record: Values) => object | null;
  /** The path of the request that restores the deleted record at a path; null when there is none. */
  readonly restoringPath: (path: string) => string | null;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Waits after a failure that concerns all records; replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How far a bulk change is. The numbers are exact also after a crash: they are counted from what is left. */
export interface BulkProgress {
  readonly id: string;
  readonly label: string;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly waiting: number;
  /** Those of the done ones that `undo` gives their values of before. */
  readonly undoable: number;
  readonly isPaused: boolean;
}

/** Records that have become done, failed or undoable. */
type Counted = Partial<Record<'done' | 'failed' | 'undoable', number>>;

/** Records that were read together, by their paths. */
type Known = ReadonlyMap<string, Values>;

/** Requests that are under way at the same time. */
const concurrency = 4;
/** Records that are noted as sent in one transaction, before the first of them is sent. */
const batchSize = 20;
/** How often a body is made anew because somebody has changed the record in between. */
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
   * Stores a bulk change. `run` works on it, now or after a crash.
   * @throws RangeError for too many records, or a record that is named twice
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

  /** The bulk changes that are not removed, also those of an earlier run of the browser. */
  async list(): Promise<BulkProgress[]> {
    const bulks = await this.options.store.list();
    const progress = await Promise.all(bulks.map(({ id }) => this.progress(id)));
    return progress.filter((one) => one !== null);
  }

  /** Null when there is no such bulk change. */
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

  /** The records that have failed, and why. */
  async failures(id: string): Promise<BulkItem[]> {
    return (await this.options.store.items(id)).filter(({ failure }) => failure !== null);
  }

  /** Stops after the requests that are under way, until `resume`, also in other tabs and after a crash. */
  async pause(id: string): Promise<void> {
    await this.options.store.pause(id);
  }

  async resume(id: string): Promise<void> {
    await this.options.store.resume(id, this.submission());
  }

  /** Lets the records that have failed wait again. What was refused was not done, so their keys are still good. */
  async retryFailures(id: string): Promise<void> {
    const failed = await this.failures(id);
    await this.options.store.put(failed.map((item) => ({ ...item, failure: null, firstSentAt: null })));
    await this.resume(id);
  }

  /**
   * Puts a bulk change in the place of another one that gives the changed records their values of before, each on condition that
   * nobody has changed it since. `run` works on it.
   * @returns its id; null when nothing can be undone, or it was undone already
   */
  async undo(id: string, label: string): Promise<string | null> {
    const { store, owner } = this.options;
    const made = { id: makeIdempotencyKey(), madeAt: this.now(), ...this.submission() };
    const undoing = { ...made, owner, label, isPaused: false };
    return (await store.replaceByUndo(id, undoing)) ? undoing.id : null;
  }

  /** To be called when records have left the trash otherwise: undoing their deletion would do nothing. */
  async forgetRestorations(recordIds: readonly string[]): Promise<void> {
    await this.options.store.forgetRestorations(new Set(recordIds));
  }

  /** Removes a bulk change. What was not sent is not done. */
  async remove(id: string): Promise<void> {
    await this.options.store.remove(id);
  }

  /**
   * Works on a bulk change until no record waits, it is paused, or the signal is aborted. One that has
   * to be asked for again is paused. If another tab works on it, waits until
   * that one ends.
   * @param onProgress called after each record
   * @throws ProblemError when the session has ended, or is that of somebody else: run it again after signing in
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

  /** As for single changes (`queue.ts`): it waits until the person resumes it. */
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
   * Reads the records of which each is read before it is changed, those of a collection by one request.
   * @returns the records by their paths. Those that a list does not return are read alone, which tells why
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

  /** Sends the request of one record until the server has responded. */
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
          // When the key may be forgotten, it may be our own change that stands in the way.
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
   * Reads a record whose field is changed, for its own body and for what undoes it. Both are stored before it is sent, on condition that
   * the record is still the one that was read: after a crash the same is sent again.
   * @param known records that were read just now; null after somebody has changed this one
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

  /** What restores a deleted record; null when nothing does. */
  private undoDeletion({ path }: BulkItem): BulkUndo | null {
    const restoring = this.options.restoringPath(path);
    return restoring === null ? null : { body: null, ifMatch: null, path: restoring };
  }

  private request(bulk: Bulk, item: BulkItem, signal: AbortSignal): Promise<ApiResponse<unknown>> {
    const { id, action } = bulk;
    const { suffix, body } = action;
    const { method, change } = doneTo(bulk, item);
    // What is made anew is another request.
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

/** Records that are sent together, one turn after the other. */
function batchesOf(items: readonly BulkItem[]): (readonly BulkItem[])[] {
  const turns = [...Map.groupBy(items, ({ turn = 0 }) => turn)].sort(([one], [other]) => one - other);
  return turns.flatMap(([, inTurn]) =>
    Array.from({ length: Math.ceil(inTurn.length / batchSize) }, (_, index) =>
      inTurn.slice(index * batchSize, (index + 1) * batchSize),
    ),
  );
}

/** The method of a record's request, and the change that it makes. */
function doneTo({ action }: Bulk, { method, change }: BulkItem) {
  return {
    method: method ?? action.method,
    change: change ?? (method === undefined ? (action.change ?? null) : null),
  };
}

/** What undoes the change of a record; null when nothing does, or it has changed nothing. */
function undoOf({ inverse }: BulkItem, { body: record }: ApiResponse<unknown>): BulkUndo | null {
  if (inverse == null || !isPlainObject(record) || record.version !== inverse.version + 1) return null;
  return { body: inverse.body, ifMatch: etagOf(record.version) };
}
