/** Finds what was deleted at once, such as by a bulk change of a list, so that it can be restored at once. */
import type { TrashEntry } from '@trellis/client/generated/types.ts';

/** What the same person deletes without a longer break is one deletion, in ms. */
const longestBreakMs = 10_000;

/**
 * The ids of the entries that were deleted together, by the id of the first of them.
 * @param entries last deleted first
 */
export function deletionsOf(
  entries: readonly Pick<TrashEntry, 'id' | 'deletedBy' | 'deletedAt'>[],
): ReadonlyMap<string, readonly string[]> {
  const deletions: string[][] = [];
  for (const [index, entry] of entries.entries()) {
    const later = entries[index - 1];
    const isSame =
      later?.deletedBy === entry.deletedBy &&
      Date.parse(later.deletedAt) - Date.parse(entry.deletedAt) <= longestBreakMs;
    if (isSame) deletions.at(-1)?.push(entry.id);
    else deletions.push([entry.id]);
  }
  return new Map(deletions.filter(({ length }) => length > 1).map((ids) => [ids[0] ?? '', ids]));
}
