/** Requests a link that sets a new password, without revealing whether the account exists. */
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { signInApi } from '../../api/sign-in.ts';
import { methodsQuery } from '../../session/session.ts';
import { useText } from '../../text/text.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { SignInLayout } from './SignInLayout.tsx';

export function ForgotPage() {
  const text = useText();
  const [email, setEmail] = useState('');
  const methods = useQuery(methodsQuery);
  const request = useMutation({ mutationFn: () => signInApi.requestReset(email) });
  const back = (
    <Anchor component={Link} to="/sign-in" size="sm" ta="center">
      {text('forgot.back')}
    </Anchor>
  );
  if (methods.data?.mail === false) {
    return (
      <SignInLayout title={text('forgot.title')}>
        <Stack gap="md">
          <Text size="md">{text('forgot.noMail')}</Text>
          <pre className={shared.codeBlock}>npx trellis user sign-in-link you@example.com</pre>
          {back}
        </Stack>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={text('forgot.title')} intro={text('forgot.intro')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          request.mutate();
        }}
      >
        <Stack gap="md">
          <FailureNotice error={request.error} />
          {request.isSuccess && <Notice kind="success">{text('forgot.sent', { email })}</Notice>}
          <TextInput
            label={text('signIn.email')}
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={request.isPending}>
            {text('forgot.submit')}
          </Button>
          {back}
        </Stack>
      </form>
    </SignInLayout>
  );
}
