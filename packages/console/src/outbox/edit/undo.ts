/**
 * Undo of a change: the PATCH that restores the previous values of the changed fields, on condition that nobody has changed the record
 * since (If-Match). Publications are not undone: readers may have seen them.
 */

import type { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { etagOf } from '@trellis/client/response.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { statusOf } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { differingFields, namesIn, patchOf, type Values } from '../store/fields.ts';
import { isSeenByReaders } from './readers.ts';

/** A completed change. */
export interface Done {
  readonly resource: Resource;
  /** Path of the record: `/v1/books/…`. */
  readonly path: string;
  /** The merge patch that was sent. */
  readonly patch: Values;
  /** The record before and after the change, as the API returned it. */
  readonly before: Values;
  readonly after: Values;
}

/** The request that undoes a change. The queue of changes accepts it as well. */
export interface Undo {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly ifMatch: string;
  /** The values that the change set in these fields. */
  readonly made: Values;
}

/** Why a change cannot be undone. */
export type NoUndo =
  /** The change is visible to readers. */
  | { readonly kind: 'publishes' }
  /** The change set the status, which follows its own transitions. */
  | { readonly kind: 'transition' }
  /** Nothing was changed. */
  | { readonly kind: 'unchanged' };

/** The result of an undo. */
export type UndoResult =
  | { readonly kind: 'undone'; readonly record: Values }
  /** Another user changed the record since: who, when, and which of the fields to be restored. */
  | {
      readonly kind: 'changed-since';
      readonly by: string | null;
      readonly at: string | null;
      readonly fields: readonly string[];
    }
  | { readonly kind: 'deleted-since' };

/** The request that undoes a change, or the reason why there is none. */
export function planUndo({ resource, path, patch, before, after }: Done): Undo | NoUndo {
  const changed = differingFields(before, after, namesIn(patch));
  if (changed.length === 0 || typeof after.version !== 'number') return { kind: 'unchanged' };
  const obstacle = findObstacle(resource, changed, before) ?? findObstacle(resource, changed, after);
  return (
    obstacle ?? {
      path,
      body: patchOf(before, changed),
      ifMatch: etagOf(after.version),
      made: patchOf(after, changed),
    }
  );
}

/**
 * The merge patch that will undo a planned change of this version of a record; null when there is none, or when the record was read without
 * one of the fields.
 */
export function planInverse(
  resource: Resource,
  fields: readonly string[],
  record: Values,
): Record<string, unknown> | null {
  const areKnown = fields.every((field) => valueAt(record, field) !== undefined);
  return areKnown && findObstacle(resource, fields, record) === null ? patchOf(record, fields) : null;
}

/** The reason why a change of fields cannot be undone, judged by the record before or after it; null when there is none. */
function findObstacle(resource: Resource, fields: readonly string[], record: Values): NoUndo | null {
  const status = statusOf(resource);
  if (status !== null && fields.includes(status.field)) return { kind: 'transition' };
  return isSeenByReaders(resource, fields, record) ? { kind: 'publishes' } : null;
}

export async function undo(
  client: Pick<ApiClient, 'request'>,
  { path, body, ifMatch, made }: Undo,
  idempotencyKey?: string,
): Promise<UndoResult> {
  try {
    const response = await client.request({ method: 'PATCH', path, body, ifMatch, idempotencyKey });
    return { kind: 'undone', record: isPlainObject(response.body) ? response.body : {} };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'not_found') return { kind: 'deleted-since' };
    if (error.code !== 'version_mismatch') throw error;
    return describeChange(client, path, made);
  }
}

async function describeChange(
  client: Pick<ApiClient, 'request'>,
  path: string,
  made: Values,
): Promise<UndoResult> {
  try {
    const { body: now } = await client.request({ method: 'GET', path });
    const record = isPlainObject(now) ? now : {};
    const text = (value: unknown) => (typeof value === 'string' ? value : null);
    const fields = differingFields(record, made, namesIn(made));
    return { kind: 'changed-since', by: text(record.updatedBy), at: text(record.updatedAt), fields };
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return { kind: 'deleted-since' };
    throw error;
  }
}
