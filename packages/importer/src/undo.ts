/**
 * Undoes an import as a whole: gives changed records their previous values, and deletes what the import has created, unless somebody
 * has changed it since. Every request has a key that is derived from what it undoes, so that an undo that was interrupted can be run again.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { targetOfFilter } from '@trellis/schema/resources/places.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { Api, type ApiRecord, type ImportClient } from './api.ts';
import { nest } from './body.ts';
import { Collection } from './collection.ts';
import { importOf } from './destinations.ts';
import { ImportStopped } from './errors.ts';
import type { JournalEntry } from './journal.ts';
import { resourcesInOrder } from './order.ts';
import { isAsImported } from './picture-record.ts';
import { shorten } from './report.ts';

/** A record that an undo leaves as it is. */
export interface KeptRecord {
  readonly resource: string;
  readonly recordId: string;
  /** Its title or name, shortened; null when it is not known. */
  readonly record: string | null;
  readonly reason: string;
}

export interface UndoReport {
  readonly importId: string;
  /** Number of records that were moved to the trash. */
  readonly deleted: number;
  /** Number of records that have their previous values again. */
  readonly restored: number;
  /** Number of records that were left as they are, and the first of them. */
  readonly kept: number;
  readonly keptRecords: readonly KeptRecord[];
  /** Why it ended early; null when it did not. */
  readonly stopped: string | null;
}

const mostKeptListed = 100;

/**
 * Undoes an import.
 * @param entries what it has written, in order
 * @param onProgress called with the number of records that were handled
 */
export async function undoImport(
  client: ImportClient,
  importId: string,
  entries: readonly JournalEntry[],
  onProgress: (records: number) => void = () => undefined,
): Promise<UndoReport> {
  const undo = new Undo(new Api(client), importId, entries, onProgress);
  try {
    for (const entry of entries) checkEntry(entry);
    await undo.run();
    return undo.report(null);
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    return undo.report(error.message);
  }
}

/** Whether an entry names records, and nothing else that could stand in the path of a request. @throws ImportStopped */
function checkEntry({ resource: name, parentId, recordId }: JournalEntry): void {
  const resource = resourcesInOrder.find((one) => one.name === name);
  const parent = resources.find((one) => one.name === resource?.parent?.resource);
  const isBelow = parent === undefined ? parentId === '' : decodeId(parent.idPrefix, parentId) !== null;
  if (resource !== undefined && isBelow && decodeId(resource.idPrefix, recordId) !== null) return;
  throw new ImportStopped(
    `The notes of the import were changed: they name "${shorten(recordId)}" of "${shorten(name)}" below "${shorten(parentId)}", which is no record. Nothing was undone.`,
  );
}

class Undo {
  private readonly api: Api;
  private readonly importId: string;
  private readonly onProgress: (records: number) => void;
  /** By id of the record, in order. */
  private readonly writes: ReadonlyMap<string, readonly JournalEntry[]>;
  private readonly kept: KeptRecord[] = [];
  private deleted = 0;
  private restored = 0;
  private keptCount = 0;

  constructor(
    api: Api,
    importId: string,
    entries: readonly JournalEntry[],
    onProgress: (records: number) => void,
  ) {
    this.api = api;
    this.importId = importId;
    this.onProgress = onProgress;
    this.writes = Map.groupBy(entries, ({ recordId }) => recordId);
  }

  report(stopped: string | null): UndoReport {
    const { importId, deleted, restored } = this;
    return { importId, deleted, restored, kept: this.keptCount, keptRecords: this.kept, stopped };
  }

  async run(): Promise<void> {
    const created: [Collection, readonly ApiRecord[]][] = [];
    for (const resource of this.resources()) {
      for (const parentId of await this.parentsOf(resource)) {
        const collection = new Collection(this.api, resource, parentId);
        created.push([
          collection,
          await this.listCreated(collection).catch(noneUnless(this.isWritten(resource))),
        ]);
      }
    }
    const isCreated = new Set(created.flatMap(([, records]) => records.map(({ id }) => id)));
    // First, since records that were changed may refer to some that were created.
    for (const [id, writes] of this.writes) {
      if (writes[0]?.from !== 0 && !isCreated.has(id)) await this.restore(writes);
    }
    for (const [collection, records] of created) await this.deleteCreated(collection, records);
  }

  /** The resources of which the import may have created records, each before those that it refers to. */
  private resources(): readonly Resource[] {
    const written = new Set([...this.writes.values()].flat().map(({ resource }) => resource));
    const named = resourcesInOrder
      .filter(({ name }) => written.has(name))
      .flatMap((resource) => Object.values(importOf(resource).lookups ?? {}));
    const names = new Set([...written, ...named.map(({ resource }) => resource)]);
    // An import that was killed may have uploaded a picture that it could not note.
    if (resourcesInOrder.some((one) => written.has(one.name) && importOf(one).posts !== undefined))
      names.add(knowledgeFiles.name);
    return resourcesInOrder.filter(({ name }) => names.has(name)).toReversed();
  }

  private isWritten({ name }: Resource): boolean {
    return [...this.writes.values()].some((writes) => writes.some(({ resource }) => resource === name));
  }

  private async restore(writes: readonly JournalEntry[]): Promise<void> {
    const [first] = writes;
    const last = writes.at(-1);
    const resource = resourcesInOrder.find(({ name }) => name === first?.resource);
    if (first === undefined || last === undefined || resource === undefined) return;
    const known = { resource, recordId: first.recordId, record: null };
    if (writes.some((write, index) => index > 0 && write.from !== writes[index - 1]?.to)) {
      this.keep({ ...known, reason: changedSince });
      return;
    }
    const before = Object.assign({}, ...writes.toReversed().map((write) => write.before));
    const collection = new Collection(this.api, resource, first.parentId);
    const reason = await refusalOf(
      collection.undoPatch({ id: first.recordId, version: last.to }, nest(Object.entries(before))),
    );
    if (reason !== null) this.keep({ ...known, reason });
    else this.restored += 1;
    this.advance();
  }

  /** The records of a collection that the import has created. */
  private async listCreated(collection: Collection): Promise<readonly ApiRecord[]> {
    const { titleField } = collection.resource;
    const records: ApiRecord[] = [];
    for await (const record of collection.records({ importId: this.importId, limit: '100' })) {
      const { id, version } = record;
      records.push({ id, version, title: valueAt(record, titleField), isAsImported: isAsImported(record) });
    }
    return records;
  }

  private async deleteCreated(collection: Collection, records: readonly ApiRecord[]): Promise<void> {
    const { resource } = collection;
    for (const { id, version, title, isAsImported: isPicture } of records) {
      const known = { resource, recordId: id, record: typeof title === 'string' ? shorten(title) : null };
      const written = this.writes.get(id)?.at(-1)?.to ?? 1;
      const reason =
        version === written || isPicture === true
          ? ((await this.findUse(collection, id)) ??
            (await refusalOf(collection.undoCreate({ id, version }))))
          : changedSince;
      if (reason !== null) this.keep({ ...known, reason });
      else this.deleted += 1;
      this.advance();
    }
  }

  /** Why a record is still needed: another one refers to it, from which a deletion would remove it; null if none does. */
  private async findUse(target: Collection, id: string): Promise<string | null> {
    const inText = target.resource.name === knowledgeFiles.name ? await target.firstUse(id) : null;
    if (inText !== null) return `It is used by ${inText}.`;
    for (const resource of resourcesInOrder) {
      if (resource.parent !== null && resource.parent.resource !== target.resource.parent?.resource) continue;
      for (const filter of filtersFor(resource, target.resource)) {
        const user = await target.of(resource).first({ [filter]: id });
        if (user === null) continue;
        const title = valueAt(user, resource.titleField);
        return `It is used by ${typeof title === 'string' ? title : resource.singular} (${user.id}).`;
      }
    }
    return null;
  }

  /** The parents below which the import may have created records. */
  private async parentsOf({ name, parent }: Resource): Promise<Iterable<string>> {
    if (parent === null) return [''];
    const written = [...this.writes.values()].flat().filter(({ resource }) => resource === name);
    const declared = resourcesInOrder.find((one) => one.name === parent.resource);
    const ids = new Set(written.map(({ parentId }) => parentId));
    if (declared === undefined || (ids.size > 0 && declared.parent === null)) return ids;
    for await (const { id } of this.api.list(declared.path, { limit: '100', fields: declared.titleField }))
      ids.add(String(id));
    return ids;
  }

  private keep({
    resource,
    ...record
  }: Omit<KeptRecord, 'resource'> & { readonly resource: Resource }): void {
    this.keptCount += 1;
    if (this.kept.length < mostKeptListed) this.kept.push({ resource: resource.name, ...record });
  }

  private advance(): void {
    this.onProgress(this.deleted + this.restored + this.keptCount);
  }
}

/** For a caller who may not read records that the import has hardly made: none. @param isSure whether it has made some */
function noneUnless(isSure: boolean): (error: unknown) => readonly ApiRecord[] {
  return (error) => {
    const { cause } = error as { readonly cause?: unknown };
    if (!isSure && cause instanceof ProblemError && cause.status === 403) return [];
    throw error;
  };
}

const changedSince = 'Somebody has changed it since the import.';

/** Waits for a request. @returns why the server refuses it; null when it does not. @throws ImportStopped */
async function refusalOf(request: Promise<void>): Promise<string | null> {
  try {
    await request;
    return null;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'version_mismatch') return changedSince;
    if (error.code === 'not_found') return 'It has been deleted since the import.';
    return error.reasons.join(' ');
  }
}

/** The filters of a resource that find the records that refer to one of another resource. */
function filtersFor(resource: Resource, target: Resource): string[] {
  return Object.entries(filtersOf(resource)).flatMap(([name, filter]) =>
    targetOfFilter(resource, filter) === target.name ? [name] : [],
  );
}

/** The report as people read it. */
export function describeUndo({
  importId,
  deleted,
  restored,
  kept,
  keptRecords,
  stopped,
}: UndoReport): string {
  const names = keptRecords.map(
    ({ recordId, record, reason }) =>
      `  ${record === null ? recordId : `${record} (${recordId})`}: ${reason}`,
  );
  return [
    `The import ${importId} was undone:`,
    `  to trash  ${String(deleted).padStart(7)}`,
    `  restored  ${String(restored).padStart(7)}`,
    `  kept      ${String(kept).padStart(7)}`,
    ...(kept === 0 ? [] : ['', 'Left as they are:', ...names]),
    ...(stopped === null ? [] : ['', `Stopped: ${stopped}`, 'Run the same command again to continue.']),
    '',
  ].join('\n');
}
