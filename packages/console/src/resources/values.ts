/** The values of records: their paths, and their display names. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';

/** Members that every record has and that a list can show. */
export const instants = ['createdAt', 'updatedAt'] as const;

/**
 * Whether a record of a list can have a value. A status that no transition leads to is one of older versions, and lists have the
 * working version.
 * @param name of the field, dotted
 */
export function canHave({ versions }: Resource, name: string, value: string): boolean {
  if (versions === undefined || versions.status.field !== name) return true;
  const { initial, allowed } = versions.status.transitions;
  return [initial, ...Object.values(allowed)].some((statuses) => statuses.includes(value));
}

/** The display name of a record: its title, a substitute, or its id. */
export function titleOf(resource: Resource, record: Readonly<Record<string, unknown>>): string {
  for (const name of [resource.titleField, ...(resource.titleFallbacks ?? [])]) {
    const value = valueAt(record, name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return String(record.id ?? '');
}
