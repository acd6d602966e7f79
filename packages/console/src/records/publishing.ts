/** How a record becomes one that readers see, by the transitions of its declaration. */

import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../api/api.ts';
import type { Draft } from '../fields/draft.ts';

/** The field of the status, and the statuses on the way to one that readers see, the last of them included. */
interface WayToReaders {
  readonly field: string;
  /** What forms say about the field. */
  readonly help: Field['help'];
  readonly statuses: readonly string[];
}

/** The shortest way; null for a record that readers see already, and where none leads there. */
export function wayToReaders(resource: Resource, record: ApiRecord | null): WayToReaders | null {
  const status = statusOf(resource);
  if (status === null || record === null) return null;
  const { field, transitions } = status;
  const ways: string[][] = [[String(record[field])]];
  for (const way of ways) {
    const [present, ...statuses] = [way.at(-1) ?? '', ...way.slice(1)];
    if (transitions.published.includes(present))
      return statuses.length === 0 ? null : { field, help: helpOf(resource, field), statuses };
    const seen = ways.flat();
    ways.push(
      ...(transitions.allowed[present] ?? [])
        .filter((next) => !seen.includes(next))
        .map((next) => [...way, next]),
    );
  }
  return null;
}

/** The statuses that a record of a list can have next. Beside a draft, the version that readers see has a status of its own. */
export function nextStatuses(resource: Resource, record: ApiRecord): readonly string[] {
  const status = statusOf(resource);
  if (status === null) return [];
  const { allowed, published } = status.transitions;
  const present = [String(valueAt(record, status.field)), ...(record.state === 'CHANGED' ? published : [])];
  return present.flatMap((one) => allowed[one] ?? []);
}

function helpOf(resource: Resource, field: string): Field['help'] {
  return flattenFields(resource).find(([name]) => name === field)?.[1].help ?? null;
}

/** The field of the status by which a draft shows readers a record that they do not see; null for a draft that does not. */
export function publishedStatus(resource: Resource, record: ApiRecord | null, draft: Draft): string | null {
  const status = statusOf(resource);
  if (status === null || !Object.hasOwn(draft, status.field)) return null;
  const { field, transitions } = status;
  const isSeen = (value: unknown) => transitions.published.includes(String(value));
  return isSeen(draft[field]) && !isSeen(record?.[field]) ? field : null;
}
