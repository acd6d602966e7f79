/** Which fields the records of a list are counted by: closed choices that lists filter by. */
import { filtersOf } from './filters.ts';
import { type Filter, flattenFields, hasOperation, type Resource } from './resource.ts';

/** A filter whose values are counted. */
export interface CountedChoice {
  /** Name of the filter, which is also what `by` says. */
  readonly name: string;
  /** Dotted name of the field. */
  readonly field: string;
  /** In the order of the declaration; null last, if the field may be empty. */
  readonly values: readonly (string | null)[];
  /** See `Filter`. */
  readonly isIndexed: boolean;
}

/** The choices that the records of a resource are counted by; none for a resource without a list. */
export function countedChoices(resource: Resource): readonly CountedChoice[] {
  if (resource.single === true || !hasOperation(resource, 'list')) return [];
  const fields = new Map(flattenFields(resource));
  return Object.entries<Filter>(filtersOf(resource)).flatMap(([name, filter]) => {
    if (filter.kind !== 'choice') return [];
    const none = fields.get(filter.field)?.nullable === true ? [null] : [];
    const values = [...(filter.values ?? []), ...none];
    return [{ name, field: filter.field, values, isIndexed: filter.isIndexed === true }];
  });
}
