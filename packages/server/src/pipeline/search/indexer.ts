/**
 * The indexer: makes long texts searchable after their commit. Index jobs are written in the transactions that change the
 * texts, so none is missed. If a node dies, the lease of its jobs expires and another node claims them.
 *
 * Two indexers may work on one record. The rows they write have the version of the record that was read, and an older
 * version never replaces a newer one. A job is deleted only if it was not written again after it was claimed.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Row, type Statement, type Step, type StepResult, step } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import { describeProblem } from '../../database/failures.ts';
import { Pause } from '../../events/pause.ts';
import type { Model, Models } from '../model.ts';
import { decodeRecord } from '../storage.ts';
import { dropOtherEditions, editionsOf, removeOrphanedEntry, wholeEntrySteps } from './entries.ts';
import {
  claimIndexJobs,
  findDueOrganizations,
  type IndexJob,
  postponeIndexJob,
  removeIndexJobStep,
} from './index-jobs.ts';
import { foldLongText, hasLongFields, languageOf, longTextOf, searchParent } from './texts.ts';

export interface IndexerOptions {
  /** Pool of the role `trellis_worker`, which finds the jobs of all organizations. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`, which reads and indexes the records of one organization. */
  readonly api: Database;
  readonly models: Models;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<IndexerTiming>;
}

/** Intervals in ms. */
interface IndexerTiming {
  /** How often it looks for jobs without having been nudged. */
  readonly pollMs: number;
  /** Duration of the lease of a claimed job. */
  readonly leaseMs: number;
  /** How long nothing must have been written before the keys that wait are inserted into the indexes. */
  readonly quietMs: number;
}

/** A running indexer. */
export interface Indexer {
  /** Announces that there may be jobs. */
  nudge(): void;
  /** Finishes the current record. Never rejects. */
  stop(): Promise<void>;
}

const defaultTiming: IndexerTiming = { pollMs: 250, leaseMs: 30_000, quietMs: 2_000 };
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
  text: `SELECT set_config('trellis.all_files', 'on', true), set_config('trellis.claimed', 'true', true)`,
};
/**
 * FOR KEY SHARE waits for a concurrent deletion and then finds no row. Without it the foreign key would be violated.
 *
 * ON CONFLICT DO UPDATE would ask three times for the record that says who may see the row, once for each policy that it is
 * subject to. If two indexers insert the same row, one of them fails; its job is tried again, and then updates the row.
 */
const putBody: Statement = {
  name: 'put_search_body',
  text: `WITH made AS MATERIALIZED (
      SELECT s.organization_id, s.type, s.record_id, s.edition, s.parent_id, s.created_at, $5::integer AS source,
        s.terms AS short_terms, trellis.search_terms($6, '', '', $7) AS terms
      FROM trellis.search_records s
      WHERE s.organization_id = $1 AND s.type = $2 AND s.record_id = $3 AND s.edition = $4
      FOR KEY SHARE
    ), changed AS (
      UPDATE trellis.search_bodies b SET source = m.source, short_terms = m.short_terms, terms = m.terms
      FROM made m
      WHERE b.organization_id = $1 AND b.type = $2 AND b.record_id = $3 AND b.edition = $4 AND b.source <= m.source
    )
    INSERT INTO trellis.search_bodies
      (organization_id, type, record_id, edition, parent_id, created_at, source, short_terms, terms)
    SELECT * FROM made WHERE NOT EXISTS (
      SELECT FROM trellis.search_bodies WHERE organization_id = $1 AND type = $2 AND record_id = $3 AND edition = $4)`,
};
const refreshShortTerms: Statement = {
  name: 'refresh_short_terms',
  text: `UPDATE trellis.search_bodies b SET short_terms = s.terms FROM trellis.search_records s
    WHERE b.organization_id = $1 AND b.type = $2 AND b.record_id = $3 AND s.organization_id = b.organization_id
      AND s.type = b.type AND s.record_id = b.record_id AND s.edition = b.edition AND b.short_terms <> s.terms`,
};

/** The step that indexes the folded long texts of one edition of a record. It does nothing if search has no such edition. */
export function bodyStep(
  { resource }: Model,
  organizationId: string,
  record: StoredRecord,
  edition: number,
  folded: string,
): Step {
  const key = [organizationId, resource.singular, record.id, String(edition)];
  return step(putBody, [...key, String(record.version), languageOf(resource, record.values), folded]);
}

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

/** Works on all jobs, including those that others have claimed or postponed. */
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
  /** When something was last written, by the monotonic clock in ms; null: the lists of keys were emptied since. */
  private writtenAtMs: number | null = null;

  constructor(options: IndexerOptions) {
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
    this.modelsByType = new Map(
      [...options.models.values()].map((model) => [model.resource.singular, model]),
    );
  }

  nudge(): void {
    this.writtenAtMs = performance.now();
    this.pause.wake();
  }

  stop(): void {
    this.stopping = true;
    this.pause.wake();
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      try {
        if (await this.workOnce(false)) this.writtenAtMs = performance.now();
        else if (!this.stopping) await this.rest();
      } catch (error) {
        this.options.log('texts could not be indexed', { reason: describeProblem(error) });
        if (!this.stopping) await this.pause.wait(backoffMs);
      }
    }
  }

  /** Waits until there may be jobs. If it is quiet, empties the lists of waiting keys, which every search reads. */
  private async rest(): Promise<void> {
    if (this.writtenAtMs !== null && performance.now() - this.writtenAtMs >= this.timing.quietMs) {
      this.writtenAtMs = null;
      await this.options.worker.executeInBackground([step(insertPendingKeys)]);
    }
    await this.pause.wait(this.timing.pollMs);
  }

  /** Serves one organization. `all`: including jobs that are not due yet. @returns whether there was one to serve */
  async workOnce(all: boolean): Promise<boolean> {
    const { worker } = this.options;
    const organizationId = this.chooseOrganization(await findDueOrganizations(worker, all));
    if (organizationId === null) return false;
    const { leaseMs } = this.timing;
    const jobs = await claimIndexJobs(worker, { organizationId, leaseMs, most: batchSize, all });
    const single = jobs.filter((job) => !this.isSimple(job));
    const together = jobs.filter((job) => this.isSimple(job));
    if (!(await this.indexTogether(organizationId, together))) single.push(...together);
    let isOverloaded = false;
    for (const job of single) {
      if (this.stopping) await this.postpone(job, 0);
      else if (isOverloaded) await this.postpone(job, backoffMs);
      else isOverloaded = (await this.indexOrPostpone(job)) === 'overloaded';
    }
    return true;
  }

  /** Whether a job only indexes long texts that are columns of the record. */
  private isSimple({ type, whole, attempts }: IndexJob): boolean {
    const model = this.modelsByType.get(type);
    // A job that has failed before is tried alone.
    return model !== undefined && !whole && attempts === 1 && model.rules.contentSearch === undefined;
  }

  /**
   * Indexes several records of an organization in one transaction, because most of the cost of a short text is round trips
   * and the commit.
   * @returns whether it succeeded; if not, each job has to be tried separately
   */
  private async indexTogether(organizationId: string, jobs: readonly IndexJob[]): Promise<boolean> {
    if (jobs.length < 2) return jobs.length === 0;
    try {
      const parts = jobs.flatMap((job) => {
        const model = this.modelsByType.get(job.type);
        return model === undefined ? [] : [{ job, model, reads: readStepsOf(job, model) }];
      });
      const scope = { organizationId, userId: null };
      const all = [step(beginIndexing), ...parts.flatMap(({ reads }) => reads)];
      const [, ...results] = await this.options.api.query(scope, all);
      const steps: Step[] = [];
      for (const { job, model, reads } of parts) {
        const seen = editionsSeen(model, results.splice(0, reads.length));
        if (seen.length === 0) steps.push(removeOrphanedEntry(model, organizationId, job.recordId));
        else steps.push(...(await textSteps(job, model, seen)));
      }
      await this.finish(jobs, steps);
      return true;
    } catch (error) {
      // The organization's requests hold all its connections. Its jobs are postponed, and other organizations come first.
      if (isOverload(error)) {
        for (const job of jobs) await this.postpone(job, backoffMs);
        return true;
      }
      this.options.log('texts could not be indexed together; they are indexed one by one', {
        reason: describeProblem(error),
      });
      return false;
    }
  }

  private chooseOrganization(ids: readonly string[]): string | null {
    const waiting = new Set(ids);
    for (const id of this.served.keys()) if (!waiting.has(id)) this.served.delete(id);
    const [first] = [...waiting].sort((a, b) => (this.served.get(a) ?? 0) - (this.served.get(b) ?? 0));
    if (first === undefined) return null;
    this.turn += 1;
    this.served.set(first, this.turn);
    return first;
  }

  private async indexOrPostpone(job: IndexJob): Promise<'done' | 'failed' | 'overloaded'> {
    try {
      await this.index(job);
      return 'done';
    } catch (error) {
      if (isOverload(error)) {
        await this.postpone(job, backoffMs);
        return 'overloaded';
      }
      const { type, recordId, attempts } = job;
      this.options.log('a text could not be indexed; it is tried again', {
        reason: describeProblem(error),
        type,
        recordId,
      });
      await this.postpone(job, Math.min(backoffMs * 2 ** (attempts - 1), longestBackoffMs));
      return 'failed';
    }
  }

  private async index(job: IndexJob): Promise<void> {
    const { organizationId, type, recordId } = job;
    const model = this.modelsByType.get(type);
    if (model === undefined) throw new Error(`no resource is named ${type}`);
    if (job.whole) await this.writeWhole(job, model);
    const seen = await this.readEditions(job, model);
    if (seen.length === 0) {
      await this.finish([job], [removeOrphanedEntry(model, organizationId, recordId)]);
      return;
    }
    const steps =
      model.rules.contentSearch === undefined
        ? await textSteps(job, model, seen)
        : await this.contentSteps(job, model, seen[0]?.record);
    await this.finish([job], steps);
  }

  /** The steps for a file. The extractor indexes the words of its content, so usually only the words of its name are replaced. */
  private async contentSteps(
    job: IndexJob,
    { resource, rules }: Model,
    record?: StoredRecord,
  ): Promise<Step[]> {
    const { organizationId, type, recordId } = job;
    const key = [organizationId, type, recordId];
    const { contentSearch } = rules;
    if (!job.whole || contentSearch === undefined || record === undefined)
      return [step(refreshShortTerms, key)];
    const pieces = step(contentSearch.pieces, [organizationId, recordId]);
    const [, found] = await this.options.api.query(scopeOf(job), [step(beginIndexing), pieces]);
    if (found === undefined || found.rows.length === 0) return [step(refreshShortTerms, key)];
    const text = await foldLongText(found.rows.map(([piece]) => piece ?? '').join('\n'));
    return [step(putBody, [...key, '0', '0', languageOf(resource, record.values), text])];
  }

  /** The editions that somebody sees, each as a record with its own texts; none if the record is deleted. */
  private async readEditions(job: IndexJob, model: Model): Promise<Seen[]> {
    const reads = readStepsOf(job, model);
    const [, ...results] = await this.options.api.query(scopeOf(job), [step(beginIndexing), ...reads]);
    return editionsSeen(model, results);
  }

  /** Writes the entries that are otherwise written with the record. The record is locked against concurrent writes. */
  private async writeWhole(job: IndexJob, model: Model): Promise<void> {
    const { organizationId } = job;
    const scope = scopeOf(job);
    const target = { ...scope, id: job.recordId, parentId: parentOf(job, model) };
    const lock = model.statements.lock(target);
    const first = [step(beginIndexing), ...lock];
    await this.options.api.transaction(scope, first, async (rows, transaction) => {
      const row = rows.at(-1)?.rows[0];
      if (row === undefined) return;
      const record = decodeRecord(model.storage, row);
      const { working, published } = editionsOf(model, record);
      const steps = [
        dropOtherEditions(model, organizationId, record),
        ...wholeEntrySteps(model, organizationId, record, working),
      ];
      if (published !== null && published !== working) {
        const [seen] = await transaction.send([model.statements.read(target, 'published', 'full')]);
        const other = seen?.rows[0];
        if (other !== undefined) {
          const { values } = decodeRecord(model.storage, other);
          // The texts are those of the published version; the perspectives depend on the record's working version.
          const shown = {
            ...values,
            'versionData.versionNumber': record.values['versionData.versionNumber'],
          };
          steps.push(...wholeEntrySteps(model, organizationId, { ...record, values: shown }, published));
        }
      }
      await transaction.commit(steps);
    });
  }

  /** Executes the steps for records of one organization and removes their jobs, in one transaction. */
  private async finish(jobs: readonly IndexJob[], steps: readonly Step[]): Promise<void> {
    const [first] = jobs;
    if (first === undefined) return;
    const all = [...steps, ...jobs.map(removeIndexJobStep)];
    await this.options.api.transaction(scopeOf(first), [step(beginIndexing)], async (_rows, transaction) => {
      await transaction.commit(all);
    });
  }

  private postpone(job: IndexJob, milliseconds: number): Promise<void> {
    return postponeIndexJob(this.options.worker, job, milliseconds);
  }
}

/** An edition of a record that somebody sees, with its own texts. */
interface Seen {
  readonly edition: number;
  readonly record: StoredRecord;
}

/** The steps that read a record: the working version, and the published one for resources with versions. */
function readStepsOf(job: IndexJob, model: Model): Step[] {
  const target = { ...scopeOf(job), id: job.recordId, parentId: parentOf(job, model) };
  const working = model.statements.read(target, 'working', 'full');
  if (model.rules.editions === undefined) return [working];
  return [working, model.statements.read(target, 'published', 'full')];
}

/** The editions that these steps found; none if the record is deleted. */
function editionsSeen(model: Model, [working, published]: readonly StepResult[]): Seen[] {
  const editions = (row: Row | undefined, perspective: 'working' | 'published') => {
    if (row === undefined) return [];
    const record = decodeRecord(model.storage, row);
    const edition = editionsOf(model, record)[perspective];
    return edition === null ? [] : [{ edition, record }];
  };
  const own = editions(working?.rows[0], 'working');
  const others = editions(published?.rows[0], 'published');
  return [...own, ...others.filter(({ edition }) => edition !== own[0]?.edition)];
}

/** The steps that index the changed long texts, and replace the words of the short texts beside the others. */
async function textSteps(job: IndexJob, model: Model, seen: readonly Seen[]): Promise<Step[]> {
  if (!hasLongFields(model.resource)) return [];
  const { organizationId, type, recordId } = job;
  const steps: Step[] = [];
  for (const { edition, record } of seen) {
    if (!job.whole && !job.editions.includes(edition)) continue;
    const text = await foldLongText(longTextOf(model.resource, record.values));
    steps.push(bodyStep(model, organizationId, record, edition, text));
  }
  if (steps.length < seen.length) steps.push(step(refreshShortTerms, [organizationId, type, recordId]));
  return steps;
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
