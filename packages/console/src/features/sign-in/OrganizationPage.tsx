/** The choice of the organization to work in. */
import { Anchor, Button, Stack } from '@mantine/core';
import type { Organization } from '../../api/sign-in.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './OrganizationPage.module.css';
import { SignInLayout } from './SignInLayout.tsx';

interface Props {
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
  /** Of the person. */
  readonly email: string;
}

export function OrganizationPage({ organizations, choose, email }: Props) {
  const text = useText();
  const signOut = useSignOut();
  const names = useNames();
  const locked = organizations.some(({ needsSecondFactor }) => needsSecondFactor);
  return (
    <SignInLayout
      title={text(organizations.length === 0 ? 'organization.none' : 'organization.title')}
      footer={
        <>
          {text('organization.signedInAs', { email })}{' '}
          <Anchor component="button" type="button" size="sm" onClick={() => signOut.mutate()}>
            {text('signOut')}
          </Anchor>
        </>
      }
    >
      <Stack gap="sm">
        <FailureNotice error={signOut.error} />
        {organizations.length === 0 && <Notice kind="hint">{text('organization.noneAbout')}</Notice>}
        {organizations.map(({ id, name, role, needsSecondFactor }) => (
          <Button
            key={id}
            variant="default"
            size="lg"
            justify="space-between"
            h="auto"
            mih={50}
            py={6}
            classNames={{ label: styles.label ?? '' }}
            rightSection={<Icon name={needsSecondFactor ? 'lock' : 'chevronRight'} />}
            disabled={needsSecondFactor}
            onClick={() => choose(id)}
          >
            <span>{name}</span>
            <span className={shared.small}>{names.value(role)}</span>
          </Button>
        ))}
        {locked && <Notice kind="hint">{text('organization.needsSecondFactor')}</Notice>}
      </Stack>
    </SignInLayout>
  );
}
