/**
 * Those who have left the organization. A membership leaves nothing but its event, which says when it ended and who ended it; who it was is known by the
 * invitation that they had accepted.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Event } from '@trellis/client/generated/types.ts';
import { readFirst } from '../../api/pages.ts';
import { usePersonName } from '../../fields/Person.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { logEnd, readNewest } from '../events/log.ts';
import { texts } from './texts.ts';

const shownAtOnce = 25;
const mostInvitations = 1_000;

export function FormerMembers() {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const invitations = resourceByName('invitations');
  const refusal = useRefusal();
  const log = useInfiniteQuery({
    queryKey: ['v1', 'events', 'former members'],
    queryFn: ({ pageParam, signal }) =>
      readNewest(api, { type: 'member.deleted' }, pageParam, shownAtOnce, signal),
    initialPageParam: logEnd,
    getNextPageParam: ({ next }) => next,
  });
  const accepted = useQuery({
    queryKey: recordKeys.list(invitations, null, 'accepted'),
    queryFn: ({ signal }) =>
      readFirst(mostInvitations, (cursor) =>
        api.read('listInvitations', { query: { status: ['ACCEPTED'], limit: 100, cursor }, signal }),
      ),
    enabled: refusal(invitations, 'read') === null,
  });
  const addresses = new Map(accepted.data?.items.map(({ userId, email }) => [userId, email]));
  const events = log.data?.pages.flatMap((part) => part.events) ?? [];
  return (
    <>
      <p className={shared.about}>{featureText('leftAbout')}</p>
      <FailureNotice error={log.error ?? accepted.error} />
      {log.isPending && <Loading />}
      {log.isSuccess && events.length === 0 && <p className={shared.none}>{featureText('nobodyLeft')}</p>}
      <ul className={shared.rows} aria-label={featureText('left')}>
        {events.map((event) => (
          <FormerMember key={event.id} event={event} address={addresses.get(event.subject) ?? null} />
        ))}
      </ul>
      <MoreButton list={log} label={featureText('more')} />
    </>
  );
}

interface RowProps {
  readonly event: Event;
  /** Null where it is not known. */
  readonly address: string | null;
}

function FormerMember({ event: { subject, time, data }, address }: RowProps) {
  const featureText = useFeatureText(texts);
  // Who is a member again has a name.
  const name = usePersonName(subject);
  const by = usePersonName(data.actor.user);
  return (
    <li className={shared.row}>
      <div className={shared.main}>
        <span className={shared.name}>{address ?? name}</span>
        <span className={shared.note}>
          {data.actor.user === subject ? featureText('leftOneself') : featureText('removedBy', { name: by })}
          {' · '}
          <Moment value={time} />
        </span>
      </div>
    </li>
  );
}
