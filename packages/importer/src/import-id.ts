/**
 * The importId of the records that an import creates: the name of the source, a hash of what all imports of this source to this place
 * have in common (their lineage), and one of the run. It is derived, so that an import that was killed has the same one when it is run again.
 */
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { shortHash } from './keys.ts';

/** Characters of the source's name. */
const longestName = 24;

/** What an importId is derived from. */
export interface ImportOrigin {
  /** The file or folder, with its path or without. */
  readonly sourceName: string;
  /** Name of the resource; null for a file of an export. */
  readonly resource: string | null;
  /** Names of the parents, by singular of their resource. */
  readonly parents: Readonly<Record<string, string>>;
}

/** The beginning of the importId of all imports of a source to the same place. */
export function lineageOf({ sourceName, resource, parents }: ImportOrigin): string {
  const name =
    sourceName
      .replace(/[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  const kept = Array.from(name.replaceAll(/[^\p{L}\p{N}._]+/gu, '_'))
    .slice(0, longestName)
    .join('');
  return `${kept}-${shortHash(canonicalizeJson([name, resource, parents])).slice(0, 8)}`;
}

/** The importId of a run. @param run what tells it from other runs with the source */
export function importIdOf(lineage: string, run: string): string {
  return `${lineage}-${shortHash(run).slice(0, 16)}`;
}
