/**
 * The indexer: makes long texts findable after their commit. Its work stands in `search_marks`, written in the transactions
 * that make it, so none is forgotten; a node that dies loses its lease, and another one begins again.
 *
 * Two indexers may work on one record. What they write carries the version of the record that they read, and an older one
 * never takes the place of a newer one; a mark is deleted only if nothing was marked after it was taken.
 */

import { Problem } from '@trellis/schema/problem.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { type Row, type Statement, type Step, type StepResult, step } from '../database/batch.ts';
import type { Database, Scope } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { Pause } from '../events/pause.ts';
import type { Model, Models } from './model.ts';
import { dropOtherEditions, editionsOf, removeSearchEntry, wholeEntrySteps } from './search-entries.ts';
import { claimMarks, findDueOrganizations, type Mark, postponeMark, removeMarkStep } from './search-marks.ts';
import { foldLongText, hasLongFields, languageOf, longTextOf, searchParent } from './search-texts.ts';
import { decodeRecord } from './storage.ts';

export interface IndexerOptions {
  /** Pool of the role `trellis_worker`: finds marks of all organizations. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`: reads and indexes records of one. */
  readonly api: Database;
  readonly models: Models;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  readonly timing?: Partial<IndexerTiming>;
}

/** All in ms. */
export interface IndexerTiming {
  /** How often it looks for marks that it was not told of. */
  readonly pollMs: number;
  /** How long a mark belongs to the indexer that took it. */
  readonly leaseMs: number;
  /** How long nothing must have been written before the keys that wait are inserted into the indexes. */
  readonly quietMs: number;
}

/** Indexing, until it is stopped. */
export interface Indexer {
  /** Says that there may be something to index. */
  nudge(): void;
  /** Finishes the record under way. Never rejects. */
  stop(): Promise<void>;
}

const defaultTiming: IndexerTiming = { pollMs: 250, leaseMs: 30_000, quietMs: 2_000 };
/** Marks taken at once, all of one organization; then it is another one's turn. */
const batchSize = 16;
/** Rest after a failure, in ms: of the loop, and the longest of one record. */
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
// FOR KEY SHARE waits for a deletion under way, and then finds nothing; the foreign key would refuse the row instead.
const putBody: Statement = {
  name: 'put_search_body',
  text: `INSERT INTO trellis.search_bodies AS b
      (organization_id, type, record_id, edition, parent_id, created_at, source, short_terms, terms)
    SELECT s.organization_id, s.type, s.record_id, s.edition, s.parent_id, s.created_at, $5, s.terms,
      trellis.search_terms($6, '', '', $7)
    FROM trellis.search_records s
    WHERE s.organization_id = $1 AND s.type = $2 AND s.record_id = $3 AND s.edition = $4
    FOR KEY SHARE
    ON CONFLICT (organization_id, type, record_id, edition) DO UPDATE
      SET source = excluded.source, short_terms = excluded.short_terms, terms = excluded.terms
      WHERE b.source <= excluded.source`,
};
const refreshShortTerms: Statement = {
  name: 'refresh_short_terms',
  text: `UPDATE trellis.search_bodies b SET short_terms = s.terms FROM trellis.search_records s
    WHERE b.organization_id = $1 AND b.type = $2 AND b.record_id = $3 AND s.organization_id = b.organization_id
      AND s.type = b.type AND s.record_id = b.record_id AND s.edition = b.edition AND b.short_terms <> s.terms`,
};

/** The step that indexes the long texts of one edition of a record, folded; none if search knows of no such edition. */
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

/** Starts to index. Failures are logged and tried again; it ends only by `stop`. */
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

/** Indexes all that is marked, also what others have taken or put off. */
export async function indexAll(options: IndexerOptions): Promise<void> {
  const loop = new IndexerLoop(options);
  while (await loop.workOnce(true));
}

class IndexerLoop {
  private readonly options: IndexerOptions;
  private readonly timing: IndexerTiming;
  private readonly pause = new Pause();
  private readonly modelsByType: ReadonlyMap<string, Model>;
  /** When each organization was served last, in turns; whoever has waited longest comes first. */
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

  /** Waits until there may be something to index. Lists of keys, which every search reads, are emptied first if it is quiet. */
  private async rest(): Promise<void> {
    if (this.writtenAtMs !== null && performance.now() - this.writtenAtMs >= this.timing.quietMs) {
      this.writtenAtMs = null;
      await this.options.worker.executeInBackground([step(insertPendingKeys)]);
    }
    await this.pause.wait(this.timing.pollMs);
  }

  /** Serves one organization. `all`: whether marks that are not due yet count. @returns whether there was one to serve */
  async workOnce(all: boolean): Promise<boolean> {
    const { worker } = this.options;
    const organizationId = this.chooseOrganization(await findDueOrganizations(worker, all));
    if (organizationId === null) return false;
    const { leaseMs } = this.timing;
    const marks = await claimMarks(worker, { organizationId, leaseMs, most: batchSize, all });
    const single = marks.filter((mark) => !this.isSimple(mark));
    const together = marks.filter((mark) => this.isSimple(mark));
    if (!(await this.indexedTogether(organizationId, together))) single.push(...together);
    let isOverloaded = false;
    for (const mark of single) {
      if (this.stopping) await this.putOff(mark, 0);
      else if (isOverloaded) await this.putOff(mark, backoffMs);
      else isOverloaded = (await this.indexOrPutOff(mark)) === 'overloaded';
    }
    return true;
  }

  /** Whether nothing but the long texts of a record, as they stand in its columns, is to be indexed. */
  private isSimple({ type, whole, attempts }: Mark): boolean {
    const model = this.modelsByType.get(type);
    // What has failed before is tried alone.
    return model !== undefined && !whole && attempts === 1 && model.rules.contentSearch === undefined;
  }

  /**
   * Indexes several records of an organization in one transaction: most of what a short text costs is the round trips and
   * the commit.
   * @returns whether it was done; if not, each is to be tried by itself
   */
  private async indexedTogether(organizationId: string, marks: readonly Mark[]): Promise<boolean> {
    if (marks.length < 2) return marks.length === 0;
    try {
      const parts = marks.flatMap((mark) => {
        const model = this.modelsByType.get(mark.type);
        return model === undefined ? [] : [{ mark, model, reads: readStepsOf(mark, model) }];
      });
      const scope = { organizationId, userId: null };
      const all = [step(beginIndexing), ...parts.flatMap(({ reads }) => reads)];
      const [, ...results] = await this.options.api.query(scope, all);
      const steps: Step[] = [];
      for (const { mark, model, reads } of parts) {
        const seen = editionsSeen(model, results.splice(0, reads.length));
        if (seen.length === 0) steps.push(removeSearchEntry(model.resource, organizationId, mark.recordId));
        else steps.push(...(await textSteps(mark, model, seen)));
      }
      await this.finish(marks, steps);
      return true;
    } catch (error) {
      // Requests of the organization have all its connections. Others wait for their texts as well: they come first.
      if (isOverload(error)) {
        for (const mark of marks) await this.putOff(mark, backoffMs);
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

  private async indexOrPutOff(mark: Mark): Promise<'done' | 'failed' | 'overloaded'> {
    try {
      await this.index(mark);
      return 'done';
    } catch (error) {
      if (isOverload(error)) {
        await this.putOff(mark, backoffMs);
        return 'overloaded';
      }
      const { type, recordId, attempts } = mark;
      this.options.log('a text could not be indexed; it is tried again', {
        reason: describeProblem(error),
        type,
        recordId,
      });
      await this.putOff(mark, Math.min(backoffMs * 2 ** (attempts - 1), longestBackoffMs));
      return 'failed';
    }
  }

  private async index(mark: Mark): Promise<void> {
    const { organizationId, type, recordId } = mark;
    const model = this.modelsByType.get(type);
    if (model === undefined) throw new Error(`no resource is named ${type}`);
    if (mark.whole) await this.writeWhole(mark, model);
    const seen = await this.readEditions(mark, model);
    if (seen.length === 0) {
      await this.finish([mark], [removeSearchEntry(model.resource, organizationId, recordId)]);
      return;
    }
    const steps =
      model.rules.contentSearch === undefined
        ? await textSteps(mark, model, seen)
        : await this.contentSteps(mark, model, seen[0]?.record);
    await this.finish([mark], steps);
  }

  /** Words of a content are indexed by who reads it: only what stands beside them is to follow, unless all is. */
  private async contentSteps(mark: Mark, { resource, rules }: Model, record?: StoredRecord): Promise<Step[]> {
    const { organizationId, type, recordId } = mark;
    const key = [organizationId, type, recordId];
    const { contentSearch } = rules;
    if (!mark.whole || contentSearch === undefined || record === undefined)
      return [step(refreshShortTerms, key)];
    const pieces = step(contentSearch.pieces, [organizationId, recordId]);
    const [, found] = await this.options.api.query(scopeOf(mark), [step(beginIndexing), pieces]);
    if (found === undefined || found.rows.length === 0) return [step(refreshShortTerms, key)];
    const text = await foldLongText(found.rows.map(([piece]) => piece ?? '').join('\n'));
    return [step(putBody, [...key, '0', '0', languageOf(resource, record.values), text])];
  }

  /** The editions that are seen, each as a record with the texts of its own; none: the record is gone. */
  private async readEditions(mark: Mark, model: Model): Promise<Seen[]> {
    const reads = readStepsOf(mark, model);
    const [, ...results] = await this.options.api.query(scopeOf(mark), [step(beginIndexing), ...reads]);
    return editionsSeen(model, results);
  }

  /** Writes what is otherwise written with the record. The record is locked, so that no write comes between. */
  private async writeWhole(mark: Mark, model: Model): Promise<void> {
    const { organizationId } = mark;
    const scope = scopeOf(mark);
    const target = { ...scope, id: mark.recordId, parentId: parentOf(mark, model) };
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
          // The texts of the published version; who sees which is what the record says.
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

  /** Writes what is indexed of records of one organization, and removes their marks. */
  private async finish(marks: readonly Mark[], steps: readonly Step[]): Promise<void> {
    const [first] = marks;
    if (first === undefined) return;
    const all = [...steps, ...marks.map(removeMarkStep)];
    await this.options.api.transaction(scopeOf(first), [step(beginIndexing)], async (_rows, transaction) => {
      await transaction.commit(all);
    });
  }

  private putOff(mark: Mark, milliseconds: number): Promise<void> {
    return postponeMark(this.options.worker, mark, milliseconds);
  }
}

/** An edition of a record that somebody sees, with the texts of its own. */
interface Seen {
  readonly edition: number;
  readonly record: StoredRecord;
}

/** The steps that read a record: as it is, and as its readers see it where it has versions. */
function readStepsOf(mark: Mark, model: Model): Step[] {
  const target = { ...scopeOf(mark), id: mark.recordId, parentId: parentOf(mark, model) };
  const working = model.statements.read(target, 'working', 'full');
  if (model.rules.editions === undefined) return [working];
  return [working, model.statements.read(target, 'published', 'full')];
}

/** What these steps found; nothing: the record is gone. */
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

/** The steps that index the long texts that have changed, and bring the words beside the others in line. */
async function textSteps(mark: Mark, model: Model, seen: readonly Seen[]): Promise<Step[]> {
  if (!hasLongFields(model.resource)) return [];
  const { organizationId, type, recordId } = mark;
  const steps: Step[] = [];
  for (const { edition, record } of seen) {
    if (!mark.whole && !mark.editions.includes(edition)) continue;
    const text = await foldLongText(longTextOf(model.resource, record.values));
    steps.push(bodyStep(model, organizationId, record, edition, text));
  }
  if (steps.length < seen.length) steps.push(step(refreshShortTerms, [organizationId, type, recordId]));
  return steps;
}

function scopeOf({ organizationId }: Mark): Scope {
  return { organizationId, userId: null };
}

/** A mark has the place below which a record is found, which is its parent where it has one. */
function parentOf({ parentId }: Mark, { resource }: Model): string | null {
  return resource.parent === null || parentId === searchParent(resource, null) ? null : parentId;
}

/** Whether the organization got no connection, because its requests have as many as it may have. */
function isOverload(error: unknown): boolean {
  return error instanceof Problem && error.code === 'overloaded';
}
