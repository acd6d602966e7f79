/**
 * Brings records to what their rows say, by steps that can be cut off anywhere: find or create the record, then patch until
 * it is right. Where the last run stopped is seen in the record itself, not in a file of the importer's.
 */

import type { ApiRecord } from '@trellis/client/api-client.ts';
import { ImportStopped, RefusedError, readRecord } from '@trellis/client/api-client.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Decision, Wanted } from './changes.ts';
import type { Collections } from './collections.ts';
import { RowRejected } from './errors.ts';
import { deriveKey } from './keys.ts';

/** A record to be. */
export interface WantedRecord extends Wanted {
  readonly externalId: string;
  /** Id under which the record was exported: in the same organization it still has it. Null for other rows. */
  readonly formerId: string | null;
  readonly repairs: readonly string[];
}

/** What became of a row (or would, in a dry run). */
export interface RowOutcome {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly repairs: readonly string[];
  /** Null where a dry run would create it. */
  readonly recordId: string | null;
}

/** Each PATCH settles a row unless somebody else writes meanwhile. */
const mostPatches = 5;

/** What is written, where and how. */
interface WriterOptions {
  readonly resource: Resource;
  readonly collections: Collections;
  readonly decide: (record: Readonly<Record<string, unknown>>, wanted: Wanted) => Decision;
  readonly dryRun: boolean;
}

/** Writes records of one resource into one collection. */
export class Writer {
  private readonly options: WriterOptions;
  /** Whether the collection had no record at the start: then there is nothing to look for. */
  private readonly wasEmpty: boolean;

  /** Finds out what is there already. @throws ImportStopped when the collection cannot be read */
  static async open(options: WriterOptions): Promise<Writer> {
    try {
      const first = await options.collections.first(options.resource, {});
      return new Writer(options, first === null);
    } catch (error) {
      // What is refused here would be refused for every row.
      throw error instanceof RefusedError ? new ImportStopped(error.message, { cause: error }) : error;
    }
  }

  private constructor(options: WriterOptions, wasEmpty: boolean) {
    this.options = options;
    this.wasEmpty = wasEmpty;
  }

  /** Writes one record. @throws RowRejected, RefusedError, ImportStopped */
  async write(wanted: WantedRecord): Promise<RowOutcome> {
    const found = await this.find(wanted);
    if (found !== null) return await this.settle(found, wanted, 'unchanged');
    if (this.options.dryRun) return { result: 'created', repairs: wanted.repairs, recordId: null };
    const { record, isNew } = await this.create(wanted);
    return await this.settle(record, wanted, isNew ? 'created' : 'unchanged');
  }

  /** The record that the row stands for, if there is one. */
  private async find({ externalId, formerId }: WantedRecord): Promise<ApiRecord | null> {
    if (this.wasEmpty) return null;
    const { collections, resource } = this.options;
    const found = await collections.first(resource, { externalId });
    return found !== null || formerId === null ? found : collections.read(resource, formerId);
  }

  private async create(wanted: WantedRecord): Promise<{ record: ApiRecord; isNew: boolean }> {
    const { collections, resource } = this.options;
    try {
      return await collections.create(resource, wanted.externalId, wanted.body);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // The collection's parent was there a moment ago.
      if (error.code === 'not_found')
        throw new ImportStopped('What the records belong to was deleted during the import.');
      const record = await this.findOwner(wanted, error);
      if (record === null) throw error;
      return { record, isNew: false };
    }
  }

  /** The record that took the externalId since the start, made by another run with other content. */
  private async findOwner(
    { externalId }: WantedRecord,
    { code, members }: RefusedError,
  ): Promise<ApiRecord | null> {
    if (code !== 'conflict' || members.field !== 'externalId') return null;
    const { collections, resource } = this.options;
    const { existingId } = members;
    const record = typeof existingId === 'string' ? await collections.read(resource, existingId) : null;
    if (record !== null) return record;
    throw new RowRejected([
      `externalId: "${externalId}" belongs to ${String(existingId ?? 'a record you may not read')}, which is not in this collection.`,
    ]);
  }

  /** Patches the record until it is what the row says. */
  private async settle(
    found: ApiRecord,
    wanted: WantedRecord,
    began: RowOutcome['result'],
  ): Promise<RowOutcome> {
    const { decide, dryRun } = this.options;
    let record = found;
    let result = began;
    for (let patches = 0; patches <= mostPatches; patches += 1) {
      const decision = decide(record, wanted);
      if (decision.kind === 'refused') throw new RowRejected([decision.reason]);
      const repairs = [...wanted.repairs, ...(decision.repair === undefined ? [] : [decision.repair])];
      if (decision.kind === 'settled') return { result, repairs, recordId: record.id };
      if (dryRun) return { result: 'updated', repairs, recordId: record.id };
      const patched = await this.patch(record, wanted, decision.body);
      // The server sees no difference where we do: it has the last word on what is equal.
      if (patched.version === record.version) return { result, repairs, recordId: record.id };
      if (result === 'unchanged') result = 'updated';
      record = patched;
    }
    throw new RowRejected(['Somebody else keeps changing this record. Run the import again.']);
  }

  /** The record after the PATCH, or as somebody else left it meanwhile. */
  private async patch(
    record: ApiRecord,
    { externalId }: WantedRecord,
    body: Readonly<Record<string, unknown>>,
  ): Promise<ApiRecord> {
    const { resource, collections } = this.options;
    const idempotencyKey = deriveKey({
      target: collections.parentId,
      resource: resource.name,
      record: externalId,
      step: 'update',
      base: `${record.id} ${record.version}`,
      body,
    });
    const path = `${collections.pathOf(resource)}/${record.id}`;
    try {
      const call = { method: 'PATCH', path, body, idempotencyKey, ifVersion: record.version } as const;
      return readRecord(await collections.client.write(call));
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'version_mismatch') throw error;
      const current = await collections.read(resource, record.id);
      if (current !== null) return current;
      throw new RowRejected(['The record was deleted during the import. Run it again.']);
    }
  }
}
