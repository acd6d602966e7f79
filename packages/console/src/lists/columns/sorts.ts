/** What a list can be sorted by: the title, and the instants, dates, numbers and names of its records, whether or not they are columns. */
import { type OrderedField, orderedFields } from '@trellis/schema/resources/filters.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';

export interface ColumnSort {
  readonly column: string;
  /** The API's name of the ascending order. */
  readonly name: string;
  readonly kind: OrderedField['scale'];
  /** The values of the parameter `sort`: first the one that people expect, from A to Z, newest or highest first. */
  readonly orders: readonly [string, string];
}

/** The API's default order. */
export const defaultSort = '-createdAt';

/** Everything that a list of the resource can be sorted by. */
export function sortsOf(resource: Resource): readonly ColumnSort[] {
  const { titleField } = resource;
  const title = titleField.split('.').at(-1) ?? titleField;
  return [{ field: titleField, name: title, scale: 'text' as const }, ...orderedFields(resource)].map(
    ({ field, name, scale }) => ({
      column: field,
      name,
      kind: scale,
      orders: scale === 'text' ? [name, `-${name}`] : [`-${name}`, name],
    }),
  );
}
