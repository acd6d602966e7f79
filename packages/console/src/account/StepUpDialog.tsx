/** The dialog in which one proves once more who one is. */
import '@mantine/core/styles/Divider.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, Code, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Proof, signInApi } from '../api/sign-in.ts';
import { sessionKeys } from '../app/session.ts';
import { Icon } from '../parts/icons.tsx';
import { FailureNotice } from '../parts/Notice.tsx';
import { PasskeyCancelled, signWithPasskey } from '../sign-in/passkeys.ts';
import { useText } from '../text/text.ts';

export function StepUpDialog({ done, cancel }: { readonly done: () => void; readonly cancel: () => void }) {
  const text = useText();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const factors = useQuery({ queryKey: sessionKeys.factors, queryFn: signInApi.readFactors });
  const prove = useMutation({
    mutationFn: async (makeProof: () => Promise<Proof> | Proof) => {
      await signInApi.stepUp(await makeProof());
      done();
    },
  });
  const byPasskey = async () => {
    const { challenge, options } = await signInApi.beginPasskey();
    return { challenge, response: await signWithPasskey(options) };
  };
  const { hasPassword = false, hasTotp = false, passkeys = [] } = factors.data ?? {};
  const hasAny = hasPassword || hasTotp || passkeys.length > 0;
  return (
    <Modal
      opened
      onClose={cancel}
      title={text('stepUp.title')}
      closeButtonProps={{ 'aria-label': text('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          prove.mutate(() => (hasPassword ? { password } : { code }));
        }}
      >
        <Stack gap="md">
          <Text size="md" c="dimmed">
            {text(hasAny || factors.isPending ? 'stepUp.intro' : 'stepUp.none')}
          </Text>
          {!hasAny && factors.isSuccess && <Code block>npx trellis user sign-in-link you@example.com</Code>}
          <FailureNotice error={prove.error instanceof PasskeyCancelled ? null : prove.error} />
          {hasPassword && (
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
          {!hasPassword && hasTotp && (
            <TextInput
              label={text('secondFactor.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              data-autofocus
              required
              withAsterisk={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          {(hasPassword || hasTotp) && (
            <Button type="submit" loading={prove.isPending}>
              {text('stepUp.submit')}
            </Button>
          )}
          {passkeys.length > 0 && (
            <Button
              variant="default"
              leftSection={<Icon name="key" />}
              onClick={() => prove.mutate(byPasskey)}
              disabled={prove.isPending}
            >
              {text('signIn.passkey')}
            </Button>
          )}
        </Stack>
      </form>
    </Modal>
  );
}
