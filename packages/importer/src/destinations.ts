/**
 * The destinations of columns: fields of a resource, members of their objects and list items, and inputs of the
 * import.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import type { ImportDeclaration, ListImport } from '@trellis/schema/resources/import.ts';
import { flattenFields, type NamedField, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import { UsageError } from './errors.ts';

/** A destination of columns. */
export interface Destination {
  /** `title`, `versionData.title`, `emails.address`, or the name of an input such as `fullName`. */
  readonly name: string;
  /** Dotted name of the field; for an input without a field, its own name. */
  readonly field: string;
  /** The member of an object or list item; null for the whole field. */
  readonly member: string | null;
  /** Null for an input that belongs to no field. */
  readonly declared: Field | null;
  /** What it accepts, for people. */
  readonly description: string;
  /** Whether null clears it; otherwise null is ignored. */
  readonly isClearable: boolean;
}

/** Inputs that decide whether and when a post is published. */
export const postInputs = {
  date: 'A past date is kept in the change note, since the API sets publishedAt itself; a future date schedules the article.',
  expires: 'When it is to be unpublished.',
  draft: 'Whether it stays a draft.',
  published: 'Whether it is published, or since when.',
} as const;

/** The import section of a resource. */
export function importOf(resource: Resource): ImportDeclaration {
  return resource.import ?? {};
}

/** How texts become items of a list field. */
export function listImportOf(resource: Resource, fieldName: string): ListImport | undefined {
  return importOf(resource).lists?.[fieldName];
}

/** Every field that a body may have, by dotted name. */
export function writableFields(resource: Resource): NamedField[] {
  return flattenFields(resource).filter(([, field]) => !field.readOnly);
}

/** The column names that a resource declares. */
export function declaredColumns(resource: Resource, isPosts: boolean) {
  const { columns = [], posts } = importOf(resource);
  return isPosts && posts !== undefined ? [...columns, ...posts.columns] : columns;
}

/** Inputs that are not fields, with what they accept. */
export function inputsOf(resource: Resource, isPosts: boolean): ReadonlyMap<string, string> {
  const { lookups = {}, computed = [], posts } = importOf(resource);
  return new Map([
    ...Object.entries(lookups).map(
      ([name, lookup]) => [name, `Names of ${lookup.resource}; missing ones are created.`] as const,
    ),
    ...computed.map(({ from, description }) => [from, description] as const),
    ...(isPosts && posts !== undefined ? Object.entries(postInputs) : []),
  ]);
}

/** Every destination of a resource: whole fields, then members, then inputs. */
export function listDestinations(resource: Resource, isPosts: boolean): Destination[] {
  const { lookups = {} } = importOf(resource);
  const fields = writableFields(resource);
  const members = fields.flatMap(([name, field]): Destination[] =>
    Object.entries(membersOf(field)).map(([member, schema]) => ({
      name: `${name}.${member}`,
      field: name,
      member,
      declared: field,
      description: String(schema.description ?? ''),
      isClearable: field.nullable && !isListOfObjects(field),
    })),
  );
  const inputs = [...inputsOf(resource, isPosts)].map(([name, description]): Destination => {
    const [list, member = null] = name.split('.');
    const owner = member === null ? undefined : fields.find(([known]) => known === list);
    return owner === undefined
      ? { name, field: name, member: null, declared: null, description, isClearable: name in lookups }
      : { name, field: owner[0], member, declared: owner[1], description, isClearable: false };
  });
  return [
    ...fields.map(
      ([name, declared]): Destination => ({
        name,
        field: name,
        member: null,
        declared,
        description: String((declared.schema as JsonSchema).description ?? ''),
        isClearable: declared.nullable || (declared.schema as JsonSchema).type === 'array',
      }),
    ),
    ...members,
    ...inputs,
  ];
}

/** Writable members of an object, or of the items of a list. */
export function membersOf(field: Field): Readonly<Record<string, JsonSchema>> {
  const schema = field.schema as JsonSchema;
  const properties = schema.items?.properties ?? schema.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, member]): [string, JsonSchema][] =>
      member.readOnly === true ? [] : [[name, unwrap(member) ?? member]],
    ),
  );
}

/** Whether the field is a list of objects. */
export function isListOfObjects(field: Field): boolean {
  return (field.schema as JsonSchema).items?.properties !== undefined;
}

/** The destination with this name, or the only one that ends with it. @throws UsageError */
export function findDestination(destinations: readonly Destination[], name: string): Destination {
  const endings = destinations.filter((destination) => destination.name.endsWith(`.${name}`));
  const wholeFields = endings.filter(({ member }) => member === null);
  const found =
    destinations.find((destination) => destination.name === name) ?? only(wholeFields) ?? only(endings);
  if (found !== undefined) return found;
  const names = destinations.flatMap((destination) => [
    destination.name,
    ...(destination.member === null ? [lastPart(destination.name)] : []),
  ]);
  const nearest = nearestName(name, names);
  throw new UsageError(
    `--map: there is no field "${name}". ${nearest === null ? `There are: ${destinations.map((one) => one.name).join(', ')}.` : `Did you mean "${nearest}"?`}`,
  );
}

/** `title` of `versionData.title`. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
