/** The code after a password: of the authenticator app, or a recovery code. */
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { type SignInResult, signInApi } from '../../api/sign-in.ts';
import { useText } from '../../text/text.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';

interface Props {
  readonly challenge: string;
  readonly proceed: (result: SignInResult) => Promise<void>;
  readonly cancel: () => void;
}

export function SecondFactorPage({ challenge, proceed, cancel }: Props) {
  const text = useText();
  const [usesRecovery, setUsesRecovery] = useState(false);
  const [code, setCode] = useState('');
  const submit = useMutation({
    mutationFn: async () => {
      const trimmed = code.replaceAll(' ', '');
      const proof = usesRecovery ? { recoveryCode: trimmed } : { code: trimmed };
      await proceed(await signInApi.signInBySecondFactor({ challenge, ...proof }));
    },
    onError: () => setCode(''),
  });
  const isOver = isProblem(submit.error, 'challenge_invalid');
  return (
    <SignInLayout
      title={text('secondFactor.title')}
      intro={text(usesRecovery ? 'secondFactor.recoveryIntro' : 'secondFactor.intro')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Stack gap="md">
          <FailureNotice error={submit.error} />
          {usesRecovery ? (
            <TextInput
              key="recovery"
              label={text('secondFactor.recoveryCode')}
              name="recovery-code"
              autoComplete="off"
              autoFocus
              required
              withAsterisk={false}
              spellCheck={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          ) : (
            <TextInput
              key="code"
              label={text('secondFactor.code')}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9 ]*"
              maxLength={7}
              autoFocus
              required
              withAsterisk={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          {isOver ? (
            <Button onClick={cancel}>{text('secondFactor.again')}</Button>
          ) : (
            <Button type="submit" loading={submit.isPending}>
              {text('secondFactor.submit')}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setUsesRecovery(!usesRecovery);
              setCode('');
              submit.reset();
            }}
          >
            {text(usesRecovery ? 'secondFactor.useCode' : 'secondFactor.useRecovery')}
          </Button>
        </Stack>
      </form>
    </SignInLayout>
  );
}
