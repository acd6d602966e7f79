/** Follows changes by others of a page's record: refetches it, and says who changed it. */
import { useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { readRecord, recordKeys } from '../resources/queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useLiveChanges } from './live.ts';
import type { LiveChange } from './live-feed.ts';

/**
 * The last change by somebody else since the page was opened; null if there is none.
 * @param refresh reads the record again and shows it, for pages that keep more of it than what the queries have
 */
export function useLiveRecord(
  resource: Resource,
  parentId: string | null,
  recordId: string,
  refresh?: () => Promise<void>,
): LiveChange | null {
  const { api, signedIn } = useWorkspace();
  const queries = useQueryClient();
  const [last, setLast] = useState<LiveChange | null>(null);
  useLiveChanges(async (changes) => {
    const change = changes.find((one) => one.recordId === recordId);
    if (change === undefined) return;
    const key = recordKeys.record(resource, recordId);
    const known = queries.getQueryData<ApiRecord>(key)?.version ?? 0;
    if (change.type.endsWith('.deleted')) {
      setLast(change);
      return;
    }
    if (change.version > known && refresh !== undefined) {
      await refresh();
    } else if (change.version > known) {
      const record = await readRecord(api, resource, parentId, recordId);
      // The response to a change of one's own may have come in between.
      queries.setQueryData<ApiRecord>(key, (present) =>
        present !== undefined && present.version > record.version ? present : record,
      );
    }
    if (change.by !== signedIn.user.id) setLast(change);
  });
  return last;
}
