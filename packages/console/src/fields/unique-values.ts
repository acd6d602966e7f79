/** The values of a form that no two records may have, and the filters that find the record that has one. */

import { findPlace } from '@trellis/schema/resources/places.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { pointerOf, valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

/** A value that another record may have already. */
export interface UniqueValue {
  /** Name of the filter that finds this record. */
  readonly filter: string;
  readonly value: string;
  /** The place of the value in the form, RFC 6901; that of the list for one of several texts. */
  readonly pointer: string;
}

/**
 * The changed values that are unique. Those whose resource has no filter for them are omitted, because they cannot be looked up.
 * @param stored the record as the server has it, whose own values are left out as well; null for a new one
 * @param draft changed values by the dotted name of their field
 */
export function uniqueValuesOf(
  resource: Resource,
  stored: Readonly<Record<string, unknown>> | null,
  draft: Readonly<Record<string, unknown>>,
): readonly UniqueValue[] {
  return uniquePlaces(resource).flatMap(([path, filter]) => {
    const place = findPlace(resource, path);
    if (place === null || !Object.hasOwn(draft, place.name)) return [];
    const own = valuesIn(valueAt(stored, place.name), place.member, '').map(({ value }) => value);
    return valuesIn(draft[place.name], place.member, pointerOf(place.name))
      .filter(({ value }) => value.trim() !== '' && !own.includes(value))
      .map((found) => ({ ...found, filter }));
  });
}

/** The dotted paths of unique values, each with a filter that finds them. */
function uniquePlaces({ unique, sideTables = {}, filters }: Resource): [path: string, filter: string][] {
  return Object.entries(filters).flatMap(([name, filter]): [string, string][] => {
    if (filter.kind === 'text') return Object.hasOwn(unique, filter.field) ? [[filter.field, name]] : [];
    if (filter.kind !== 'via') return [];
    const table = sideTables[filter.table];
    return table?.unique === undefined ? [] : table.values.map((path) => [path, name]);
  });
}

/** The texts in a value: itself, those of a list, or a member of each object in a list. */
function valuesIn(
  value: unknown,
  member: string | null,
  pointer: string,
): readonly Pick<UniqueValue, 'value' | 'pointer'>[] {
  if (typeof value === 'string') return [{ value, pointer }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => {
    if (member === null) return valuesIn(item, null, pointer);
    return isPlainObject(item) ? valuesIn(item[member], null, `${pointer}/${index}/${member}`) : [];
  });
}
