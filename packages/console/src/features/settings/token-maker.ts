/** Whether who made a token of a service member may still hold it; if not, the server refuses it at each use (`mayHold` in the server's `identity/actor.ts`). */
import { useQuery } from '@tanstack/react-query';
import type { Member, Token } from '@trellis/client/generated/types.ts';
import { findExcess, rightsFrom } from '@trellis/schema/rights/permissions.ts';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useRoles } from './use-roles.ts';

/** Whether the token is refused because its creator is disabled, or has fewer rights than its user. False if the caller may not see that. */
export function useIsRefusedForMaker({ userId, createdBy }: Token): boolean {
  const refusal = useRefusal();
  const members = resourceByName('members');
  const isMadeByOther = createdBy !== null && createdBy !== userId && refusal(members, 'read') === null;
  const user = useMember(userId, isMadeByOther);
  const maker = useMember(createdBy, isMadeByOther);
  const { data: roles = [] } = useRoles();
  if (user === undefined || maker === undefined) return false;
  if (maker.status !== 'ACTIVE') return true;
  const [wanted, held] = [user, maker].map(({ roleId }) => roles.find(({ id }) => id === roleId));
  if (wanted === undefined || held === undefined) return false;
  return findExcess(rightsFrom(wanted.grants), rightsFrom(held.grants)) !== null;
}

function useMember(id: string | null, isWanted: boolean): Member | undefined {
  const { api } = useWorkspace();
  const members = resourceByName('members');
  return useQuery({
    queryKey: recordKeys.record(members, id ?? ''),
    queryFn: ({ signal }) => api.read('getMember', { path: { id: id ?? '' }, signal }),
    enabled: isWanted && id !== null,
    retry: false,
  }).data;
}
