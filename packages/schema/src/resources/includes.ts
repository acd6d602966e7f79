/**
 * The references whose records a read can include: those of content to other content, and the record above. Users, roles and clients are
 * left out, because whoever may see them is decided elsewhere, and no content is about them.
 */

import { memberSchemas, targetOfPlace } from './places.ts';
import { flattenFields, type Resource } from './resource.ts';

/** A reference whose records a read can include. */
export interface Include {
  /** The last part of its path, as in filters: `coverFileId`, `companyId`. */
  readonly name: string;
  /** Dotted name of the field with the ids; null for the record above. */
  readonly field: string | null;
  /** The member with the id, of the objects in a list; null if the field has the ids themselves. */
  readonly member: string | null;
  /** Name of the resource that is referred to. */
  readonly target: string;
  /** Whether the records have the same parent. */
  readonly sameParent: boolean;
}

const known = new WeakMap<object, readonly Include[]>();

/** The references of a resource that its reads can include, in the order of its fields. */
export function includesOf(resource: Pick<Resource, 'fields' | 'parent'>): readonly Include[] {
  const remembered = known.get(resource);
  if (remembered !== undefined) return remembered;
  const found = 'externalId' in resource.fields ? findIncludes(resource) : [];
  known.set(resource, found);
  return found;
}

function findIncludes(resource: Pick<Resource, 'fields' | 'parent'>): readonly Include[] {
  const fields = flattenFields(resource).flatMap(([name, field]) =>
    [null, ...Object.keys(memberSchemas(field))].flatMap((member): Include[] => {
      const target = targetOfPlace({ name, field, member });
      if (target === null || target === 'users') return [];
      const last = (member ?? name).split('.').at(-1) ?? '';
      return [{ name: last, field: name, member, target, sameParent: field.reference?.sameParent === true }];
    }),
  );
  if (resource.parent === null) return fields;
  const { parameter, resource: target } = resource.parent;
  return [{ name: parameter, field: null, member: null, target, sameParent: false }, ...fields];
}

/** The member of a response with the included records of a resource: `knowledgeFiles`. */
export function includedName(target: string): string {
  return target.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** The ids (uuids) in the place of a reference. @param storedValue the stored value of a field */
export function idsIn(
  { field, member }: Include,
  storedValue: (field: string) => unknown,
  parentId: string | null,
): readonly string[] {
  const value = field === null ? parentId : storedValue(field);
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const id =
      member === null || typeof one !== 'object' || one === null
        ? one
        : (one as Readonly<Record<string, unknown>>)[member];
    return typeof id === 'string' ? [id] : [];
  });
}
