/**
 * Values of rows that should be one of a known set and are none: a stage, a country, a member. They are counted by column and value, so that a
 * person corrects all rows with one choice.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { convertValue, valueNamesOf } from './convert.ts';
import { type Destination, membersOf } from './destinations.ts';
import type { Mapping } from './mapping.ts';
import { withoutNumbers } from './rejection.ts';
import type { UnknownValue } from './report.ts';
import type { SourceRow } from './source.ts';

/** What a value is one of: values of the declaration, codes of a format, or members of the organization. */
export type KnownSet =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'country' | 'locale' | 'currency' | 'members' };

const codes = ['country', 'locale', 'currency'] as const;
const longestValue = 200;

/** The set that the values of a destination are from; null for any other destination. */
export function knownSetOf({ declared, member }: Pick<Destination, 'declared' | 'member'>): KnownSet | null {
  if (declared === null) return null;
  const schema = schemaOf({ declared, member });
  if (schema.enum !== undefined) return { kind: 'values', values: schema.enum.map(String) };
  const kind = codes.find((format) => format === schema.format);
  if (kind !== undefined) return { kind };
  const reference = member === null ? declared.reference?.resource : schema['x-reference'];
  return schema.type === 'string' && reference === 'users' ? { kind: 'members' } : null;
}

function schemaOf({ declared, member }: Pick<Destination, 'declared' | 'member'>): JsonSchema {
  if (declared === null) return {};
  return (member === null ? (declared.schema as JsonSchema) : membersOf(declared)[member]) ?? {};
}

/** The unknown values of a row that was rejected. @param reasons of the rejection */
export function findUnknownValues(
  resource: Resource,
  mapping: Mapping,
  { fields }: SourceRow,
  reasons: readonly string[],
): readonly UnknownValue[] {
  const faulty = new Set(
    reasons.map((reason) => withoutNumbers(/^([a-z]\w*(?:\.\w+)*): /i.exec(reason)?.[1] ?? '')),
  );
  return [...fields].flatMap(([column, given]): UnknownValue[] => {
    const destination = mapping.mappingOf(column)?.destination;
    if (destination === undefined || typeof given !== 'string' || !faulty.has(destination.name)) return [];
    const value = given.trim();
    const set = knownSetOf(destination);
    if (set === null || value === '' || value.length > longestValue) return [];
    // Of several columns for one destination, only some have the fault.
    if (isKnown(resource, set, schemaOf(destination), value)) return [];
    return [{ column, to: destination.name, value }];
  });
}

function isKnown(resource: Resource, set: KnownSet, schema: JsonSchema, value: string): boolean {
  if (set.kind === 'members') return false;
  const converted = convertValue(schema, value, [], valueNamesOf(resource));
  if (set.kind === 'values') return set.values.includes(String(converted));
  return formats[set.kind]?.accepts(String(converted)) === true;
}
