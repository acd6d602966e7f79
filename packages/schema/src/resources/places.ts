/** Fields and members of their values by dotted paths, and what ids in them refer to. */
import type { Field } from './fields.ts';
import type { Filter } from './filters.ts';
import { flattenFields } from './flatten-fields.ts';
import type { Resource } from './resource.ts';

/** A field, or a member of the objects in its list. */
export interface Place {
  /** Dotted name of the field. */
  readonly name: string;
  readonly field: Field;
  /** Member of an object, or of each object in a list; null for the field itself. */
  readonly member: string | null;
}

/** The field or member with a dotted path: `title`, `versionData.title`, `emails.address`; null if there is none. */
export function findPlace(resource: Pick<Resource, 'fields'>, path: string): Place | null {
  for (const [name, field] of flattenFields(resource)) {
    if (name === path) return { name, field, member: null };
    const member = path.startsWith(`${name}.`) ? path.slice(name.length + 1) : '';
    if (memberSchemas(field)[member] !== undefined) return { name, field, member };
  }
  return null;
}

/** The parts of a member's schema that this module reads. */
interface MemberSchema {
  readonly format?: string;
  readonly 'x-reference'?: string;
}

/** Schemas of the members of an object, or of the objects in a list, by name. */
export function memberSchemas({ schema }: Field): Readonly<Record<string, MemberSchema>> {
  const { items, properties } = schema as {
    items?: { properties?: Record<string, MemberSchema> };
    properties?: Record<string, MemberSchema>;
  };
  return items?.properties ?? properties ?? {};
}

/** The resource that the ids in a place refer to; null for other values. */
export function targetOfPlace({ field, member }: Place): string | null {
  if (member === null) return field.reference?.resource ?? null;
  return memberSchemas(field)[member]?.['x-reference'] ?? null;
}

/** The resource whose ids a filter takes; null for filters by other values. */
export function targetOfFilter(
  resource: Pick<Resource, 'fields' | 'sideTables'>,
  filter: Filter,
): string | null {
  const path = filter.kind === 'via' ? resource.sideTables?.[filter.table]?.values[0] : filter.field;
  if (path === undefined || (filter.kind !== 'via' && filter.kind !== 'reference')) return null;
  const place = findPlace(resource, path);
  return place === null ? null : targetOfPlace(place);
}

/** Whether the values of a filter may have commas, so that each is given in a parameter of its own. */
export function isRepeated({ kind, format }: Filter): boolean {
  return kind === 'text' && format === 'external-id';
}

/** Whether a filter takes several values, of which a record has one: keys, and what has no comma: choices, ids and languages. */
export function takesSeveral(resource: Pick<Resource, 'fields' | 'sideTables'>, filter: Filter): boolean {
  if (isRepeated(filter)) return true;
  if (filter.kind === 'choice' || (filter.kind === 'text' && filter.format === 'locale')) return true;
  return targetOfFilter(resource, filter) !== null;
}
