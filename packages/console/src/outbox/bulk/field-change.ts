/** Changes of one field in many records: set to a value, or a list of which each record has its own and keeps what else is in it. */

import { areEqual, nestValues, type Values, valueAt } from '../store/fields.ts';
import type { FieldChange, ListEdit } from './bulk-store.ts';

/** The merge patch that makes the change in a record; null when the record has it already. */
export function bodyOf({ field, to }: FieldChange, record: Values): Record<string, unknown> | null {
  const stored = valueAt(record, field);
  const value = 'value' in to ? to.value : editList(to, Array.isArray(stored) ? stored : []);
  return areEqual(value, stored) ? null : nestValues([[field, value]]);
}

/** What is in a list stays in its order; what is added comes after it, and nothing twice. */
function editList({ add, remove }: ListEdit, list: readonly unknown[]): readonly unknown[] {
  const edited = list.filter((value) => !isIn(remove, value));
  for (const value of add) if (!isIn(edited, value)) edited.push(value);
  return edited;
}

function isIn(values: readonly unknown[], value: unknown): boolean {
  return values.some((other) => areEqual(other, value));
}
