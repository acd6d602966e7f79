/** The permission check for inline editing of a field. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord } from '../../api/api.ts';
import { isSeenByReaders } from '../../outbox/edit/readers.ts';
import { useRefusal } from '../../session/missing-right.ts';

/** Returns a function that gives the reason why a field of a record cannot be changed; null when it can. */
export function useFieldRefusal(resource: Resource): (field: string, record: ApiRecord) => string | null {
  const refusal = useRefusal();
  const update = refusal(resource, 'update');
  const publish = refusal(resource, 'publish');
  return (field, record) =>
    update ?? (publish !== null && isSeenByReaders(resource, [field], record) ? publish : null);
}
