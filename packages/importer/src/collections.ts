/**
 * Creates and reads records through the API. A create with a derived key may return the response of an earlier run, whose
 * record has been deleted or given another externalId since. The record is then created again under the next key, so that a
 * run that is killed at that point comes to the same result.
 */

import { ProblemError } from '@trellis/client/problem.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { type Api, type ApiRecord, type Query, toRecord, type WrittenRecord } from './api.ts';
import { RowRejected } from './errors.ts';
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
  readonly api: Api;
  /** Id of the parent in the paths of its collections; '' for collections without one. */
  readonly parentId: string;

  constructor(api: Api, parentId: string) {
    this.api = api;
    this.parentId = parentId;
  }

  /** The path of a resource's collection, below `/v1`. */
  pathOf(resource: Resource): string {
    return resource.path.replace(/\{\w+\}/, this.parentId);
  }

  /** The first record of a list, or null. @throws ProblemError, ImportStopped */
  async first(resource: Resource, query: Query): Promise<ApiRecord | null> {
    for await (const first of this.api.list(this.pathOf(resource), { ...query, limit: '1' }))
      return toRecord(first);
    return null;
  }

  /** The current record, or null when there is none. @throws ProblemError, ImportStopped */
  async read(resource: Resource, id: string): Promise<ApiRecord | null> {
    try {
      return await this.api.read(`${this.pathOf(resource)}/${encodeURIComponent(id)}`);
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** The response to the create, or the id of the record that it created and that was deleted since. */
  private async writeOnce(
    path: string,
    body: object,
    idempotencyKey: string,
  ): Promise<WrittenRecord | string> {
    try {
      return await this.api.write({ method: 'POST', path, body, idempotencyKey });
    } catch (error) {
      const recordId = error instanceof ProblemError ? error.members.recordId : undefined;
      if (typeof recordId !== 'string') throw error;
      return recordId;
    }
  }

  /**
   * Creates a record once, however often it is called with the same body.
   * @param key what identifies the record: its externalId or slug
   * @throws ProblemError, RowRejected, ImportStopped
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
      const { record } = answer;
      if (!answer.replayed) return { record, isNew: true };
      const current = await this.read(resource, record.id);
      if (current !== null && current.externalId === record.externalId) {
        return { record: current, isNew: answer.retried };
      }
      base = record.id;
    }
    throw new RowRejected([
      `This record was created and deleted ${mostGenerations} times within the retention of idempotency keys.`,
    ]);
  }
}
