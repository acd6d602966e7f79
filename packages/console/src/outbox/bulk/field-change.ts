/** Field changes for many records: set a value, or edit the value of each record in place. */

import { valueAt } from '@trellis/schema/values/paths.ts';
import { areEqual, nestValues, type Values } from '../store/fields.ts';
import type { FieldChange, ListEdit } from './bulk-store.ts';

/** The merge patch that changes a record; null when the record needs no change. */
export function bodyOf({ fields, to }: FieldChange, record: Values): Record<string, unknown> | null {
  const changed = fields.flatMap((field): [string, unknown][] => {
    const stored = valueAt(record, field);
    const value = changedValue(to, stored);
    return areEqual(value, stored) ? [] : [[field, value]];
  });
  return changed.length === 0 ? null : nestValues(changed);
}

function changedValue(to: FieldChange['to'], stored: unknown): unknown {
  if ('value' in to) return to.value;
  if ('add' in to) return editList(to, Array.isArray(stored) ? stored : []);
  if (!Array.isArray(stored)) return areEqual(stored, to.replace) ? to.by : stored;
  const replaced = stored.map((one: unknown) => (areEqual(one, to.replace) ? to.by : one));
  return replaced.filter((one, index) => !isIn(replaced.slice(0, index), one));
}

/** Keeps the order of the list, and appends new values without duplicates. */
function editList({ add, remove }: ListEdit, list: readonly unknown[]): readonly unknown[] {
  const edited = list.filter((value) => !isIn(remove, value));
  for (const value of add) if (!isIn(edited, value)) edited.push(value);
  return edited;
}

function isIn(values: readonly unknown[], value: unknown): boolean {
  return values.some((other) => areEqual(other, value));
}
