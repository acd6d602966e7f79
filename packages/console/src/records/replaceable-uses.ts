/** Which references that keep a record from being deleted can be replaced by references to another record, as the declarations say. */
import type { NamedField, Resource } from '@trellis/schema/resources/resource.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';

/** The records of one resource that refer to a record. */
export interface ReplaceableUse {
  readonly user: Resource;
  /** Dotted names of the fields that refer. */
  readonly fields: readonly string[];
  /** Filters of the list that together find the records. */
  readonly filters: readonly string[];
}

/**
 * How records of a resource refer to one of another; null where their references cannot be replaced: those of children to what they belong
 * to, those inside of objects, and those of versions, of which a published one cannot be changed.
 */
export function replaceableUse(user: Resource, target: Resource): ReplaceableUse | null {
  const { parent, versions } = user;
  if (parent !== null && parent.resource !== target.parent?.resource) return null;
  const fields = flattenFields(user).filter(
    ([, { reference }]) => reference?.resource === target.name && reference.blocksDeletion,
  );
  const isFixed = ([name, { readOnly }]: NamedField) =>
    readOnly || (versions !== undefined && name.startsWith(`${versions.group}.`));
  const own = fields.filter(([, { reference }]) => reference?.among === null);
  const filters = own.flatMap(([name]) => filterOf(user, name) ?? []);
  if (own.length === 0 || filters.length < own.length || fields.some(isFixed)) return null;
  return { user, fields: fields.map(([name]) => name), filters };
}

/** The filter of a list by the reference in a field. */
function filterOf({ filters, sideTables }: Resource, field: string): string | null {
  const found = Object.entries(filters).find(([, filter]) =>
    filter.kind === 'via'
      ? sideTables?.[filter.table]?.values.includes(field)
      : filter.kind === 'reference' && filter.field === field,
  );
  return found?.[0] ?? null;
}
