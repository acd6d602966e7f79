/**
 * The page of a link that signs in. Its secret is in the fragment, which is not sent to servers, and a button redeems it: programs
 * that open links of mails to look at them spend none.
 */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../api/problem.ts';
import { signInApi } from '../../api/sign-in.ts';
import { useRenewSession } from '../../session/session.ts';
import { useText } from '../../text/text.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { FirstCredentialPage, hasNoFactor } from './FirstCredentialPage.tsx';
import { returnPath } from './return-path.ts';
import { SignInLayout } from './SignInLayout.tsx';

export function LinkPage() {
  const text = useText();
  const [secret] = useState(() => location.hash.slice(1));
  const [isFirst, setIsFirst] = useState(false);
  const renewSession = useRenewSession();
  const navigate = useNavigate();
  const proceed = () => navigate({ href: returnPath('/'), replace: true });
  const redeem = useMutation({
    mutationFn: async () => {
      await signInApi.redeemLink(secret);
      await renewSession();
      // The link is spent: whatever fails now must not keep anybody from the console.
      const factors = await signInApi.readFactors().catch(() => null);
      if (factors !== null && hasNoFactor(factors)) setIsFirst(true);
      else await proceed();
    },
  });
  if (isFirst) return <FirstCredentialPage proceed={proceed} />;
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
        <pre className={shared.codeBlock}>npx trellis user sign-in-link you@example.com</pre>
        <Anchor component={Link} to="/sign-in" size="sm">
          {text('link.otherwise')}
        </Anchor>
      </Stack>
    </SignInLayout>
  );
}
