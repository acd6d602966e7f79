/** Clients and tokens as the settings show them: read whole, because an organization has few of them. */
import { useQuery } from '@tanstack/react-query';
import type { Client, Member, Token } from '@trellis/client/generated/types.ts';
import type { Api, Page } from '../../api/api.ts';
import { readPages } from '../../api/pages.ts';
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

async function readAll<Item>(
  api: Api,
  path: string,
  signal: AbortSignal,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly Item[]> {
  const all: Item[] = [];
  const read = (cursor: string | null) => {
    const query = new URLSearchParams({ limit: '100', ...filters, ...(cursor === null ? {} : { cursor }) });
    return api.get<Page<Item>>(`${path}?${query}`, signal);
  };
  for await (const items of readPages(read)) all.push(...items);
  return all;
}

export function useClients() {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: [...accessKeys[0], 'all'],
    queryFn: ({ signal }) => readAll<Client>(api, '/v1/clients', signal),
  });
}

/** The service members for which somebody who manages members makes tokens. */
export function useServiceMembers(isWanted: boolean) {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: [...recordKeys.all(resourceByName('members')), 'services'],
    queryFn: ({ signal }) => readAll<Member>(api, '/v1/members', signal, { kind: 'SERVICE' }),
    enabled: isWanted,
  });
}

export function useTokens() {
  const { api } = useWorkspace();
  return useQuery({
    queryKey: [...accessKeys[1], 'all'],
    queryFn: ({ signal }) => readAll<Token>(api, '/v1/tokens', signal),
  });
}
