/** What batches may do to the records of a resource. */
import { hasOperation, matchingOf, type Resource } from './resource.ts';

/** What an item of a batch does. */
export const batchOps = ['create', 'update', 'upsert', 'delete'] as const;
export type BatchOp = (typeof batchOps)[number];

/**
 * What items of a batch may do to records of a resource: what requests alone do by shared code; nothing where records give access or are not
 * changed by bodies.
 */
export function batchOpsOf(resource: Resource): readonly BatchOp[] {
  const { ownOperations = [], givesAccess = false, single = false } = resource;
  if (givesAccess || single) return [];
  const isShared = (name: 'create' | 'update' | 'delete') =>
    hasOperation(resource, name) && !ownOperations.includes(name);
  if (!isShared('update')) return [];
  return batchOps.filter((op) => (op === 'upsert' ? matchingOf(resource).length > 0 : isShared(op)));
}
