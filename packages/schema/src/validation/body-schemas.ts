/**
 * The schemas of request bodies, derived from the declarations. Both the validators and the OpenAPI document use them.
 */

import type { Field } from '../resources/fields.ts';
import { flattenFields, isGroup, type Resource } from '../resources/resource.ts';
import { isPlainObject } from '../values/plain-object.ts';

/** The keywords of JSON Schema (2020-12) that this project uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean;
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly readOnly?: boolean;
  readonly [keyword: string]: unknown;
}

/** What has the fields of a body: a resource, or the input of an action. */
type Bodied = Pick<Resource, 'fields' | 'createOnly'>;

/** The schema of the body of POST: closed; optional fields may be absent. */
export function createBodySchema(resource: Bodied): JsonSchema {
  return bodySchema(resource, 'create');
}

/** The schema of the body of PATCH (RFC 7396): closed; nothing is required, null clears, no object may be empty. */
export function patchBodySchema(resource: Resource): JsonSchema {
  return { ...bodySchema(resource, 'patch'), minProperties: 1 };
}

function bodySchema(resource: Bodied, mode: 'create' | 'patch'): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const members = mode === 'create' ? { ...resource.fields, ...resource.createOnly } : resource.fields;
  for (const [name, member] of Object.entries(members)) {
    if (!isGroup(member)) {
      if (member.readOnly && !(mode === 'create' && member.isCreatable)) continue;
      properties[name] = fieldSchema(member, mode);
      if (member.required) required.push(name);
      continue;
    }
    const writable = Object.entries(member.fields).filter(([, field]) => !field.readOnly);
    const needed = writable.filter(([, field]) => field.required).map(([inner]) => inner);
    properties[name] = {
      type: 'object',
      description: member.description,
      properties: Object.fromEntries(writable.map(([inner, field]) => [inner, fieldSchema(field, mode)])),
      additionalProperties: false,
      ...(mode === 'create' && needed.length > 0 ? { required: needed } : {}),
      ...(mode === 'patch' ? { minProperties: 1 } : {}),
    };
    if (needed.length > 0) required.push(name);
  }
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(mode === 'create' && required.length > 0 ? { required } : {}),
  };
}

function fieldSchema(field: Field, mode: 'create' | 'patch'): JsonSchema {
  const { default: _omitted, ...withoutDefault } = writable(field.schema as JsonSchema);
  const schema = mode === 'patch' ? openForMerge(withoutDefault) : writable(field.schema as JsonSchema);
  return field.nullable ? orNull(schema) : schema;
}

/** The schema without derived members, which are only returned. */
function writable(schema: JsonSchema): JsonSchema {
  if (schema.items !== undefined) return { ...schema, items: writable(schema.items) };
  if (schema.properties === undefined) return schema;
  const kept = Object.entries(schema.properties).filter(([, property]) => property.readOnly !== true);
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** The schema for merge patches: all members of an object may be absent. Arrays are replaced as a whole, so they do not change. */
function openForMerge(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object') return schema;
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, property]) => {
      const { default: initial, ...rest } = property;
      return [key, initial === undefined ? rest : orNull(rest)];
    }),
  );
  const { required: _omitted, ...rest } = schema;
  return { ...rest, properties, minProperties: 1 };
}

/** Members that every record has and no body may have. */
export const commonMembers = ['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'];

/** Pointers of the members that records have and bodies may not; `*` stands for the items of a list. */
export function readOnlyPointers(resource: Resource): string[] {
  const parent = resource.parent === null ? [] : [resource.parent.parameter];
  const fields = flattenFields(resource).flatMap(([name, { readOnly, schema }]) => {
    const pointer = name.replaceAll('.', '/');
    return readOnly
      ? [pointer]
      : derivedMembers(schema as JsonSchema).map((member) => `${pointer}/${member}`);
  });
  return [...commonMembers, ...parent, ...fields].map((pointer) => `/${pointer}`);
}

/** A value as the API returned it, without the derived members of its objects, which no body may have. */
export function withoutDerived(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDerived(schema.items ?? {}, item));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => schema.properties?.[name]?.readOnly !== true),
  );
}

function derivedMembers({ items, properties = {} }: JsonSchema): string[] {
  if (items !== undefined) return derivedMembers(items).map((member) => `*/${member}`);
  return Object.entries(properties).flatMap(([name, { readOnly }]) => (readOnly === true ? [name] : []));
}

/** The schema of a value that may also be null. The annotations stay at the top, where tools look for them. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf !== undefined) return schema;
  const { description, examples, default: initial, readOnly, ...value } = schema;
  return {
    anyOf: [value, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    ...(initial === undefined ? {} : { default: initial }),
    ...(readOnly === undefined ? {} : { readOnly }),
  };
}
