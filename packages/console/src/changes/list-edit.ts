/** Changes of a list in many records, each of which has its own: what is in it stays, in its order. */
import { etagOf } from '@trellis/client/answer.ts';
import type { BulkItem, ListEdit } from './bulk-store.ts';
import { areEqual, nestValues, type Values, valueAt } from './fields.ts';

/** The request that edits the list of a record, on condition that the record is still this one; null when nothing is to be done. */
export function editList(
  field: string,
  { add, remove }: ListEdit,
  record: Values,
): Required<Pick<BulkItem, 'body' | 'ifMatch'>> | null {
  const stored = valueAt(record, field);
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const edited = list.filter((value) => !isIn(remove, value));
  for (const value of add) if (!isIn(edited, value)) edited.push(value);
  if (areEqual(edited, list)) return null;
  return { body: nestValues([[field, edited]]), ifMatch: etagOf(Number(record.version)) };
}

function isIn(values: readonly unknown[], value: unknown): boolean {
  return values.some((other) => areEqual(other, value));
}
