/** The sort orders of lists, and their sort values. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { columnName } from './storage.ts';

/** A sort order: an expression that is never null, and a direction. Ties are sorted by id in the same direction. */
export interface Sort {
  /** Columns of the record, of which the first that is not null counts. */
  readonly columns: readonly string[];
  readonly descending: boolean;
  /** Whether all columns may be null: the record then comes before the oldest. */
  readonly isOptional: boolean;
  /** PostgreSQL type of the expression, for the cursor's parameter. */
  readonly type: 'timestamptz' | 'text';
}

/** The values of the parameter `sort` of a resource, default first. */
export function sortsOf(resource: Resource): Readonly<Record<string, Sort>> {
  const title = resource.titleField.split('.').at(-1) ?? resource.titleField;
  const titles = [title, ...(resource.titleFallbacks ?? [])].map(columnName);
  const orders = (
    name: string,
    columns: readonly string[],
    type: Sort['type'],
    isOptional = false,
  ): [string, Sort][] => [
    [`-${name}`, { columns, type, isOptional, descending: true }],
    [name, { columns, type, isOptional, descending: false }],
  ];
  return Object.fromEntries([
    ...orders('createdAt', ['created_at'], 'timestamptz'),
    ...orders('updatedAt', ['updated_at'], 'timestamptz'),
    ...orders(title, titles, 'text').reverse(),
    ...(resource.sortFields ?? []).flatMap((field) =>
      orders(field.split('.').at(-1) ?? field, [columnName(field)], 'timestamptz', true),
    ),
  ]);
}

/** The expression that records are sorted by. It is that of an index. @param columns SQL of the columns of the order */
export function sortKey({ isOptional }: Pick<Sort, 'isOptional'>, columns: readonly string[]): string {
  const all = isOptional ? [...columns, `'-infinity'::timestamptz`] : columns;
  return all.length === 1 ? all.join() : `coalesce(${all.join(', ')})`;
}

/**
 * The sort order of that name.
 * @throws Error for an unknown name, which is a bug
 */
export function sortOf(resource: Resource, name: string): Sort {
  const sort = sortsOf(resource)[name];
  if (sort === undefined) throw new Error(`${resource.name} has no sort ${name}`);
  return sort;
}

/** Formats whose stored values are ASCII. */
const asciiFormats: readonly unknown[] = ['http-url', 'https-url', 'partial-date'];

/** Maximum number of bytes of a code point in UTF-8. An escaped character in JSON has two. */
const bytesPerCodePoint = 4;

/** Bytes of the resource's longest sort value in a JSON text. */
export function sortKeyBytes({ titleField, titleFallbacks = [], ...resource }: Resource): number {
  const names = [titleField, ...titleFallbacks];
  const lengths = flattenFields(resource)
    .filter(([name]) => names.includes(name))
    .map(([, { schema }]) => {
      const { maxLength, format } = schema as JsonSchema;
      return Number(maxLength) * (asciiFormats.includes(format) ? 1 : bytesPerCodePoint);
    });
  return Math.max(...lengths);
}
