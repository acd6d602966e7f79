/**
 * The destinations of columns: fields of a resource, members of their objects and list items, and inputs of the
 * import.
 */

import type { Field } from '@trellis/schema/resources/fields.ts';
import type { ImportDeclaration, ListImport, PostImport } from '@trellis/schema/resources/import.ts';
import { flattenFields, type NamedField, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { unwrap } from '@trellis/schema/validation/faults.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import { UsageError } from './errors.ts';
import { changeInput } from './existing.ts';

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

/** The input that every resource has: exports of the console and of the command line contain it. */
export const idInput = 'id';

/** Inputs that decide whether and when a post is published. */
const postInputs = {
  date: 'A past date is when the article was published for the first time; a future date schedules it.',
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
    [idInput, `The id of the record, as in exports: ${resource.idPrefix}_….`] as const,
    ...(isPosts ? [] : [[changeInput, 'When it was last changed where it comes from.'] as const]),
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
  const wholeFields = fields.map(([name, declared]): Destination => {
    const { description = '', type } = declared.schema as JsonSchema;
    const isClearable = declared.nullable || type === 'array';
    return { name, field: name, member: null, declared, description, isClearable };
  });
  const members = fields.flatMap(([field, declared]) =>
    Object.entries(membersOf(declared)).map(([member, { description = '' }]): Destination => {
      const isClearable = declared.nullable && !isListOfObjects(declared);
      return { name: `${field}.${member}`, field, member, declared, description, isClearable };
    }),
  );
  const inputs = [...inputsOf(resource, isPosts)].map(([name, description]): Destination => {
    const [list, member = null] = name.split('.');
    const owner = member === null ? undefined : fields.find(([known]) => known === list);
    return owner === undefined
      ? { name, field: name, member: null, declared: null, description, isClearable: name in lookups }
      : { name, field: owner[0], member, declared: owner[1], description, isClearable: false };
  });
  return [...wholeFields, ...members, ...inputs];
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
  const exact = destinations.find((destination) => destination.name === name);
  const [first, ...others] = wholeFields.length === 1 ? wholeFields : endings;
  const found = exact ?? (others.length === 0 ? first : undefined);
  if (found !== undefined) return found;
  const names = destinations.map((destination) => destination.name);
  const candidates = destinations.flatMap(({ name: full, member }) =>
    member === null ? [full, lastPart(full)] : [full],
  );
  const nearest = nearestName(name, candidates);
  const hint = nearest === null ? `There are: ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  throw new UsageError(`--map: there is no field "${name}". ${hint}`);
}

/** `title` of `versionData.title`. */
export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** `versionData.`: the prefix of the fields of a version. */
export function groupPrefix({ status }: PostImport): string {
  return status.slice(0, status.indexOf('.') + 1);
}
