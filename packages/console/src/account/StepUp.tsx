/**
 * Proving once more who one is, where the server asks for a sign-in of the last 15 minutes (RFC 9470): a dialog, after which what
 * was refused is done.
 */
import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { type Proof, signInApi } from '../api/sign-in.ts';
import { sessionKeys } from '../app/session.ts';
import { Icon } from '../parts/icons.tsx';
import { FailureNotice } from '../parts/Notice.tsx';
import { PasskeyCancelled, signWithPasskey } from '../sign-in/passkeys.ts';
import { useText } from '../text/text.ts';

/** The person has closed the dialog: nothing was done. */
export class StepUpCancelled extends Error {}

type Run = <T>(action: () => Promise<T>) => Promise<T>;

const StepUpContext = createContext<Run>((action) => action());

/** Gives a function that runs an action, and again after a fresh proof if it needs one. @throws StepUpCancelled */
export function useStepUp(): Run {
  return useContext(StepUpContext);
}

export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<PromiseWithResolvers<void> | null>(null);
  const run: Run = async (action) => {
    try {
      return await action();
    } catch (error) {
      if (!isProblem(error, 'insufficient_user_authentication')) throw error;
    }
    const proof = Promise.withResolvers<void>();
    setAsked(proof);
    await proof.promise.finally(() => setAsked(null));
    return action();
  };
  return (
    <StepUpContext value={run}>
      {children}
      {asked !== null && (
        <StepUpDialog done={asked.resolve} cancel={() => asked.reject(new StepUpCancelled())} />
      )}
    </StepUpContext>
  );
}

function StepUpDialog({ done, cancel }: { readonly done: () => void; readonly cancel: () => void }) {
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
