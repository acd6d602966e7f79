/** The fields of a declaration with their dotted names. */
import type { Field, FieldGroup } from './fields.ts';

/** Whether a member is a group of fields. */
export function isGroup(member: Field | FieldGroup): member is FieldGroup {
  return 'group' in member;
}

/** What has fields: a declaration. */
export interface Fielded {
  readonly fields: Readonly<Record<string, Field | FieldGroup>>;
}

/** A field with its dotted name. */
export type NamedField = readonly [name: string, field: Field];

/** The fields of declarations, which every write goes through several times. */
const flattened = new WeakMap<object, readonly NamedField[]>();

/** All fields with their dotted names, groups flattened, in the order of the declaration, which does not change. */
export function flattenFields({ fields }: Fielded): readonly NamedField[] {
  const known = flattened.get(fields);
  if (known !== undefined) return known;
  const made = Object.entries(fields).flatMap(([name, member]): NamedField[] =>
    isGroup(member)
      ? Object.entries(member.fields).map(([inner, field]) => [`${name}.${inner}`, field])
      : [[name, member]],
  );
  flattened.set(fields, made);
  return made;
}
