/** One's own sessions. They end in all organizations: the browser may be that of a computer that is lost. */
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Session, signInApi } from '../../api/sign-in.ts';
import { useChanges } from '../../outbox/edit/use-changes.ts';
import { sessionKeys } from '../../session/session.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { EndButton, SessionRow, useDeviceName } from './SessionRow.tsx';
import { texts } from './texts.ts';
import { useEndSessions } from './use-end-sessions.ts';

/** What is asked about: one session, or all but the one of this browser. */
type Confirmation = Session | 'others' | null;

export function OwnSessions() {
  const featureText = useFeatureText(texts);
  const { signedIn } = useWorkspace();
  const [confirming, setConfirming] = useState<Confirmation>(null);
  const list = useQuery({ queryKey: sessionKeys.sessions, queryFn: signInApi.listSessions });
  const current = list.data?.find(({ id }) => id === signedIn.session.id);
  const others = list.data?.filter((session) => session !== current) ?? [];
  const close = () => setConfirming(null);
  return (
    <section className={shared.section} aria-label={featureText('ownSessions')}>
      <Group justify="space-between" gap="8px 16px">
        <div>
          <h2 className={shared.title}>{featureText('ownSessions')}</h2>
          <p className={shared.about}>{featureText('ownSessionsAbout')}</p>
        </div>
        {others.length > 0 && (
          <Button variant="default" onClick={() => setConfirming('others')}>
            {featureText('endOthers')}
          </Button>
        )}
      </Group>
      <FailureNotice error={list.error} />
      {list.isPending && <Loading />}
      <ul className={shared.rows} aria-label={featureText('ownSessions')}>
        {current !== undefined && (
          <SessionRow session={current} isCurrent>
            <SignOutButton />
          </SessionRow>
        )}
        {others.map((session) => (
          <SessionRow key={session.id} session={session}>
            <EndButton device={session.device} ask={() => setConfirming(session)} />
          </SessionRow>
        ))}
      </ul>
      {confirming === 'others' && <EndOthersDialog sessions={others} close={close} />}
      {confirming !== null && confirming !== 'others' && <EndOneDialog session={confirming} close={close} />}
    </section>
  );
}

/** Signs out as the menu of the person does: whoever has changes that wait is asked. */
function SignOutButton() {
  const text = useText();
  const { leave } = useChanges();
  const signOut = useSignOut();
  return (
    <Button
      variant="default"
      size="xs"
      loading={signOut.isPending}
      onClick={() => leave(() => signOut.mutate())}
    >
      {text('signOut')}
    </Button>
  );
}

function EndOneDialog({ session, close }: { readonly session: Session; readonly close: () => void }) {
  const featureText = useFeatureText(texts);
  const device = useDeviceName(session.device);
  const end = useEndSessions(signInApi.endSession, sessionKeys.sessions);
  return (
    <ConfirmDialog
      title={featureText('endTitle', { device })}
      about={featureText('endOwnAbout')}
      action={featureText('endSession')}
      isDangerous
      isPending={end.isPending}
      confirm={() => end.mutate([session.id], { onSuccess: close })}
      close={close}
    >
      <FailureNotice error={end.failure} />
    </ConfirmDialog>
  );
}

interface OthersProps {
  readonly sessions: readonly Session[];
  readonly close: () => void;
}

function EndOthersDialog({ sessions, close }: OthersProps) {
  const featureText = useFeatureText(texts);
  const end = useEndSessions(signInApi.endSession, sessionKeys.sessions);
  const ids = sessions.map(({ id }) => id);
  return (
    <ConfirmDialog
      title={featureText('endOthersTitle')}
      about={featureText('endOthersAbout', { count: ids.length })}
      action={featureText('endOthers')}
      isDangerous
      isPending={end.isPending}
      confirm={() => end.mutate(ids, { onSuccess: close })}
      close={close}
    >
      <FailureNotice error={end.failure} />
    </ConfirmDialog>
  );
}
