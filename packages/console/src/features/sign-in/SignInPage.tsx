/** Signing in: by password and a second factor, by passkey, or at the provider. */
import '@mantine/core/styles/Divider.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '../../ui/input-styles.ts';
import { Anchor, Button, Checkbox, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { isProblem } from '../../api/problem.ts';
import { type SignInResult, signInApi } from '../../api/sign-in.ts';
import { leaveForProvider } from '../../session/external.ts';
import { hasPasskeys, PasskeyCancelled, provePasskey } from '../../session/passkeys.ts';
import { methodsQuery, useRenewSession } from '../../session/session.ts';
import { useText } from '../../text/text.ts';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { returnPath } from './return-path.ts';
import { SecondFactorPage } from './SecondFactorPage.tsx';
import { SignInLayout } from './SignInLayout.tsx';

/** Goes on after a step: to the page that was asked for, if it is one of the console, or to the second factor. */
export function useSignInResult(returnTo: unknown, askForCode: (challenge: string) => void) {
  const renewSession = useRenewSession();
  const navigate = useNavigate();
  return async (result: SignInResult) => {
    if (result.status === 'SECOND_FACTOR_REQUIRED') return askForCode(result.challenge);
    await renewSession();
    await navigate({ href: returnPath(returnTo), replace: true });
  };
}

export function SignInPage() {
  const { return: returnTo = '/' } = useSearch({ strict: false });
  const [challenge, setChallenge] = useState<string | null>(null);
  const proceed = useSignInResult(returnTo, setChallenge);
  if (challenge !== null)
    return <SecondFactorPage challenge={challenge} proceed={proceed} cancel={() => setChallenge(null)} />;
  return <FirstFactorPage proceed={proceed} returnTo={returnTo} />;
}

interface FirstFactorProps {
  readonly proceed: (result: SignInResult) => Promise<void>;
  /** Where the provider leads back to. */
  readonly returnTo: string;
  readonly title?: string;
  readonly intro?: string;
  /** The e-mail address of the person who continues. */
  readonly knownEmail?: string;
}

export function FirstFactorPage({ proceed, returnTo, title, intro, knownEmail = '' }: FirstFactorProps) {
  const text = useText();
  const { locale } = useIntl();
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const [staySignedIn, setStaySignedIn] = useState(false);
  const methods = useQuery(methodsQuery);
  const byPassword = useMutation({
    mutationFn: async () => proceed(await signInApi.signInByPassword({ email, password, staySignedIn })),
  });
  const byPasskey = useMutation({
    mutationFn: async () => {
      await proceed(await signInApi.finishPasskey({ ...(await provePasskey()), staySignedIn }));
    },
  });
  const byProvider = useMutation({
    mutationFn: () => leaveForProvider('SIGN_IN', returnTo, staySignedIn),
  });
  const busy = byPassword.isPending || byPasskey.isPending || byProvider.isPending;
  const failure =
    byPassword.error ??
    (byPasskey.error instanceof PasskeyCancelled ? null : byPasskey.error) ??
    byProvider.error;
  const start = (mutation: { mutate: () => void }) => {
    for (const other of [byPassword, byPasskey, byProvider]) other.reset();
    mutation.mutate();
  };
  return (
    <SignInLayout title={title ?? text('signIn.title')} {...(intro === undefined ? {} : { intro })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start(byPassword);
        }}
      >
        <Stack gap="md">
          <FailureNotice error={failure} />
          {isProblem(failure, 'rate_limited') && (
            <Text size="md">
              {text('signIn.resetEndsWait')}{' '}
              <Anchor component={Link} to="/forgot">
                {text('signIn.reset')}
              </Anchor>
            </Text>
          )}
          <TextInput
            label={text('signIn.email')}
            type="email"
            name="email"
            autoComplete="username"
            autoFocus={knownEmail === ''}
            data-autofocus={knownEmail === '' || undefined}
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={text('signIn.password')}
            name="password"
            autoComplete="current-password"
            data-autofocus={knownEmail !== '' || undefined}
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': text('signIn.showPassword'), tabIndex: 0 }}
          />
          <Checkbox
            label={text('signIn.stay')}
            checked={staySignedIn}
            onChange={(event) => setStaySignedIn(event.currentTarget.checked)}
          />
          <Button
            type="submit"
            loading={byPassword.isPending}
            disabled={busy && !byPassword.isPending}
            fullWidth
          >
            {text('signIn.submit')}
          </Button>
          <Anchor component={Link} to="/forgot" size="sm" ta="center">
            {text('signIn.forgot')}
          </Anchor>
        </Stack>
      </form>
      {(hasPasskeys() || methods.data?.external) && (
        <Stack gap="sm">
          <Divider label={text('signIn.or')} lang={locale} />
          {hasPasskeys() && (
            <Button
              variant="default"
              leftSection={<Icon name="key" />}
              loading={byPasskey.isPending}
              disabled={busy && !byPasskey.isPending}
              onClick={() => start(byPasskey)}
            >
              {text('signIn.passkey')}
            </Button>
          )}
          {methods.data?.external && (
            <Button
              variant="default"
              leftSection={<Icon name="globe" />}
              loading={byProvider.isPending}
              disabled={busy && !byProvider.isPending}
              onClick={() => start(byProvider)}
            >
              {text('signIn.provider', { name: methods.data.external })}
            </Button>
          )}
        </Stack>
      )}
    </SignInLayout>
  );
}
