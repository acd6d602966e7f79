/** The picture that a record refers to. */
import { useQuery } from '@tanstack/react-query';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { resourceByName } from '../../../resources/declared.ts';
import { recordKeys } from '../../../resources/queries.ts';
import { useWorkspace } from '../../../session/workspace.ts';

/** How often a picture that is still being read is looked at, in ms. */
const refreshMs = 1_500;

/** Reads the file; one that was deleted, or that the person may not see, is an error. @param id null for none */
export function usePicture(id: string | null) {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: recordKeys.record(resourceByName(knowledgeFiles.name), id ?? ''),
    queryFn: ({ signal }) => api.read('getKnowledgeFile', { path: { id: id ?? '' }, signal }),
    enabled: id !== null,
    staleTime: 60_000,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data?.status === 'PROCESSING' ? refreshMs : false),
  });
}
