/** How a record becomes visible to readers, by the declared transitions. */
import type { Field } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../api/api.ts';
import type { Draft } from '../fields/draft.ts';

/** The status field, and the statuses to pass through up to the one that readers see. */
interface WayToReaders {
  readonly field: string;
  /** The help text of the field. */
  readonly help: Field['help'];
  readonly statuses: readonly string[];
}

/** The shortest path of transitions; null when readers see the record already, or when there is no path. */
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

/**
 * The statuses that can follow in a list. Beside a draft, the published version has a status of its own, whose transitions are included.
 */
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

/** The status field by which a draft makes a hidden record visible to readers; null for any other draft. */
export function publishedStatus(resource: Resource, record: ApiRecord | null, draft: Draft): string | null {
  const status = statusOf(resource);
  if (status === null || !Object.hasOwn(draft, status.field)) return null;
  const { field, transitions } = status;
  const isSeen = (value: unknown) => transitions.published.includes(String(value));
  return isSeen(draft[field]) && !isSeen(record?.[field]) ? field : null;
}
