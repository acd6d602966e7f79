/**
 * Builders of JSON Schemas whose values TypeScript knows, by the types of TypeBox. Of TypeBox itself only the types are
 * imported: its 370 modules would take longer to import than most commands run. A test compares both.
 */
import type { Static, TSchema, Type as TypeBox } from 'typebox';

export type { Static, TSchema };

type Schema = Readonly<Record<string, unknown>>;

/** The schemas of members that may be left out. */
const optionalSchemas = new WeakSet<Schema>();

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object: (properties: Readonly<Record<string, Schema>>, options?: Schema) => {
    const members = Object.entries(properties);
    const required = members.flatMap(([name, schema]) => (isOptional(schema) ? [] : [name]));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional: markOptional,
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

/** A copy of the schema, which is that of a member that may be left out. */
export function markOptional<S extends Schema>(schema: S): S {
  const optional = { ...schema };
  optionalSchemas.add(optional);
  return optional;
}

/** Whether a member with this schema may be left out. */
export function isOptional(schema: Schema): boolean {
  return optionalSchemas.has(schema);
}

/** The builders, with the signatures that they have in TypeBox. */
export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;
