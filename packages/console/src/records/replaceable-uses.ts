/** Which references to a record can be redirected to another one before a deletion, derived from the declarations. */
import type { NamedField, Resource } from '@trellis/schema/resources/resource.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';

/** The records of one resource that refer to the record. */
export interface ReplaceableUse {
  readonly user: Resource;
  /** Dotted names of the reference fields. */
  readonly fields: readonly string[];
  /** List filters that together find the records. */
  readonly filters: readonly string[];
}

/**
 * How records of a resource refer to a target; null where the references cannot be redirected: those to a parent, those inside objects, and
 * those in versions, because a published version is immutable.
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

/** The list filter for a reference field. */
function filterOf({ filters, sideTables }: Resource, field: string): string | null {
  const found = Object.entries(filters).find(([, filter]) =>
    filter.kind === 'via'
      ? sideTables?.[filter.table]?.values.includes(field)
      : filter.kind === 'reference' && filter.field === field,
  );
  return found?.[0] ?? null;
}
