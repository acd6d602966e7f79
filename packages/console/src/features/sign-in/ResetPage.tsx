/** Setting a new password by a link. */
import { Anchor, Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { signInApi } from '../../api/sign-in.ts';
import { useText } from '../../text/text.ts';
import { findPasswordFault, NewPasswordInput } from '../../ui/NewPasswordInput.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';

export function ResetPage() {
  const text = useText();
  const [secret] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const reset = useMutation({ mutationFn: () => signInApi.redeemReset(secret, password) });
  const isUsed = secret === '' || isProblem(reset.error, 'link_invalid');
  const fault = findPasswordFault(reset.error);
  if (reset.isSuccess || isUsed) {
    return (
      <SignInLayout title={text('reset.title')}>
        <Stack gap="md">
          <Notice kind={isUsed ? 'failure' : 'success'}>{text(isUsed ? 'reset.used' : 'reset.done')}</Notice>
          <Anchor component={Link} to={isUsed ? '/forgot' : '/sign-in'} size="sm">
            {text(isUsed ? 'reset.another' : 'forgot.back')}
          </Anchor>
        </Stack>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={text('reset.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate();
        }}
      >
        <Stack gap="md">
          {fault === null && <FailureNotice error={reset.error} />}
          <NewPasswordInput value={password} onChange={setPassword} fault={fault} autoFocus />
          <Button type="submit" loading={reset.isPending}>
            {text('reset.submit')}
          </Button>
        </Stack>
      </form>
    </SignInLayout>
  );
}
