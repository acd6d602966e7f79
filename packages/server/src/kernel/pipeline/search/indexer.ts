/**
 * The indexer: writes the search entries of records that their own transactions leave to it (members, tokens and the like; all
 * records after some upgrades), and inserts the keys that wait in the lists of the search indexes. Index jobs are written in the
 * transactions that change the records, so none is missed. If a node dies, the lease of its jobs expires and another one claims them.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, type Step, step } from '../../database/batch.ts';
import type { Database, Scope, Transaction } from '../../database/database.ts';
import { describeProblem } from '../../database/failures.ts';
import { setLocal } from '../../database/scope.ts';
import { Pause } from '../../events/pause.ts';
import type { Model, Models } from '../model.ts';
import { decodeRecord, type Target } from '../storage.ts';
import { dropOtherEditions, editionsOf, removeOrphanedEntries, wholeEntrySteps } from './entries.ts';
import {
  claimIndexJobs,
  findDueOrganizations,
  type IndexJob,
  postponeIndexJob,
  removeIndexJobStep,
} from './index-jobs.ts';
import { foldLongText, searchParent } from './texts.ts';

export interface IndexerOptions {
  /** Pool of the role `trellis_worker`, which finds jobs. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`, which reads and indexes the records of one organization. */
  readonly api: Database;
  readonly models: Models;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<IndexerTiming>;
}

/** Intervals in ms. */
interface IndexerTiming {
  /** How often it looks for jobs. */
  readonly pollMs: number;
  /** Duration of the lease of a claimed job. */
  readonly leaseMs: number;
  /** How long keys wait at most before they are inserted into the indexes. */
  readonly insertMs: number;
}

/** A running indexer. */
export interface Indexer {
  /** Announces a write, whose keys await insertion into the indexes. */
  nudge(): void;
  /** Finishes the current record. Never rejects. */
  stop(): Promise<void>;
}

const defaultTiming: IndexerTiming = { pollMs: 250, leaseMs: 30_000, insertMs: 2_000 };
/** Writes after which keys are inserted earlier: some 4 MB of keys of articles, which a search reads in 1 ms. */
const writesBeforeInsert = 500;
/** Jobs claimed at once, all of one organization; then the next organization is served. */
const batchSize = 32;
/** Delay after a failure, in ms: of the loop and, doubled with each attempt, of one record; and the longest of a record. */
const backoffMs = 1_000;
const longestBackoffMs = 60_000;

const insertPendingKeys: Statement = {
  name: 'insert_pending_keys',
  text: 'SELECT trellis.insert_pending_keys()',
};
const beginIndexing: Statement = {
  name: 'begin_indexing',
  text: `SELECT ${setLocal('trellis.all_files', `'on'`)}, ${setLocal('trellis.claimed', `'true'`)}`,
};
/** Starts the indexer. Failures are logged and retried; it ends only by `stop`. */
export function startIndexer(options: IndexerOptions): Indexer {
  const loop = new IndexerLoop(options);
  const ended = loop.run();
  return {
    nudge: () => loop.nudge(),
    stop() {
      loop.stop();
      return ended;
    },
  };
}

/** Processes all jobs, including claimed and postponed ones. */
export async function indexAll(options: IndexerOptions): Promise<void> {
  const loop = new IndexerLoop(options);
  while (await loop.workOnce(true));
}

class IndexerLoop {
  private readonly options: IndexerOptions;
  private readonly timing: IndexerTiming;
  private readonly pause = new Pause();
  private readonly modelsByType: ReadonlyMap<string, Model>;
  /** The turn in which each waiting organization was last served; the one served longest ago comes first. */
  private readonly served = new Map<string, number>();
  private turn = 0;
  private stopping = false;
  /** When the oldest waiting keys were written, by the monotonic clock in ms; null: none wait. */
  private waitingSinceMs: number | null = null;
  /** Writes whose keys wait. */
  private waiting = 0;

  constructor(options: IndexerOptions) {
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
    this.modelsByType = new Map(
      [...options.models.values()].map((model) => [model.resource.singular, model]),
    );
  }

  nudge(writes = 1): void {
    this.waitingSinceMs ??= performance.now();
    this.waiting += writes;
  }

  stop(): void {
    this.stopping = true;
    this.pause.wake();
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const isBusy = await this.workOnce(false);
        if (isBusy) this.nudge(batchSize);
        await this.insertKeys();
        if (!isBusy && !this.stopping) await this.pause.wait(this.timing.pollMs);
      } catch (error) {
        this.options.log('texts could not be indexed', { reason: describeProblem(error) });
        if (!this.stopping) await this.pause.wait(backoffMs);
      }
    }
  }

  /**
   * Inserts the keys that wait, if they are many or have waited long. Every search reads the waiting ones, but 30 bodies at a time cost
   * half as much again as 200.
   */
  private async insertKeys(): Promise<void> {
    if (this.waitingSinceMs === null) return;
    const isLong = performance.now() - this.waitingSinceMs >= this.timing.insertMs;
    if (!isLong && this.waiting < writesBeforeInsert) return;
    this.waitingSinceMs = null;
    this.waiting = 0;
    await this.options.worker.executeInBackground([step(insertPendingKeys)]);
  }

  /** Serves one organization. `all`: including jobs that are not due yet. @returns whether there was one to serve */
  async workOnce(all: boolean): Promise<boolean> {
    const { worker } = this.options;
    const organizationId = this.chooseOrganization(await findDueOrganizations(worker, all));
    if (organizationId === null) return false;
    const { leaseMs } = this.timing;
    const jobs = await claimIndexJobs(worker, { organizationId, leaseMs, most: batchSize, all });
    let isOverloaded = false;
    for (const job of jobs) {
      if (this.stopping) await postponeIndexJob(worker, job, 0);
      else if (isOverloaded) await postponeIndexJob(worker, job, backoffMs);
      else isOverloaded = (await this.indexOrPostpone(job)) === 'overloaded';
    }
    return true;
  }

  private chooseOrganization(waiting: readonly string[]): string | null {
    const found = new Set(waiting);
    for (const id of this.served.keys()) if (!found.has(id)) this.served.delete(id);
    const [first] = waiting.toSorted((a, b) => (this.served.get(a) ?? 0) - (this.served.get(b) ?? 0));
    if (first === undefined) return null;
    this.turn += 1;
    this.served.set(first, this.turn);
    return first;
  }

  private async indexOrPostpone(job: IndexJob): Promise<'done' | 'failed' | 'overloaded'> {
    const { worker, log } = this.options;
    try {
      await this.index(job);
      return 'done';
    } catch (error) {
      if (isOverload(error)) {
        await postponeIndexJob(worker, job, backoffMs);
        return 'overloaded';
      }
      const { type, recordId, attempts } = job;
      log('a text could not be indexed; it is tried again', {
        reason: describeProblem(error),
        type,
        recordId,
      });
      await postponeIndexJob(worker, job, Math.min(backoffMs * 2 ** (attempts - 1), longestBackoffMs));
      return 'failed';
    }
  }

  /** Writes all entries of a record and removes its job. The record is locked against concurrent writes. */
  private async index(job: IndexJob): Promise<void> {
    const { organizationId, type, recordId } = job;
    const model = this.modelsByType.get(type);
    if (model === undefined) throw new Error(`no resource is named ${type}`);
    const target = { ...scopeOf(job), id: recordId, parentId: parentOf(job, model) };
    const opening = [step(beginIndexing), ...model.statements.lock(target)];
    await this.options.api.transaction(scopeOf(job), opening, async (results, transaction) => {
      const row = results.at(-1)?.rows[0];
      const steps =
        row === undefined
          ? removeOrphanedEntries(model, organizationId, recordId)
          : await entrySteps(model, target, decodeRecord(model.storage, row), transaction);
      await transaction.commit([...steps, removeIndexJobStep(job)]);
    });
  }
}

/** The steps that write all entries of a locked record. */
async function entrySteps(
  model: Model,
  target: Target,
  record: StoredRecord,
  transaction: Transaction,
): Promise<Step[]> {
  const { organizationId } = target;
  const { working, published } = editionsOf(model, record);
  const content = await contentOf(model, target, transaction);
  const steps = [
    ...dropOtherEditions(model, organizationId, record),
    ...wholeEntrySteps(model, organizationId, record, working, content),
  ];
  if (published === null || published === working) return steps;
  const [seen] = await transaction.send([model.statements.read(target, 'published', 'full')]);
  const row = seen?.rows[0];
  if (row === undefined) return steps;
  const { values } = decodeRecord(model.storage, row);
  // The texts are those of the published version; the perspectives depend on the record's working version.
  const shown = { ...values, 'versionData.versionNumber': record.values['versionData.versionNumber'] };
  return [...steps, ...wholeEntrySteps(model, organizationId, { ...record, values: shown }, published)];
}

/** The folded text of a content that is no field of the record; undefined without one, or before it is extracted. */
async function contentOf(
  { rules }: Model,
  { organizationId, id }: Target,
  transaction: Transaction,
): Promise<string | undefined> {
  if (rules.contentSearch === undefined) return undefined;
  const [pieces] = await transaction.send([step(rules.contentSearch.pieces, [organizationId, id])]);
  if (pieces === undefined || pieces.rows.length === 0) return undefined;
  return foldLongText(pieces.rows.map(([piece]) => piece ?? '').join('\n'));
}

function scopeOf({ organizationId }: IndexJob): Scope {
  return { organizationId, userId: null };
}

/** The record's parent; null without one. A job always has a parent, which is derived from the type for records without one. */
function parentOf({ parentId }: IndexJob, { resource }: Model): string | null {
  return resource.parent === null || parentId === searchParent(resource, null) ? null : parentId;
}

/** Whether the organization got no connection, because its requests hold its share of them. */
function isOverload(error: unknown): boolean {
  return error instanceof Problem && error.code === 'overloaded';
}
