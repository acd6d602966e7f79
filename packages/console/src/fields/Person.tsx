/** The name of a member, a program named as such, wherever a record or an event has only the id of a user. */
import { useQuery } from '@tanstack/react-query';
import { isProblem } from '../api/problem.ts';
import { resourceByName } from '../resources/declared.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { headingKey } from './ReferenceName.tsx';
import { texts } from './texts.ts';

/** The name of a user, or a text for one who has left; empty while it is loading. Null is the system. */
export function usePersonName(id: string | null): string {
  const { api, signedIn } = useWorkspace();
  const featureText = useFeatureText(texts);
  const members = resourceByName('members');
  const isOneself = id === signedIn.user.id;
  const name = useQuery({
    queryKey: [...headingKey(members, id), 'kind'],
    queryFn: ({ signal }) =>
      api.read('getMember', { path: { id: id ?? '' }, query: { fields: 'name,kind' }, signal }),
    enabled: id !== null && !isOneself,
    staleTime: 60_000,
    retry: false,
  });
  if (id === null) return featureText('system');
  if (isOneself) return signedIn.user.name;
  if (isProblem(name.error, 'not_found')) return featureText('former');
  if (name.data === undefined) return name.isPending ? '…' : id;
  const { name: shown = id, kind } = name.data;
  return kind === 'SERVICE' ? featureText('service', { name: shown }) : shown;
}

/** The name of a person that came with the id, if it may be read. */
export function useGivenName(id: string | null, name: string | null): string {
  const { signedIn } = useWorkspace();
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  if (id === null) return featureText('system');
  if (id === signedIn.user.id) return signedIn.user.name;
  return name ?? (refusal(resourceByName('members'), 'read') === null ? featureText('former') : id);
}

export function Person({ id }: { readonly id: string | null }) {
  return <>{usePersonName(id)}</>;
}
