/** The texts in the bodies of a resource, for tests that go through all of them. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';

/** A text somewhere in the bodies of a resource. */
export interface TextPlace {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The value of the field with that text. */
  readonly write: (text: unknown) => unknown;
}

/** The texts of a resource that are not references, ids and choices, or stored as they are. */
export function textsOf(resource: Resource): TextPlace[] {
  return flattenFields(resource).flatMap(([name, field]) =>
    field.readOnly || field.reference !== null
      ? []
      : textsIn(name, field.schema as JsonSchema, (text) => text),
  );
}

function textsIn(name: string, given: JsonSchema, write: TextPlace['write']): TextPlace[] {
  const schema = unwrap(given) ?? given;
  if (schema.items !== undefined) return textsIn(name, schema.items, (text) => write([text]));
  if (schema.properties !== undefined) {
    const required = schema.required ?? [];
    const properties = schema.properties;
    return Object.entries(properties).flatMap(([key, property]) => {
      if (property.readOnly === true || property['x-reference'] !== undefined) return [];
      const others = Object.fromEntries(required.map((other) => [other, exampleOf(properties[other] ?? {})]));
      return textsIn(`${name}.${key}`, property, (text) => write({ ...others, [key]: text }));
    });
  }
  const isFreeText =
    schema.type === 'string' && schema.enum === undefined && schema['x-max-bytes'] === undefined;
  const isNoText = /date-time|event-type|log-start/.test(schema.format ?? '') || schema.pattern !== undefined;
  return isFreeText && !isNoText ? [{ name, schema: { ...given, ...schema }, write }] : [];
}

/** An example of a value. */
export function exampleOf(schema: JsonSchema): unknown {
  return schema.examples?.[0] ?? unwrap(schema)?.enum?.[0] ?? examples[schema.format ?? ''] ?? 'Ada Lovelace';
}

/** Where the schema of a list's item has no example. */
const examples: Readonly<Record<string, string>> = {
  country: 'Germany',
  'domain-name': 'example.com',
  domain: 'blog.example.com',
  label: 'newsletter',
};
