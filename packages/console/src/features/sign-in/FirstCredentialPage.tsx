/** What somebody sees who came by a link and has nothing to sign in with: sets a password or a passkey, while the link proves who they are. */
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Factors, signInApi } from '../../api/sign-in.ts';
import { addPasskey, hasPasskeys, PasskeyCancelled } from '../../session/passkeys.ts';
import { useSession } from '../../session/session.ts';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import { findPasswordFault, NewPasswordInput } from '../../ui/NewPasswordInput.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { texts } from './texts.ts';

/** Whether somebody has nothing to sign in with. */
export function hasNoFactor({ hasPassword, hasTotp, passkeys, external }: Factors): boolean {
  return !hasPassword && !hasTotp && passkeys.length === 0 && external.length === 0;
}

export function FirstCredentialPage({ proceed }: { readonly proceed: () => Promise<void> }) {
  const featureText = useFeatureText(texts);
  const { data: signedIn } = useSession();
  const [password, setPassword] = useState('');
  const set = useMutation({
    mutationFn: async () => {
      await signInApi.setPassword({ password });
      await proceed();
    },
  });
  const create = useMutation({
    mutationFn: async () => {
      await addPasskey(signedIn?.session.device ?? 'Passkey');
      await proceed();
    },
  });
  const fault = findPasswordFault(set.error);
  const busy = set.isPending || create.isPending;
  return (
    <SignInLayout title={featureText('title')} intro={featureText('intro')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.reset();
          set.mutate();
        }}
      >
        <Stack gap="md">
          {fault === null && (
            <FailureNotice
              error={set.error ?? (create.error instanceof PasskeyCancelled ? null : create.error)}
            />
          )}
          <input type="hidden" name="username" autoComplete="username" value={signedIn?.user.email ?? ''} />
          <NewPasswordInput value={password} onChange={setPassword} fault={fault} autoFocus />
          <Button type="submit" loading={set.isPending} disabled={busy && !set.isPending}>
            {featureText('set')}
          </Button>
          {hasPasskeys() && (
            <Button
              variant="default"
              leftSection={<Icon name="key" />}
              loading={create.isPending}
              disabled={busy && !create.isPending}
              onClick={() => create.mutate()}
            >
              {featureText('createPasskey')}
            </Button>
          )}
        </Stack>
      </form>
      <Stack gap={4}>
        <Button name="later" variant="subtle" color="gray" disabled={busy} onClick={() => void proceed()}>
          {featureText('later')}
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          {featureText('laterAbout')}
        </Text>
      </Stack>
    </SignInLayout>
  );
}
