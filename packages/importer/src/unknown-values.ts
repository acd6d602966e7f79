/**
 * Values of rows that should be one of a known set and are none: a stage, a country, a member. They are counted by column and value, so that a
 * person corrects all rows with one choice.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { mapValue } from './columns.ts';
import { convertValue, valueNamesOf } from './convert.ts';
import { type Destination, membersOf } from './destinations.ts';
import type { Mapping } from './mapping.ts';
import type { Members } from './members.ts';
import { withoutNumbers } from './rejection.ts';
import type { UnknownValue } from './report.ts';
import type { SourceRow } from './source.ts';

/** What a value is one of: values of the declaration, codes of a format, or members of the organization. */
export type KnownSet = OwnSet | { readonly kind: 'members' };

/** A set that is known without the server. */
type OwnSet =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: (typeof codes)[number] };

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

/**
 * The unknown values of a row that was rejected. Members are looked for only after everything else of a row was found to be valid, so theirs are
 * looked for here, whatever the reasons: a person corrects all values of a row at once.
 * @param reasons of the rejection
 */
export async function findUnknownValues(
  resource: Resource,
  mapping: Mapping,
  { fields }: SourceRow,
  reasons: readonly string[],
  members: Members,
): Promise<readonly UnknownValue[]> {
  const faulty = new Set(
    reasons.map((reason) => withoutNumbers(/^([a-z]\w*(?:\.\w+)*): /i.exec(reason)?.[1] ?? '')),
  );
  const unknown: UnknownValue[] = [];
  for (const [column, given] of fields) {
    const destination = mapping.mappingOf(column)?.destination;
    const set = destination === undefined ? null : knownSetOf(destination);
    if (destination === undefined || set === null || typeof given !== 'string') continue;
    const value = given.trim();
    if (value === '' || value.length > longestValue) continue;
    const { values, invalid } = mapping.settingsOf(column);
    const meant = mapValue(values, given);
    if (typeof meant !== 'string') continue;
    // Of several columns for one destination, only some have the fault.
    const isKnown =
      set.kind === 'members'
        ? invalid === 'omit' || (await members.knows(meant))
        : !faulty.has(destination.name) || isOfSet(resource, set, schemaOf(destination), meant.trim());
    if (!isKnown) unknown.push({ column, to: destination.name, value });
  }
  return unknown;
}

function isOfSet(resource: Resource, set: OwnSet, schema: JsonSchema, value: string): boolean {
  const converted = convertValue(schema, value, [], valueNamesOf(resource));
  if (set.kind === 'values') return set.values.includes(String(converted));
  return formats[set.kind]?.accepts(String(converted)) === true;
}
