/**
 * Why: each row is brought to its end by steps that can be cut off anywhere: find or create the record, then patch until
 * it is what the row says. Where the last run stopped is seen in the record itself, not in a file of our own.
 */

import { isPlainObject } from '../../lib/plain-object.ts';
import type { ApiRecord } from '../api-client.ts';
import { ImportStopped, RefusedError, readRecord, toRecord } from '../api-client.ts';
import { withValue } from './body.ts';
import type { Creator } from './creator.ts';
import { deriveKey } from './keys.ts';
import type { LinkResolver } from './links.ts';
import { type ImportRow, type ResourceImport, RowRejected } from './targets.ts';

/** What became of a row (or would, in a dry run). */
export interface RowOutcome {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly mendings: readonly string[];
  /** Null where a dry run would create it. */
  readonly recordId: string | null;
}

/** Each PATCH settles a row unless somebody else writes meanwhile. */
const mostPatches = 5;

/** Writes rows of one resource into one collection. */
export class Writer<Row extends ImportRow> {
  private readonly profile: Pick<ResourceImport<Row>, 'resource' | 'decide'>;
  private readonly creator: Creator;
  private readonly links: LinkResolver;
  private readonly dryRun: boolean;
  /** Whether the collection had no record at the start: then there is nothing to look for. */
  private wasEmpty = false;

  constructor(
    profile: Pick<ResourceImport<Row>, 'resource' | 'decide'>,
    creator: Creator,
    links: LinkResolver,
    dryRun: boolean,
  ) {
    this.profile = profile;
    this.creator = creator;
    this.links = links;
    this.dryRun = dryRun;
  }

  /** Finds out what is there already. @throws RefusedError, ImportStopped */
  async prepare(): Promise<void> {
    this.wasEmpty = (await this.listFirst({})) === null;
  }

  /** Brings one row to its end. @throws RowRejected, ImportStopped */
  async write(given: Row): Promise<RowOutcome> {
    try {
      const row = await this.resolveLinks(given);
      const found = await this.find(row);
      if (found !== null) return await this.settle(found, row, 'unchanged');
      if (this.dryRun) return { result: 'created', mendings: row.mendings, recordId: null };
      const { record, isNew } = await this.create(row);
      return await this.settle(record, row, isNew ? 'created' : 'unchanged');
    } catch (error) {
      if (error instanceof RefusedError) throw new RowRejected(error.reasons);
      throw error;
    }
  }

  /** The record that the row stands for, if there is one. */
  private async find({ externalId, formerId }: Row): Promise<ApiRecord | null> {
    if (this.wasEmpty) return null;
    const found = await this.listFirst({ externalId });
    if (found !== null || formerId === undefined) return found;
    return this.creator.read(this.profile.resource, formerId);
  }

  private async listFirst(query: Readonly<Record<string, string>>): Promise<ApiRecord | null> {
    const path = this.creator.pathOf(this.profile.resource);
    const { body } = await this.creator.client.get(
      `${path}?${new URLSearchParams({ ...query, limit: '1' })}`,
    );
    const items: unknown = isPlainObject(body) ? body.items : undefined;
    const [first] = Array.isArray(items) ? items : [];
    return first === undefined ? null : toRecord(first);
  }

  private async resolveLinks(row: Row): Promise<Row> {
    let body = row.body;
    for (const link of row.links) body = withValue(body, link.field, await this.links.resolve(link));
    return { ...row, body };
  }

  private async create(row: Row): Promise<{ record: ApiRecord; isNew: boolean }> {
    const { resource } = this.profile;
    try {
      return await this.creator.create(resource, row.externalId, row.body);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // The collection's parent was there a moment ago.
      if (error.code === 'not_found')
        throw new ImportStopped('What the records belong to was deleted during the import.');
      const record = await this.findHolder(row, error);
      if (record === null) throw error;
      return { record, isNew: false };
    }
  }

  /** The record that took the externalId since the start, made by another run with other content. */
  private async findHolder(row: Row, { code, members }: RefusedError): Promise<ApiRecord | null> {
    if (code !== 'conflict' || members.field !== 'externalId') return null;
    const { existingId } = members;
    const record =
      typeof existingId === 'string' ? await this.creator.read(this.profile.resource, existingId) : null;
    if (record !== null) return record;
    throw new RowRejected([
      `externalId: "${row.externalId}" belongs to ${String(existingId ?? 'a record you may not read')}, which is not in this collection.`,
    ]);
  }

  /** Patches the record until it is what the row says. */
  private async settle(found: ApiRecord, row: Row, began: RowOutcome['result']): Promise<RowOutcome> {
    let record = found;
    let result = began;
    for (let patches = 0; patches <= mostPatches; patches += 1) {
      const decision = this.profile.decide(record, row);
      if (decision.kind === 'refused') throw new RowRejected([decision.reason]);
      const mendings = [...row.mendings, ...(decision.mending === undefined ? [] : [decision.mending])];
      if (decision.kind === 'settled') return { result, mendings, recordId: record.id };
      if (this.dryRun) return { result: 'updated', mendings, recordId: record.id };
      const patched = await this.patch(record, row, decision.body);
      // The server sees no difference where we do: it has the last word on what is equal.
      if (patched.version === record.version) return { result, mendings, recordId: record.id };
      if (result === 'unchanged') result = 'updated';
      record = patched;
    }
    throw new RowRejected(['Somebody else keeps changing this record. Run the import again.']);
  }

  /** The record after the PATCH, or as somebody else left it meanwhile. */
  private async patch(
    record: ApiRecord,
    row: Row,
    body: Readonly<Record<string, unknown>>,
  ): Promise<ApiRecord> {
    const { resource } = this.profile;
    const identity = {
      target: this.creator.parentId,
      resource: resource.name,
      record: row.externalId,
      step: 'update',
      base: `${record.id} ${record.version}`,
      body,
    } as const;
    try {
      return readRecord(
        await this.creator.client.write({
          method: 'PATCH',
          path: `${this.creator.pathOf(resource)}/${record.id}`,
          body,
          idempotencyKey: deriveKey(identity),
          ifVersion: record.version,
        }),
      );
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'version_mismatch') throw error;
      const current = await this.creator.read(resource, record.id);
      if (current === null)
        throw new RowRejected(['The record was deleted during the import. Run it again.']);
      return current;
    }
  }
}
