/**
 * Why: each row is brought to its end by steps that can be cut off anywhere: find or create the record, then patch until
 * it is what the row says. Where the last run stopped is seen in the record itself, not in a file of our own.
 */

import { withValue } from './body.ts';
import type { ApiRecord } from './client.ts';
import { ImportStopped, RefusedError, readRecord } from './client.ts';
import type { Creator } from './creator.ts';
import { deriveKey } from './keys.ts';
import type { LinkResolver } from './links.ts';
import { type ImportRow, type ResourceImport, RowRejected } from './targets.ts';

/** What became of a row (or would, in a dry run). */
export interface RowOutcome {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly mendings: readonly string[];
}

/** Each PATCH settles a row unless somebody else writes meanwhile. */
const mostPatches = 5;

/** Writes rows of one resource into one site. */
export class Writer<Row extends ImportRow> {
  private readonly profile: ResourceImport<Row>;
  private readonly creator: Creator;
  private readonly links: LinkResolver;
  private readonly dryRun: boolean;
  /** Ids of the site's records by externalId, as of the start. */
  private readonly existing = new Map<string, string>();

  constructor(profile: ResourceImport<Row>, creator: Creator, links: LinkResolver, dryRun: boolean) {
    this.profile = profile;
    this.creator = creator;
    this.links = links;
    this.dryRun = dryRun;
  }

  /** Finds out what is there already. @throws RefusedError, ImportStopped */
  async prepare(): Promise<void> {
    const path = this.creator.pathOf(this.profile.resource);
    const records = this.creator.client.list(path, { limit: '100', fields: 'externalId', sort: 'createdAt' });
    for await (const { id, externalId } of records) {
      if (typeof externalId === 'string') this.existing.set(externalId, String(id));
    }
  }

  /** Brings one row to its end. @throws RowRejected, ImportStopped */
  async write(given: Row): Promise<RowOutcome> {
    try {
      const row = await this.resolveLinks(given);
      const id = this.existing.get(row.externalId);
      const found = id === undefined ? null : await this.creator.read(this.profile.resource, id);
      if (found !== null) return await this.settle(found, row, 'unchanged');
      if (this.dryRun) return { result: 'created', mendings: row.mendings };
      const { record, isNew } = await this.create(row);
      return await this.settle(record, row, isNew ? 'created' : 'unchanged');
    } catch (error) {
      if (error instanceof RefusedError) throw new RowRejected(error.reasons);
      throw error;
    }
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
      if (error.code === 'not_found') throw new ImportStopped('The site was deleted during the import.');
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
      `externalId: "${row.externalId}" belongs to ${String(existingId ?? 'a record you may not read')} of another site.`,
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
      if (decision.kind === 'settled') return { result, mendings };
      if (this.dryRun) return { result: 'updated', mendings };
      const patched = await this.patch(record, row, decision.body);
      // The server sees no difference where we do: it has the last word on what is equal.
      if (patched.version === record.version) return { result, mendings };
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
      target: this.creator.siteId,
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
