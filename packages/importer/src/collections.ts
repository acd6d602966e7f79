/**
 * Creates and reads records through the API. A create under a derived key may be answered as that of an earlier run, whose
 * record somebody has deleted or given another externalId since. The record is then made again under
 * the next key, in such a way that a run killed at that point comes to the same end.
 */

import {
  type Answer,
  type ApiClient,
  type ApiRecord,
  RefusedError,
  readRecord,
  toRecord,
} from '@trellis/client/api-client.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { deriveKey } from './keys.ts';

/** How often one record may have been made and deleted within the server's memory of keys. */
const mostGenerations = 50;

export interface Created {
  readonly record: ApiRecord;
  /** Whether this run made it, and not an earlier one that was cut off before it knew. */
  readonly isNew: boolean;
}

/** The collections below one parent, such as a site, and those without a parent. */
export class Collections {
  readonly client: ApiClient;
  /** Id of the parent in the paths of its collections; '' for collections without one. */
  readonly parentId: string;

  constructor(client: ApiClient, parentId: string) {
    this.client = client;
    this.parentId = parentId;
  }

  /** Collection of a resource, below `/v1`. */
  pathOf(resource: Resource): string {
    return resource.path.replace(/\{\w+\}/, this.parentId);
  }

  /** The first record of a list, or null. @throws RefusedError, ImportStopped */
  async first(resource: Resource, query: Readonly<Record<string, string>>): Promise<ApiRecord | null> {
    const path = this.pathOf(resource);
    const { body } = await this.client.get(`${path}?${new URLSearchParams({ ...query, limit: '1' })}`);
    const items: unknown = isPlainObject(body) ? body.items : undefined;
    const [first] = Array.isArray(items) ? items : [];
    return first === undefined ? null : toRecord(first);
  }

  /** The current record, or null when there is none. @throws RefusedError, ImportStopped */
  async read(resource: Resource, id: string): Promise<ApiRecord | null> {
    try {
      return readRecord(await this.client.get(`${this.pathOf(resource)}/${encodeURIComponent(id)}`));
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** The answer to the create, or the id of the record that it made and that was deleted since. */
  private async writeOnce(path: string, body: object, idempotencyKey: string): Promise<Answer | string> {
    try {
      return await this.client.write({ method: 'POST', path, body, idempotencyKey });
    } catch (error) {
      const recordId = error instanceof RefusedError ? error.members.recordId : undefined;
      if (typeof recordId !== 'string') throw error;
      return recordId;
    }
  }

  /**
   * Creates a record once, however often it is called for the same body.
   * @param key what tells the record from all others: its externalId or slug
   * @throws RefusedError, ImportStopped
   */
  async create(resource: Resource, key: string, body: Readonly<Record<string, unknown>>): Promise<Created> {
    let base = '';
    for (let generation = 1; generation <= mostGenerations; generation += 1) {
      const identity = {
        target: this.parentId,
        resource: resource.name,
        record: key,
        step: 'create',
        base,
        body,
      } as const;
      const path = this.pathOf(resource);
      const answer = await this.writeOnce(path, body, deriveKey(identity));
      if (typeof answer === 'string') {
        base = answer;
        continue;
      }
      const record = readRecord(answer);
      if (!answer.replayed) return { record, isNew: true };
      const current = await this.read(resource, record.id);
      if (current !== null && current.externalId === record.externalId) {
        return { record: current, isNew: answer.retried };
      }
      base = record.id;
    }
    throw new RefusedError(409, {
      code: 'deleted_too_often',
      detail: `This record was created and deleted ${mostGenerations} times within the server's memory of keys.`,
    });
  }
}
