/** The sessions of the members, for whoever may remove members. They end in this organization only: others are none of its business. */
import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { requestOf } from '@trellis/client/api-client.ts';
import type { Session } from '@trellis/client/generated/types.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { useState } from 'react';
import { byCursor } from '../../api/pages.ts';
import { usePersonName } from '../../fields/Person.tsx';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal, useRoleName } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { EndButton, SessionRow, useDeviceName } from './SessionRow.tsx';
import { texts } from './texts.ts';
import { useEndSessions } from './use-end-sessions.ts';

const sessionsKey = ['v1', 'sessions'] as const;

export function MemberSessions() {
  const featureText = useFeatureText(texts);
  const role = useRoleName();
  const refused = useRefusal()(resourceByName('members'), 'delete');
  return (
    <section className={shared.section} aria-label={featureText('memberSessions')}>
      <div>
        <h2 className={shared.title}>{featureText('memberSessions')}</h2>
        <p className={shared.about}>{featureText('memberSessionsAbout')}</p>
      </div>
      {refused === null ? (
        <MemberSessionList />
      ) : (
        <p className={shared.none}>{featureText('memberSessionsRefused', { role })}</p>
      )}
    </section>
  );
}

function MemberSessionList() {
  const featureText = useFeatureText(texts);
  const { signedIn } = useWorkspace();
  const { userId = null } = useSearch({ strict: false });
  const [ending, setEnding] = useState<readonly Session[]>([]);
  const list = useMemberSessions(userId);
  const read = list.data?.pages.flatMap(({ items }) => items) ?? [];
  // One's own are listed above.
  const shown = read.filter((session) => session.userId !== signedIn.user.id);
  const isEmpty = list.isSuccess && shown.length === 0 && !list.hasNextPage;
  return (
    <>
      <Group gap={8}>
        <MemberFilter userId={userId} />
        {userId !== null && shown.length > 1 && !list.hasNextPage && (
          <Button variant="default" size="xs" onClick={() => setEnding(shown)}>
            {featureText('endAll')}
          </Button>
        )}
      </Group>
      <FailureNotice error={list.error} />
      {list.isPending && <Loading />}
      {isEmpty && (
        <p className={shared.none}>{featureText(userId === null ? 'nobodyElse' : 'notSignedIn')}</p>
      )}
      <ul className={shared.rows} aria-label={featureText('memberSessions')}>
        {shown.map((session) => (
          <SessionRow key={`${session.id} ${session.userId}`} session={session} userId={session.userId}>
            <EndButton device={session.device} ask={() => setEnding([session])} />
          </SessionRow>
        ))}
      </ul>
      <MoreButton list={list} label={featureText('more')} />
      {ending[0] !== undefined && (
        <EndDialog first={ending[0]} sessions={ending} close={() => setEnding([])} />
      )}
    </>
  );
}

/** The sessions of one member, or of all. */
function useMemberSessions(userId: string | null) {
  const { api } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [...sessionsKey, userId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.read('listSessions', { query: { limit: 50, userId: userId ?? undefined, cursor }, signal }),
    ...byCursor,
  });
}

/** A program does not sign in. */
const people = { kind: 'PERSON' };

/** Chooses the member whose sessions are shown; the address has the choice. */
function MemberFilter({ userId }: { readonly userId: string | null }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const navigate = useNavigate();
  const members = resourceByName('members');
  return (
    <RecordSelect
      resource={members}
      parentId={null}
      where={people}
      value={userId}
      label={names.singular(members)}
      hideLabel
      placeholder={featureText('everyMember')}
      clearable
      size="xs"
      onChange={(id) => void navigate({ to: '.', search: id === null ? {} : { userId: id }, replace: true })}
    />
  );
}

interface EndProps {
  readonly first: Session;
  /** One, or all of one member. */
  readonly sessions: readonly Session[];
  readonly close: () => void;
}

function EndDialog({ first, sessions, close }: EndProps) {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const name = usePersonName(first.userId);
  const device = useDeviceName(first.device);
  const isOne = sessions.length === 1;
  const end = useEndSessions(
    (id) =>
      api.write({ ...requestOf('deleteSession', { path: { id } }), idempotencyKey: makeIdempotencyKey() }),
    sessionsKey,
  );
  const ids = sessions.map(({ id }) => id);
  return (
    <ConfirmDialog
      title={isOne ? featureText('endTitle', { device }) : featureText('endAllTitle', { name })}
      about={featureText('endMemberAbout', { name })}
      action={featureText(isOne ? 'endSession' : 'endAll')}
      isDangerous
      isPending={end.isPending}
      confirm={() => end.mutate(ids, { onSuccess: close })}
      close={close}
    >
      <FailureNotice error={end.failure} />
    </ConfirmDialog>
  );
}
