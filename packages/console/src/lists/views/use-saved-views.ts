/** The saved views of a resource's lists that are visible to the user, and the user's rights on them. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Action } from '@trellis/schema/resources/grants.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { Api } from '../../api/api.ts';
import { grantAmong } from '../../api/api.ts';
import { readFirst } from '../../api/pages.ts';
import { useLiveReads } from '../../live/use-live-reads.ts';
import { listRecords, recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { type SavedView, savedViews } from './saved-view.ts';
import { texts } from './texts.ts';

/** Maximum number of views that are read; a longer menu would be of no use. */
const mostViews = 1_000;

/** The views by name; read when they are needed. */
export function useSavedViews(resource: Resource, isNeeded: boolean): UseQueryResult<readonly SavedView[]> {
  const { api } = useWorkspace();
  const mayRead = useRefusal()(savedViews, 'read') === null;
  return useQuery({
    queryKey: [...recordKeys.all(savedViews), 'of', resource.name],
    queryFn: ({ signal }) => readViews(api, resource, signal),
    enabled: isNeeded && mayRead,
  });
}

/** Reads the views again when others have changed some. */
export function useLiveViews(): void {
  useLiveReads(savedViews);
}

async function readViews(api: Api, resource: Resource, signal: AbortSignal): Promise<readonly SavedView[]> {
  const query = { resource: resource.name, sort: 'name', limit: '100' };
  const { items } = await readFirst(mostViews, (cursor) =>
    listRecords(api, savedViews, null, query, cursor, signal),
  );
  return items as unknown as readonly SavedView[];
}

/** Why one may not do something with a saved view; null when one may. */
export function useViewRefusal(): (view: SavedView, action: Action) => string | null {
  const { me, signedIn } = useWorkspace();
  const refusal = useRefusal();
  const featureText = useFeatureText(texts);
  return (view, action) => {
    const refused = refusal(savedViews, action);
    if (refused !== null) return refused;
    const isTheirs = view.ownerUserId !== signedIn.user.id;
    if (isTheirs && grantAmong(me, savedViews.name, action) === 'own') return featureText('notYours');
    return view.shared && refusal(savedViews, 'publish') !== null ? featureText('sharingRefused') : null;
  };
}
