/**
 * The page of a link that signs in. Its secret is in the fragment, which is not sent to servers, and a button redeems it: programs
 * that open links of mails to look at them spend none.
 */
import { Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { signInApi } from '../../api/sign-in.ts';
import { useText } from '../../text/text.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { SignInLayout } from './SignInLayout.tsx';
import { useSignInResult } from './SignInPage.tsx';

export function LinkPage() {
  const text = useText();
  const [secret] = useState(() => location.hash.slice(1));
  const proceed = useSignInResult('/', () => undefined);
  const redeem = useMutation({ mutationFn: async () => proceed(await signInApi.redeemLink(secret)) });
  if (secret === '' || isProblem(redeem.error, 'link_invalid', 'validation_failed')) return <UsedLinkPage />;
  return (
    <SignInLayout title={text('link.title')} intro={text('link.intro')}>
      <Stack gap="md">
        <FailureNotice error={redeem.error} />
        <Button autoFocus loading={redeem.isPending} onClick={() => redeem.mutate()}>
          {text('link.submit')}
        </Button>
      </Stack>
    </SignInLayout>
  );
}

/** Says how to get another link. */
function UsedLinkPage() {
  const text = useText();
  return (
    <SignInLayout title={text('link.usedTitle')}>
      <Stack gap="md">
        <Notice kind="failure">{text('link.used')}</Notice>
        <Text size="md">{text('link.another')}</Text>
        <Code block>npx trellis user sign-in-link you@example.com</Code>
        <Anchor component={Link} to="/sign-in" size="sm">
          {text('link.otherwise')}
        </Anchor>
      </Stack>
    </SignInLayout>
  );
}
