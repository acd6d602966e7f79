/** The values of records: their paths, and their display names. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** Members that every record has and that a list can show. */
export const instants = ['createdAt', 'updatedAt'] as const;

/** The value of a dotted field. */
export function valueAt(record: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (isPlainObject(value) ? value[part] : undefined), record);
}

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

/** The pointer of a field, RFC 6901. */
export function pointerOf(name: string): string {
  return `/${name.replaceAll('.', '/')}`;
}

/** The value at a pointer, also within lists; undefined where there is none. */
export function valueAtPointer(record: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => {
      if (Array.isArray(value)) return value[Number(part)];
      return isPlainObject(value) ? value[part] : undefined;
    }, record);
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
