/** Reads what is shown of whole resources again, where lists are short or have no rows that could be read one by one. */
import { useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { recordKeys } from '../resources/queries.ts';
import { refreshQueries } from '../resources/refresh-queries.ts';
import { useLiveChanges } from './live.ts';

/** Reads all queries of the resources again when others have changed a record of theirs. */
export function useLiveReads(...resources: readonly Resource[]): void {
  const queries = useQueryClient();
  useLiveChanges(async (changes) => {
    const changed = resources.filter(({ singular }) =>
      changes.some(({ type }) => type.startsWith(`${singular}.`)),
    );
    await Promise.all(changed.map((resource) => refreshQueries(queries, recordKeys.all(resource))));
  });
}
