/**
 * The page of an invitation. A new person makes an account with it; who has one signs in to it first. Nothing is accepted before a
 * button is pressed: programs that open links of mails to look at them accept nothing.
 */
import '../../ui/input-styles.ts';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { type OpenInvitation, signInApi } from '../../api/sign-in.ts';
import { useRenewSession, useSession } from '../../session/session.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useText } from '../../text/text.ts';
import { Loading } from '../../ui/Loading.tsx';
import { findPasswordFault, NewPasswordInput } from '../../ui/NewPasswordInput.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import { SignInLayout } from '../sign-in/SignInLayout.tsx';
import { forgetSecret, readSecret } from './link-secret.ts';
import { texts } from './texts.ts';

export function InvitationPage() {
  const [secret] = useState(readSecret);
  const session = useSession();
  const invitation = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => signInApi.readInvitation(secret),
    enabled: secret !== '',
    // Accepting spends the link: it is not read again behind the page that says so.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (secret === '' || isProblem(invitation.error, 'link_invalid', 'validation_failed')) return <UsedPage />;
  // Without the session, somebody who has an account would be offered to make one.
  for (const { isLoadingError, error, refetch } of [invitation, session])
    if (isLoadingError) return <FailurePart error={error} retry={() => void refetch()} />;
  if (session.isPending || invitation.data === undefined) return <Loading />;
  const { data } = invitation;
  const person = session.data?.user;
  return person === undefined ? (
    <NewPersonPage secret={secret} invitation={data} />
  ) : (
    <SignedInPage secret={secret} invitation={data} email={person.email} />
  );
}

interface PageProps {
  readonly secret: string;
  readonly invitation: OpenInvitation;
}

/** Who is invited to what, above every form. */
function Frame({
  invitation,
  children,
}: {
  readonly invitation: OpenInvitation;
  readonly children: React.ReactNode;
}) {
  const featureText = useFeatureText(texts);
  const { organizationName, senderName, email, roleName } = invitation;
  return (
    <SignInLayout
      title={featureText('title', { organization: organizationName })}
      intro={featureText('intro', { sender: senderName, email, role: roleName })}
    >
      {children}
    </SignInLayout>
  );
}

/** Opens the console for who has just joined, and reads session and memberships again. */
function useArrival(): () => Promise<void> {
  const renewSession = useRenewSession();
  const navigate = useNavigate();
  return async () => {
    forgetSecret();
    try {
      await renewSession();
    } catch {
      // The link is spent, so that it would be of no use to ask for another attempt here.
      return location.replace('/console/');
    }
    await navigate({ to: '/', replace: true });
  };
}

function NewPersonPage({ secret, invitation }: PageProps) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const arrive = useArrival();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const join = useMutation({
    mutationFn: async () => {
      await signInApi.acceptWithNewAccount({ link: secret, name, password });
      await arrive();
    },
  });
  if (isProblem(join.error, 'link_invalid')) return <UsedPage />;
  const passwordFault = findPasswordFault(join.error);
  const hasAccount = isProblem(join.error, 'conflict');
  return (
    <Frame invitation={invitation}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          join.mutate();
        }}
      >
        <Stack gap="md">
          {hasAccount ? (
            <Notice kind="failure">{featureText('accountExists')}</Notice>
          ) : (
            passwordFault === null && <FailureNotice error={join.error} />
          )}
          {/* With which password managers store the password. */}
          <TextInput
            label={text('signIn.email')}
            type="email"
            name="email"
            autoComplete="username"
            readOnly
            value={invitation.email}
          />
          <TextInput
            label={featureText('name')}
            name="name"
            autoComplete="name"
            autoFocus
            required
            withAsterisk={false}
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NewPasswordInput value={password} onChange={setPassword} fault={passwordFault} />
          <Button type="submit" loading={join.isPending}>
            {featureText('submit')}
          </Button>
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="center"
            onClick={() => void navigate({ to: '/sign-in', search: { return: '/invitation' } })}
          >
            {featureText(hasAccount ? 'signIn' : 'hasAccount')}
          </Anchor>
        </Stack>
      </form>
    </Frame>
  );
}

function SignedInPage({ secret, invitation, email }: PageProps & { readonly email: string }) {
  const featureText = useFeatureText(texts);
  const arrive = useArrival();
  const renewSession = useRenewSession();
  const accept = useMutation({
    mutationFn: async () => {
      await signInApi.acceptInvitation(secret);
      await arrive();
    },
  });
  const signOut = useMutation({
    mutationFn: async () => {
      await signInApi.signOut();
      await renewSession();
    },
  });
  if (isProblem(accept.error, 'link_invalid')) return <UsedPage />;
  const isOther = isProblem(accept.error, 'permission_denied') || !isSameAddress(email, invitation.email);
  const isMember = isProblem(accept.error, 'conflict');
  return (
    <Frame invitation={invitation}>
      <Stack gap="md">
        {isMember && <Notice kind="hint">{featureText('member')}</Notice>}
        {isOther && (
          <Notice kind="hint">{featureText('otherAccount', { email, invited: invitation.email })}</Notice>
        )}
        {!isMember && !isOther && (
          <>
            <FailureNotice error={accept.error} />
            <Text size="md">{featureText('asYou', { email })}</Text>
            <Button autoFocus loading={accept.isPending} onClick={() => accept.mutate()}>
              {featureText('accept')}
            </Button>
          </>
        )}
        {isOther && (
          <Button autoFocus loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {featureText('signOut')}
          </Button>
        )}
        <FailureNotice error={signOut.error} />
        {(isMember || isOther) && (
          <Anchor component={Link} to="/" size="sm" ta="center">
            {featureText('open')}
          </Anchor>
        )}
      </Stack>
    </Frame>
  );
}

/** The server decides; this spares a request that it would refuse. */
function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What could not be read now may be read later: nothing is said about the invitation. */
function FailurePart({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const text = useText();
  return (
    <SignInLayout title={text('failure.title')}>
      <Stack gap="md">
        <FailureNotice error={error} />
        <RetryButton error={error} retry={retry} />
      </Stack>
    </SignInLayout>
  );
}

/** Says how to get another link. */
function UsedPage() {
  const featureText = useFeatureText(texts);
  return (
    <SignInLayout title={featureText('usedTitle')}>
      <Stack gap="md">
        <Notice kind="failure">{featureText('used')}</Notice>
        <Text size="md">{featureText('another')}</Text>
        <Anchor component={Link} to="/sign-in" size="sm">
          {featureText('signIn')}
        </Anchor>
      </Stack>
    </SignInLayout>
  );
}
