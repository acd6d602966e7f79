/** Where the provider sends the browser back to. */
import { Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { signInApi } from '../../api/sign-in.ts';
import { takeDeparture } from '../../session/external.ts';
import { useRenewSession } from '../../session/session.ts';
import { useText } from '../../text/text.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { returnPath } from './return-path.ts';
import { SecondFactorPage } from './SecondFactorPage.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { useSignInResult } from './SignInPage.tsx';

export function ExternalPage() {
  const text = useText();
  const navigate = useNavigate();
  const renewSession = useRenewSession();
  const [departure] = useState(takeDeparture);
  const [challenge, setChallenge] = useState<string | null>(null);
  const proceed = useSignInResult(departure?.returnTo ?? '/', setChallenge);
  const finish = useMutation({
    mutationFn: async () => {
      if (departure === null) return;
      const query = location.search.slice(1);
      const result = await signInApi.finishExternal({ challenge: departure.challenge, query });
      if (departure.purpose !== 'CONNECT') return proceed(result);
      await renewSession();
      await navigate({ href: returnPath(departure.returnTo), replace: true });
    },
  });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    finish.mutate();
  }, [finish.mutate]);
  if (challenge !== null) {
    const cancel = () => void navigate({ to: '/sign-in', replace: true });
    return <SecondFactorPage challenge={challenge} proceed={proceed} cancel={cancel} />;
  }
  return (
    <SignInLayout title={text('external.title')}>
      <Stack gap="md">
        {departure === null && <Notice kind="failure">{text('external.unknown')}</Notice>}
        <FailureNotice error={finish.error} />
        {finish.isPending && (
          <Group gap="sm">
            <Loader size="sm" />
            <Text size="md">{text('external.waiting')}</Text>
          </Group>
        )}
        {!finish.isPending && (
          <Anchor component={Link} to="/sign-in" size="sm">
            {text('forgot.back')}
          </Anchor>
        )}
      </Stack>
    </SignInLayout>
  );
}
