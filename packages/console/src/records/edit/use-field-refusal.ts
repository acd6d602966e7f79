/** Who may change a single value where it is shown. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ApiRecord } from '../../api/api.ts';
import { isSeenByReaders } from '../../outbox/edit/readers.ts';
import { useRefusal } from '../../session/missing-right.ts';

/** Gives a function that says which right is missing for changing a field of a record; null: none. */
export function useFieldRefusal(resource: Resource): (field: string, record: ApiRecord) => string | null {
  const refusal = useRefusal();
  const update = refusal(resource, 'update');
  const publish = refusal(resource, 'publish');
  return (field, record) =>
    update ?? (publish !== null && isSeenByReaders(resource, [field], record) ? publish : null);
}
