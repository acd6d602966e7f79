/** The roles that members can have. */
import { useQuery } from '@tanstack/react-query';
import type { Role } from '@trellis/client/generated/types.ts';
import type { Page } from '../../api/api.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useWorkspace } from '../../session/workspace.ts';

/** All roles of the organization, built-in ones first. Those who may not read them get none. */
export function useRoles() {
  const { api } = useWorkspace();
  const roles = resourceByName('roles');
  return useQuery({
    queryKey: [...recordKeys.all(roles), 'all'],
    queryFn: async ({ signal }) => {
      const read: Role[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = new URLSearchParams({
          limit: '100',
          sort: 'createdAt',
          ...(cursor === '' ? {} : { cursor }),
        });
        const page: Page<Role> = await api.get(`/v1/roles?${query}`, signal);
        read.push(...page.items);
        cursor = page.pageInfo.hasNextPage ? page.pageInfo.nextCursor : null;
      }
      return read.sort(
        (one, other) => Number(other.builtIn) - Number(one.builtIn) || one.id.localeCompare(other.id),
      );
    },
    staleTime: 30_000,
    retry: false,
  });
}
