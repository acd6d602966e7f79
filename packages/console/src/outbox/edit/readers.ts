/** Determines which fields of a record readers see. Such fields change only on an explicit save. */
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { Values } from '../store/fields.ts';

/** Whether readers see these fields of the record (decision 0032 of the API). */
export function isSeenByReaders(resource: Resource, fields: readonly string[], record: Values): boolean {
  const status = statusOf(resource);
  if (status === null) return false;
  if (resource.versions === undefined) {
    return status.transitions.published.includes(String(valueAt(record, status.field)));
  }
  // Fields of a version are edited in a draft. Other fields belong to all versions, including the published one.
  const isOfVersion = (name: string) => name.startsWith(`${resource.versions?.group}.`);
  return !fields.every(isOfVersion) && ['PUBLISHED', 'CHANGED'].includes(String(record.state));
}
