/** The page when somebody else has signed in with this browser since the tab was opened. No data of the first person is shown any more. */
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { SignedIn } from '../../api/sign-in.ts';
import { workForSignedIn } from '../../session/session.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useText } from '../../text/text.ts';
import { SignInLayout } from './SignInLayout.tsx';

export function OtherUserPage({ signedIn }: { readonly signedIn: SignedIn }) {
  const text = useText();
  const queries = useQueryClient();
  const signOut = useSignOut();
  const { name, email } = signedIn.user;
  const proceed = () => workForSignedIn(queries, signedIn);
  return (
    <SignInLayout title={text('otherUser.title')} intro={text('otherUser.about', { name })}>
      <Stack gap="md">
        <Text size="md">{text('otherUser.signedIn', { email })}</Text>
        <Button onClick={proceed}>{text('otherUser.proceed', { name })}</Button>
        <Button
          variant="default"
          loading={signOut.isPending}
          onClick={() => {
            // The session that ends is that of the person who is shown here.
            proceed();
            signOut.mutate();
          }}
        >
          {text('otherUser.signOut')}
        </Button>
      </Stack>
    </SignInLayout>
  );
}
