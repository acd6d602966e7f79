/** The orders in which lists come, and what their sort values are. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { columnName } from './storage.ts';

/** One order of a list: an expression that is never null and a direction; ties are ordered by id in the same direction. */
export interface Sort {
  /** Columns of the record; the first that is not null counts. */
  readonly columns: readonly string[];
  readonly descending: boolean;
  /** PostgreSQL type of the expression, for the cursor's parameter. */
  readonly type: 'timestamptz' | 'text';
}

/** The names that `sort` takes for a resource, default first. */
export function sortsOf(resource: Resource): Readonly<Record<string, Sort>> {
  const title = resource.titleField.split('.').at(-1) ?? resource.titleField;
  const titles = [title, ...(resource.titleFallbacks ?? [])].map(columnName);
  const orders = (name: string, columns: readonly string[], type: Sort['type']): [string, Sort][] => [
    [`-${name}`, { columns, type, descending: true }],
    [name, { columns, type, descending: false }],
  ];
  return Object.fromEntries([
    ...orders('createdAt', ['created_at'], 'timestamptz'),
    ...orders('updatedAt', ['updated_at'], 'timestamptz'),
    ...orders(title, titles, 'text').reverse(),
  ]);
}

/** The order of that name; a wrong name is a mistake of ours. */
export function sortOf(resource: Resource, name: string): Sort {
  const sort = sortsOf(resource)[name];
  if (sort === undefined) throw new Error(`${resource.name} has no sort ${name}`);
  return sort;
}

/** Forms that are ASCII when they are kept. */
const asciiFormats: readonly unknown[] = ['http-url', 'https-url', 'partial-date'];

/** Bytes of UTF-8 of a code point at most; a character that JSON escapes has two bytes. */
const bytesPerCodePoint = 4;

/** Bytes that the longest sort value of the resource takes in a JSON text. */
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
