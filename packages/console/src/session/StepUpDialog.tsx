/** The re-authentication dialog. */
import '@mantine/core/styles/Divider.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { needsProof } from '../api/proof.ts';
import { type Proof, signInApi } from '../api/sign-in.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { describeError } from '../ui/problem-text.ts';
import shared from '../ui/shared.module.css';
import { leaveForProvider } from './external.ts';
import { PasskeyCancelled, provePasskey } from './passkeys.ts';
import { methodsQuery, sessionKeys, useSession } from './session.ts';
import { texts } from './step-up-texts.ts';

interface Props {
  /** Address of whoever is signed in. */
  readonly email: string;
  /** What was refused, and says why; null if nothing was. */
  readonly reason: unknown;
  readonly done: () => void;
  readonly cancel: () => void;
}

export function StepUpDialog({ email, reason, done, cancel }: Props) {
  const text = useText();
  const stepUpText = useFeatureText(texts);
  const names = useNames();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  // Read again when it opens, and when the person comes back from setting a password: one may have been set elsewhere.
  const factors = useQuery({
    queryKey: sessionKeys.factors,
    queryFn: signInApi.readFactors,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  useOtherSignIn(done);
  const prove = useMutation({
    mutationFn: async (makeProof: () => Promise<Proof> | Proof) => {
      await signInApi.stepUp(await makeProof());
      done();
    },
  });
  const methods = useQuery(methodsQuery);
  const { pathname, searchStr } = useLocation();
  const byProvider = useMutation({
    mutationFn: () => leaveForProvider('STEP_UP', `${pathname}${searchStr}`),
  });
  const mail = useMutation({ mutationFn: () => signInApi.requestReset(email) });
  const { hasPassword = false, hasTotp = false, passkeys = [], external = [] } = factors.data ?? {};
  // The strongest available method, because the server accepts no weaker one.
  const asksPassword = hasPassword && (hasTotp || passkeys.length === 0);
  const asksCode = hasTotp && (hasPassword || (passkeys.length === 0 && external.length === 0));
  const provider = external.length > 0 ? (methods.data?.external ?? null) : null;
  const isByMail = methods.data?.mail === true;
  const command = `npx trellis user sign-in-link ${email}`;
  const hasAny = asksPassword || asksCode || passkeys.length > 0 || provider !== null;
  return (
    <Dialog onClose={cancel} title={text('stepUp.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          prove.mutate(() => ({
            ...(asksPassword ? { password } : {}),
            ...(asksCode ? { code: code.replaceAll(' ', '') } : {}),
          }));
        }}
      >
        <Stack gap="md">
          <Text size="md" c="dimmed">
            {needsProof(reason) ? describeError(reason, text, names) : stepUpText('intro')}
          </Text>
          {!hasAny && factors.isSuccess && (
            <Text size="md" c="dimmed">
              {stepUpText(isByMail ? 'noneMail' : 'none')}
            </Text>
          )}
          {!hasAny && factors.isSuccess && !isByMail && (
            <>
              <pre className={shared.codeBlock}>{command}</pre>
              <CopyButton value={command} label={stepUpText('copy')} />
            </>
          )}
          {!hasAny && factors.isSuccess && isByMail && (
            <>
              {mail.isSuccess && <Notice kind="success">{stepUpText('sent', { email })}</Notice>}
              <FailureNotice error={mail.error} />
              <Button
                variant={mail.isSuccess ? 'default' : 'filled'}
                loading={mail.isPending}
                onClick={() => mail.mutate()}
              >
                {text('forgot.submit')}
              </Button>
            </>
          )}
          <FailureNotice
            error={byProvider.error ?? (prove.error instanceof PasskeyCancelled ? null : prove.error)}
          />
          {asksPassword && (
            <PasswordInput
              label={text('signIn.password')}
              autoComplete="current-password"
              data-autofocus
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': text('signIn.showPassword'), tabIndex: 0 }}
            />
          )}
          {asksCode && (
            <TextInput
              label={text('secondFactor.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              data-autofocus={asksPassword ? undefined : true}
              required
              withAsterisk={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          {(asksPassword || asksCode) && (
            <Button type="submit" loading={prove.isPending}>
              {stepUpText('submit')}
            </Button>
          )}
          {passkeys.length > 0 && (
            <Button
              variant="default"
              leftSection={<Icon name="key" />}
              onClick={() => prove.mutate(provePasskey)}
              disabled={prove.isPending}
            >
              {text('signIn.passkey')}
            </Button>
          )}
          {provider !== null && (
            <Button
              variant="default"
              leftSection={<Icon name="globe" />}
              onClick={() => byProvider.mutate()}
              loading={byProvider.isPending}
            >
              {text('signIn.provider', { name: provider })}
            </Button>
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

/** Goes on when the person has signed in meanwhile, in another tab. */
function useOtherSignIn(done: () => void): void {
  const { data: signedIn } = useSession();
  const signedInAt = signedIn?.session.authenticatedAt;
  const before = useRef(signedInAt);
  useEffect(() => {
    if (signedInAt !== undefined && before.current !== undefined && signedInAt > before.current) done();
  }, [signedInAt, done]);
}
