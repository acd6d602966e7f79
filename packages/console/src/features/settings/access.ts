/** Clients and tokens as the settings show them: read whole, because an organization has few of them. */
import { useQuery } from '@tanstack/react-query';
import type { Client } from '@trellis/client/generated/types.ts';
import { readAll } from '../../api/pages.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** What is read again after a change of either. */
export const accessKeys = [
  recordKeys.all(resourceByName('clients')),
  recordKeys.all(resourceByName('tokens')),
] as const;

/** Whether tokens can belong to the client. People sign in at those of the kind CONSOLE, and BROWSER ones have a key. */
export function hasTokens({ kind }: Client): boolean {
  return kind === 'SERVER' || kind === 'CLI';
}

export function useClients() {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: [...accessKeys[0], 'all'],
    queryFn: ({ signal }) =>
      readAll((cursor) => api.read('listClients', { query: { limit: 100, cursor }, signal })),
  });
}

/** The service members for which somebody who manages members makes tokens. */
export function useServiceMembers(isWanted: boolean) {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: [...recordKeys.all(resourceByName('members')), 'services'],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        api.read('listMembers', { query: { limit: 100, kind: ['SERVICE'], cursor }, signal }),
      ),
    enabled: isWanted,
  });
}

export function useTokens() {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: [...accessKeys[1], 'all'],
    queryFn: ({ signal }) =>
      readAll((cursor) => api.read('listTokens', { query: { limit: 100, cursor }, signal })),
  });
}
