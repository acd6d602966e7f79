/** The pictures among the knowledge files, the newest first, or those with the words of a search in their names, texts and labels. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { byCursor } from '../../../api/pages.ts';
import { useLiveReads } from '../../../live/use-live-reads.ts';
import { resourceByName } from '../../../resources/declared.ts';
import { recordKeys } from '../../../resources/queries.ts';
import { useWorkspace } from '../../../session/workspace.ts';

/** How often pictures that are still being read are looked at, in ms. */
const refreshMs = 1_500;

export function usePictures(search: string) {
  const { api } = useWorkspace();
  const resource = resourceByName(knowledgeFiles.name);
  useLiveReads(resource);
  return useInfiniteQuery({
    queryKey: [...recordKeys.all(resource), 'pictures', search],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { picture: true, limit: 50, cursor, ...(search === '' ? {} : { search }) };
      return api.read('listKnowledgeFiles', { query, signal });
    },
    ...byCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ status }) => status === 'PROCESSING'))
        ? refreshMs
        : false,
  });
}
