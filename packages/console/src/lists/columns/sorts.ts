/** What a list can be sorted by: the title and the instants, whether or not they are columns. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { instants } from '../../resources/values.ts';

export interface ColumnSort {
  readonly column: string;
  /** The API's name of the ascending order. */
  readonly name: string;
  readonly kind: 'text' | 'instant';
  /** The values of the parameter `sort`: first the one that people expect, from A to Z or newest first. */
  readonly orders: readonly [string, string];
}

/** The API's default order. */
export const defaultSort = '-createdAt';

/** Everything that a list of the resource can be sorted by. */
export function sortsOf({
  titleField,
  sortFields = [],
}: Pick<Resource, 'titleField' | 'sortFields'>): readonly ColumnSort[] {
  const lastPart = (name: string) => name.split('.').at(-1) ?? name;
  const title = lastPart(titleField);
  return [
    { column: titleField, name: title, kind: 'text', orders: [title, `-${title}`] },
    ...[...instants, ...sortFields].map((column): ColumnSort => {
      const name = lastPart(column);
      return { column, name, kind: 'instant', orders: [`-${name}`, name] };
    }),
  ];
}
