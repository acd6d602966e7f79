/** What one signs in with: password, passkeys, authenticator app, recovery codes, account at the provider. */

import { Box, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { isProblem } from '../../api/problem.ts';
import { type Factors, type NewPassword, signInApi } from '../../api/sign-in.ts';
import { leaveForProvider } from '../../session/external.ts';
import { hasPasskeys, PasskeyCancelled, provePasskey } from '../../session/passkeys.ts';
import { methodsQuery, sessionKeys } from '../../session/session.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Loading } from '../../ui/Loading.tsx';
import { findPasswordFault, NewPasswordInput } from '../../ui/NewPasswordInput.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import { SettingsPage } from '../settings/SettingsPage.tsx';
import { PasskeySection } from './PasskeySection.tsx';
import { Section, useFactorChange } from './Section.tsx';
import { TotpSection } from './TotpSection.tsx';
import { texts } from './texts.ts';

export function AccountPage() {
  const text = useText();
  const factors = useQuery({ queryKey: sessionKeys.factors, queryFn: signInApi.readFactors });
  return (
    <SettingsPage title={text('account.title')}>
      <Box maw={720}>
        <FailureNotice error={factors.error} />
        {factors.isPending && <Loading />}
        {factors.data !== undefined && (
          <>
            <PasswordSection factors={factors.data} />
            <PasskeySection factors={factors.data} />
            <TotpSection factors={factors.data} />
            <ExternalSection factors={factors.data} />
          </>
        )}
      </Box>
    </SettingsPage>
  );
}

function PasswordSection({ factors }: { readonly factors: Factors }) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { signedIn } = useWorkspace();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [current, setCurrent] = useState('');
  const change = useFactorChange((wanted: NewPassword) => signInApi.setPassword(wanted));
  const sign = useMutation({ mutationFn: provePasskey });
  const failure = change.failure ?? (sign.error instanceof PasskeyCancelled ? null : sign.error);
  const faults = isProblem(failure, 'validation_failed') ? faultsOf(failure, names) : [];
  const fault = findPasswordFault(failure);
  // Whom a link has signed in has lost the password, until they set another one in this session.
  const { methods } = signedIn.session;
  const cameByLink = methods.length === 1 && methods[0] === 'LINK';
  const asksCurrent =
    factors.hasPassword &&
    (!cameByLink || change.isSuccess || faults.some(({ pointer }) => pointer === '/currentPassword'));
  const submit = (proof: object) =>
    change.mutate(
      { password, ...proof },
      {
        onSuccess: () => {
          setOpen(false);
          setPassword('');
          setCurrent('');
        },
      },
    );
  return (
    <Section
      title={featureText('password')}
      about={featureText(factors.hasPassword ? 'hasPassword' : 'noPassword')}
      action={
        !open && (
          <Button variant={factors.hasPassword ? 'default' : 'filled'} onClick={() => setOpen(true)}>
            {featureText(factors.hasPassword ? 'changePassword' : 'setPassword')}
          </Button>
        )
      }
    >
      {change.isSuccess && !open && <Notice kind="success">{featureText('passwordSet')}</Notice>}
      {open && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit(asksCurrent ? { currentPassword: current } : {});
          }}
        >
          <Stack gap="md" maw={380}>
            {fault === null && <FailureNotice error={failure} />}
            {asksCurrent && (
              <PasswordInput
                label={featureText('currentPassword')}
                name="current-password"
                autoComplete="current-password"
                autoFocus
                required
                withAsterisk={false}
                value={current}
                onChange={(event) => setCurrent(event.currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': text('signIn.showPassword'), tabIndex: 0 }}
              />
            )}
            <NewPasswordInput
              value={password}
              onChange={setPassword}
              fault={fault}
              autoFocus={!asksCurrent}
            />
            <Group gap={8}>
              <Button type="submit" loading={change.isPending}>
                {featureText('savePassword')}
              </Button>
              <Button variant="default" onClick={() => setOpen(false)}>
                {text('cancel')}
              </Button>
            </Group>
            {asksCurrent && factors.passkeys.length > 0 && hasPasskeys() && (
              <Button
                variant="subtle"
                color="gray"
                disabled={change.isPending || sign.isPending || password === ''}
                onClick={() => sign.mutate(undefined, { onSuccess: submit })}
              >
                {featureText('savePasswordByPasskey')}
              </Button>
            )}
          </Stack>
        </form>
      )}
    </Section>
  );
}

function ExternalSection({ factors }: { readonly factors: Factors }) {
  const featureText = useFeatureText(texts);
  const { formatList } = useIntl();
  const methods = useQuery(methodsQuery);
  const connect = useFactorChange(() => leaveForProvider('CONNECT', '/account'));
  const disconnect = useFactorChange((id: string) => signInApi.disconnectExternal(id));
  const name = methods.data?.external ?? null;
  if (name === null && factors.external.length === 0) return null;
  return (
    <Section
      title={name ?? formatList(factors.external.map(({ issuer }) => issuer))}
      about={featureText(factors.external.length > 0 ? 'connected' : 'notConnected')}
      action={
        name !== null &&
        factors.external.length === 0 && (
          <Button variant="default" loading={connect.isPending} onClick={() => connect.mutate(undefined)}>
            {featureText('connect')}
          </Button>
        )
      }
    >
      <FailureNotice error={connect.failure ?? disconnect.failure} />
      {factors.external.map(({ id, issuer, subject }) => (
        <div key={id} className={`${shared.box} ${shared.spread}`}>
          <span>
            {subject} <span className={shared.about}>{issuer}</span>
          </span>
          <Button
            variant="subtle"
            color="gray"
            loading={disconnect.isPending}
            onClick={() => disconnect.mutate(id)}
          >
            {featureText('disconnect')}
          </Button>
        </div>
      ))}
    </Section>
  );
}
