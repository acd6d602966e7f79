/**
 * The builders of the JSON Schemas that no resource declares: bodies and responses of operations, in every interface. Each value has a
 * description and an example, and the examples of objects and lists are made of them.
 */
import { isOptional, markOptional } from '@trellis/schema/resources/type.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';

/** Schemas by the name of their component, or of the member that they describe. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The largest integer of the database's type `integer`. */
export const int32Max = 2_147_483_647;

/** A text. `rules`: further keywords. */
export function text(description: string, example: string, rules: JsonSchema = {}): JsonSchema {
  return { type: 'string', ...rules, description, examples: [example] };
}

/** A text of 1 to `maxLength` characters. */
export function boundedText(description: string, example: string, maxLength: number): JsonSchema {
  return text(description, example, { minLength: 1, maxLength });
}

/** One of a few texts. */
export function oneOf(description: string, example: string, values: readonly string[]): JsonSchema {
  return text(description, example, { enum: values });
}

/** An instant (RFC 3339). */
export function instant(description: string, example = '2026-03-01T09:00:00.000Z'): JsonSchema {
  return text(description, example, { format: 'date-time' });
}

export function integer(description: string, example: number, rules: JsonSchema = {}): JsonSchema {
  return { type: 'integer', ...rules, description, examples: [example] };
}

export function flag(description: string, example: boolean): JsonSchema {
  return { type: 'boolean', description, examples: [example] };
}

/** Of a record that uses another one: whether readers see that. */
export const seenFlag: JsonSchema = {
  anyOf: [{ type: 'boolean' }, { type: 'null' }],
  description:
    'Whether readers see the use: the published version has it, or the record is published. Null for kinds of records that are not published, such as contacts.',
  examples: [true],
};

/** A list, by default with the example of its items as its only item. */
export function list(
  description: string,
  items: JsonSchema,
  rules: JsonSchema = {},
  example: readonly unknown[] = [items.examples?.[0]],
): JsonSchema {
  return { type: 'array', description, items, ...rules, examples: [example] };
}

/**
 * An object, open to members that are added later. All members are required that are not `optional`; by default these are its example.
 * @param description null where that of the member around it will do
 */
export function object(description: string | null, members: Schemas, example?: unknown): JsonSchema {
  const required = Object.entries(members).filter(([, schema]) => !isOptional(schema));
  return {
    type: 'object',
    ...(description === null ? {} : { description }),
    properties: members,
    required: required.map(([name]) => name),
    examples: [example ?? exampleOf(required)],
  };
}

/** A closed object: the body of a request, in which every other member is a fault. */
export function body(description: string | null, members: Schemas): JsonSchema {
  const { examples = [], ...open } = object(description, members);
  return { ...open, additionalProperties: false, examples };
}

/** An object whose members are not ours to describe. */
export function foreign(description: string, example: object): JsonSchema {
  return { type: 'object', description, examples: [example] };
}

/** A member of an object that may be missing. */
export function optional(schema: JsonSchema): JsonSchema {
  return markOptional(schema);
}

/** An id with its prefix. */
export function idSchema(prefix: string, description: string): JsonSchema {
  return { ...idValue(prefix), description, examples: [exampleId(prefix)] };
}

/** An id with its prefix, without a description. */
export function idValue(prefix: string): JsonSchema {
  return { type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` };
}

/** The id in examples. */
export function exampleId(prefix: string): string {
  return `${prefix}_01h455vb4pex5vsknk084sn02q`;
}

/** A reference to a component. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** One page of a list: `items` and `pageInfo`. */
export function pageSchema(
  description: string,
  items: JsonSchema,
  example: readonly unknown[],
  maxItems: number,
  beside: Schemas = {},
): JsonSchema {
  const members = {
    items: list('The page.', items, { maxItems }, example),
    ...beside,
    pageInfo: reference('PageInfo'),
  };
  return object(description, members, {
    items: example,
    pageInfo: { nextCursor: null, hasNextPage: false },
  });
}

/** An example of an object, made of the examples of its members. */
export function exampleOf(members: readonly (readonly [string, JsonSchema])[]): Record<string, unknown> {
  return Object.fromEntries(members.map(([name, { examples }]) => [name, examples?.[0] ?? null]));
}
