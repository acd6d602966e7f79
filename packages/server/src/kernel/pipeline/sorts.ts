/** The sort orders of lists, and their sort values. */
import { isCommonInstant, orderedFields } from '@trellis/schema/resources/filters.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';

/** A sort order: an expression that is never null, and a direction. Ties are sorted by id in the same direction. */
export interface Sort {
  /** Fields of the record, of which the first that is not null counts. */
  readonly fields: readonly string[];
  readonly descending: boolean;
  /** Whether all fields may be null: the record then comes before the oldest or least. */
  readonly isOptional: boolean;
  /** PostgreSQL type of the expression, for the cursor's parameter. */
  readonly type: 'timestamptz' | 'text' | 'bigint';
  /** Whether its texts are for people: alphabetical, and not by code points. */
  readonly isAlphabetical: boolean;
}

const types = { instant: 'timestamptz', integer: 'bigint', date: 'text', text: 'text' } as const;

/** The values of the parameter `sort` of a resource, default first. */
export function sortsOf(resource: Resource): Readonly<Record<string, Sort>> {
  const { titleField, titleFallbacks = [] } = resource;
  const orders = (name: string, sort: Omit<Sort, 'descending'>): [string, Sort][] => [
    [`-${name}`, { ...sort, descending: true }],
    [name, { ...sort, descending: false }],
  ];
  const [createdAt = [], updatedAt = [], ...further] = orderedFields(resource).map(({ field, name, scale }) =>
    orders(name, {
      fields: [field],
      type: types[scale],
      isOptional: !isCommonInstant(field),
      isAlphabetical: scale === 'text',
    }),
  );
  const title = titleField.split('.').at(-1) ?? titleField;
  const titles = orders(title, {
    fields: [titleField, ...titleFallbacks],
    type: 'text',
    isOptional: false,
    isAlphabetical: true,
  });
  return Object.fromEntries([...createdAt, ...updatedAt, ...titles.reverse(), ...further.flat()]);
}

/** Sorts missing values before all others. */
const least = { timestamptz: `'-infinity'::timestamptz`, text: `''`, bigint: '-1' } as const;

/** The expression that records are sorted by. It is that of an index, if there is one. @param columns SQL of the columns of the order */
export function sortKey(
  { isOptional, type, isAlphabetical }: Omit<Sort, 'fields' | 'descending'>,
  columns: readonly string[],
): string {
  const all = isOptional ? [...columns, least[type]] : columns;
  const value = all.length === 1 ? all.join() : `coalesce(${all.join(', ')})`;
  return isAlphabetical ? `${value} COLLATE trellis.alphabetical` : value;
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
export function sortKeyBytes(resource: Resource): number {
  const names = Object.values(sortsOf(resource)).flatMap(({ fields, type }) =>
    type === 'text' ? fields : [],
  );
  const lengths = flattenFields(resource)
    .filter(([name]) => names.includes(name))
    .map(([, { schema }]) => {
      const { maxLength, format } = schema as JsonSchema;
      return Number(maxLength) * (asciiFormats.includes(format) ? 1 : bytesPerCodePoint);
    });
  return Math.max(...lengths);
}
