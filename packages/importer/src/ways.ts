/** What the records of a file can be found by, in the order in which they are looked for; shown before the first write. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { idInput, importOf } from './destinations.ts';
import { foundBy } from './find-record.ts';
import { identifyingSets, uniqueWords } from './identity.ts';
import type { ColumnUse } from './mapping.ts';

/** The destinations that identify a record themselves. A column `id` has ids or keys, so that its values tell which. */
const keys: readonly string[] = [idInput, 'externalId'];

/**
 * The destinations of the columns of a file.
 * @param named by the names of the columns
 * @param columns their use in the first rows, which alone tells where each row has its own names
 */
export function destinationsInUse(
  named: ReadonlySet<string>,
  columns: readonly Pick<ColumnUse, 'to' | 'rows'>[],
): ReadonlySet<string> {
  const used = new Set(
    columns.flatMap(({ to, rows }) => (to === null || rows === 0 ? [] : to.replace(/ \(.*$/, ''))),
  );
  return new Set([...[...named].filter((name) => name !== idInput), ...used]);
}

/**
 * The ways to find a record, in the words of `Found.by`.
 * @param destinations names of the destinations that the columns of the file have
 * @param keyOfSource name, for people, of the key that the reader assigns to rows; null if it assigns none
 */
export function waysToFind(
  resource: Resource,
  destinations: ReadonlySet<string>,
  keyOfSource: string | null = null,
): string[] {
  const computed = new Map((importOf(resource).computed ?? []).map(({ from, to }) => [from, to]));
  const given = new Set([...destinations].flatMap((name) => [name, ...(computed.get(name) ?? [])]));
  const isGiven = (name: string) =>
    [...given].some((one) => one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`));
  const words = uniqueWords(resource);
  const isUnique = (name: string) =>
    Object.keys(words).some((path) => path === name || path.startsWith(`${name}.`));
  const sets = identifyingSets(resource).filter((names) => names.every(isGiven) && !names.every(isUnique));
  const unique = new Set(
    Object.keys(words)
      .filter(isGiven)
      .map((name) => words[name] ?? name),
  );
  if (keyOfSource !== null) return [`externalId (${keyOfSource})`, ...unique];
  return [
    ...keys.filter((name) => given.has(name)),
    ...unique,
    foundBy.row,
    ...sets.map((names) => names.map((name) => name.slice(name.lastIndexOf('.') + 1)).join(', ')),
    ...((importOf(resource).namesakes ?? []).some((names) => names.every(isGiven)) ? [foundBy.lineage] : []),
  ];
}
