/** What new records get because no column of the file has it: a status, or a role of all contributors. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { groupPrefix, importOf } from './destinations.ts';

export interface Default {
  /** Dotted name of a field, or of a member of a list. */
  readonly field: string;
  readonly value: string;
}

/**
 * The texts that the API and the import set, without the mapped destinations; lists that are empty and flags that are not set go without saying.
 * @param isPosts whether the rows are posts, which decide the status and the format of their versions
 */
export function listDefaults(resource: Resource, mapped: ReadonlySet<string>, isPosts: boolean): Default[] {
  const { posts } = importOf(resource);
  const isDecided = (field: string) => isPosts && posts !== undefined && field.startsWith(groupPrefix(posts));
  const fields = flattenFields(resource).flatMap(([field, { defaultValue }]) =>
    typeof defaultValue === 'string' && !mapped.has(field) && !isDecided(field)
      ? [{ field, value: defaultValue }]
      : [],
  );
  const members = Object.entries(importOf(resource).lists ?? {}).flatMap(([list, { main, defaults = {} }]) =>
    main !== undefined && mapped.has(`${list}.${main}`)
      ? Object.entries(defaults).map(([member, value]) => ({ field: `${list}.${member}`, value }))
      : [],
  );
  return [...fields, ...members.filter(({ field }) => !mapped.has(field))];
}
