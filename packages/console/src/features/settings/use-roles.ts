/** The roles that members can have. */
import { useQuery } from '@tanstack/react-query';
import { readAll } from '../../api/pages.ts';
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
      const read = await readAll((cursor) =>
        api.read('listRoles', { query: { limit: 100, sort: 'createdAt', cursor }, signal }),
      );
      return read.toSorted(
        (one, other) => Number(other.builtIn) - Number(one.builtIn) || one.id.localeCompare(other.id),
      );
    },
    staleTime: 30_000,
    retry: false,
  });
}
