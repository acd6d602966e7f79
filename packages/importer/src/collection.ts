/**
 * Reads and writes the records of one collection through the API. A create with a derived key may return the response of an
 * earlier run, whose record has been deleted or given another externalId since. The record is then created again under the
 * next key, so that a run that is killed at that point comes to the same result.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import { batchOpsOf } from '@trellis/schema/resources/batches.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { type JsonSchema, withoutDerived } from '@trellis/schema/validation/body-schemas.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { type Api, type ApiRecord, type Body, type Query, toRecord, type WrittenRecord } from './api.ts';
import { RowRejected } from './errors.ts';
import type { JournalEntry } from './journal.ts';
import { deriveKey, type WriteIdentity } from './keys.ts';

/** How often a record may be created and deleted within the retention of idempotency keys. */
const mostGenerations = 50;

export interface Created {
  readonly record: ApiRecord;
  /** Whether this run created it, and not an earlier one that was interrupted. */
  readonly isNew: boolean;
}

/** The records of a resource: those of one parent, such as a site, or all if the resource has no parent. */
export class Collection {
  readonly resource: Resource;
  /** Below `/v1`. */
  readonly path: string;
  private readonly api: Api;
  private readonly parentId: string;
  /** The language of the parent, in which slugs are made of names; null where it has none. */
  readonly language: string | null;

  /** @param parentId id of the parent in the paths of its collections; '' for those without one */
  constructor(api: Api, resource: Resource, parentId: string, language: string | null = null) {
    this.language = language;
    this.api = api;
    this.resource = resource;
    this.parentId = parentId;
    this.path = resource.path.replace(/\{\w+\}/, parentId);
  }

  /** The collection of another resource that has the same parent, or none. */
  of(resource: Resource): Collection {
    return new Collection(this.api, resource, this.parentId, this.language);
  }

  /** All records of a list, page by page. @throws ProblemError, ImportStopped */
  list(query: Query): AsyncGenerator<Body> {
    return this.api.list(this.path, query);
  }

  /** All records of a list, page by page. @throws ProblemError, ImportStopped */
  async *records(query: Query): AsyncGenerator<ApiRecord> {
    for await (const item of this.list(query)) yield toRecord(item);
  }

  /** The first record of a list, or null. @throws ProblemError, ImportStopped */
  async first(query: Query): Promise<ApiRecord | null> {
    for await (const first of this.list({ ...query, limit: '1' })) return toRecord(first);
    return null;
  }

  /** The current record, or null when there is none. @throws ProblemError, ImportStopped */
  async read(id: string): Promise<ApiRecord | null> {
    try {
      return await this.api.read(`${this.path}/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /**
   * Creates a record once, however often it is called with the same body.
   * @param key what identifies the record: its externalId or slug
   * @throws ProblemError, RowRejected, ImportStopped
   */
  async create(key: string, body: Body): Promise<Created> {
    if (this.api.hasBatches && batchOpsOf(this.resource).includes('create')) {
      const record = await this.api.create(this.path, body);
      await this.note(record, 0, {});
      return { record, isNew: true };
    }
    let base = '';
    for (let generation = 1; generation <= mostGenerations; generation += 1) {
      const result = await this.post(body, this.deriveKey('create', key, base, body));
      if (typeof result === 'string') {
        base = result;
        continue;
      }
      const { record, replayed, retried } = result;
      if (!replayed) {
        await this.note(record, 0, {});
        return { record, isNew: true };
      }
      const current = await this.read(record.id);
      if (current !== null && current.externalId === record.externalId) {
        return { record: current, isNew: retried };
      }
      base = record.id;
    }
    throw new RowRejected([
      `This record was created and deleted ${mostGenerations} times within the retention of idempotency keys.`,
    ]);
  }

  /** Changes a record that still has this version. @throws ProblemError, ImportStopped */
  async patch(before: ApiRecord, externalId: string, body: Body): Promise<ApiRecord> {
    const { id, version } = before;
    const idempotencyKey = this.deriveKey('update', externalId, `${id} ${version}`, body);
    const path = `${this.path}/${id}`;
    const write = { method: 'PATCH', path, body, idempotencyKey, ifVersion: version } as const;
    const { record } = await this.api.write(write);
    if (record.version !== version)
      await this.note(record, version, valuesBefore(this.resource, before, body));
    return record;
  }

  /** Replaces the content of a file that still has this version. @throws ProblemError, ImportStopped */
  async putContent(
    { id, version }: ApiRecord,
    fileName: string,
    content: Uint8Array<ArrayBuffer>,
    sha256: string,
  ): Promise<ApiRecord> {
    const idempotencyKey = this.deriveKey('update', id, `${id} ${version}`, { sha256 });
    const path = `${this.path}/${id}/content`;
    const call = { method: 'PUT', path, query: { fileName }, body: content } as const;
    return (await this.api.write({ ...call, idempotencyKey, ifVersion: version })).record;
  }

  /** Calls an action without a body on a record that still has this version. @throws ProblemError, ImportStopped */
  async act({ id, version }: ApiRecord, action: string): Promise<ApiRecord> {
    const idempotencyKey = this.deriveKey('update', id, `${id} ${version}`, { action });
    const path = `${this.path}/${id}/${action}`;
    return (await this.api.write({ method: 'POST', path, body: null, idempotencyKey, ifVersion: version }))
      .record;
  }

  /** What uses a file, in a field or its text: the first one, for people; null if nothing does. @throws ProblemError, ImportStopped */
  async firstUse(id: string): Promise<string | null> {
    const [use] = await this.api.readItems(`${this.path}/${id}/usage`);
    return use === undefined ? null : `${String(use.title)} (${String(use.id)})`;
  }

  /** Gives a record previous values, unless it has another version by now. @throws ProblemError, ImportStopped */
  async undoPatch({ id, version }: ApiRecord, body: Body): Promise<void> {
    const idempotencyKey = this.deriveKey('undo', id, `${id} ${version}`, body);
    const path = `${this.path}/${id}`;
    await this.api.write({ method: 'PATCH', path, body, idempotencyKey, ifVersion: version });
  }

  /** Moves a record to the trash, unless it has another version by now. @throws ProblemError, ImportStopped */
  async undoCreate({ id, version }: ApiRecord): Promise<void> {
    const idempotencyKey = this.deriveKey('undo', id, `${id} ${version}`, {});
    await this.api.remove(`${this.path}/${id}`, version, idempotencyKey);
  }

  private async note(
    { id, version }: ApiRecord,
    from: number,
    before: JournalEntry['before'],
  ): Promise<void> {
    const { parentId } = this;
    const entry = { resource: this.resource.name, parentId, recordId: id, from, to: version, before };
    await this.api.journal?.(entry);
  }

  /** The response to the create, or the id of the record that it created and that was deleted since. */
  private async post(body: Body, idempotencyKey: string): Promise<WrittenRecord | string> {
    try {
      return await this.api.write({ method: 'POST', path: this.path, body, idempotencyKey });
    } catch (error) {
      const recordId = error instanceof ProblemError ? error.members.recordId : undefined;
      if (typeof recordId !== 'string') throw error;
      return recordId;
    }
  }

  private deriveKey(step: WriteIdentity['step'], record: string, base: string, body: Body): string {
    return deriveKey({ target: this.parentId, resource: this.resource.name, record, step, base, body });
  }
}

/** The values that a change replaces, by dotted name, in the form of a body. */
function valuesBefore(resource: Resource, record: ApiRecord, body: Body): JournalEntry['before'] {
  return Object.fromEntries(
    flattenFields(resource).flatMap(([name, field]) => {
      if (valueAt(body, name) === undefined) return [];
      return [[name, withoutDerived(field.schema as JsonSchema, valueAt(record, name) ?? null)]];
    }),
  );
}
