/**
 * Creates and reads records through the API. A create with a derived key may return the response of an earlier run, whose
 * record has been deleted or given another externalId since. The record is then created again under the next key, so that a
 * run that is killed at that point comes to the same result.
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

/** How often a record may be created and deleted within the retention of idempotency keys. */
const mostGenerations = 50;

export interface Created {
  readonly record: ApiRecord;
  /** Whether this run created it, and not an earlier one that was interrupted. */
  readonly isNew: boolean;
}

/** The collections of one parent, such as a site, or those without a parent. */
export class Collections {
  readonly client: ApiClient;
  /** Id of the parent in the paths of its collections; '' for collections without one. */
  readonly parentId: string;

  constructor(client: ApiClient, parentId: string) {
    this.client = client;
    this.parentId = parentId;
  }

  /** The path of a resource's collection, below `/v1`. */
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

  /** The response to the create, or the id of the record that it created and that was deleted since. */
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
   * Creates a record once, however often it is called with the same body.
   * @param key what identifies the record: its externalId or slug
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
      detail: `This record was created and deleted ${mostGenerations} times within the retention of idempotency keys.`,
    });
  }
}
