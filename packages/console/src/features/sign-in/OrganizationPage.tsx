/** The choice of the organization to work in. */
import { Anchor, Button, Stack } from '@mantine/core';
import type { Organizations } from '../../api/sign-in.ts';
import { useSignOut } from '../../session/use-sign-out.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Icon } from '../../ui/icons.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import styles from './OrganizationPage.module.css';
import { SignInLayout } from './SignInLayout.tsx';

interface Props {
  readonly organizations: Organizations;
  readonly choose: (id: string) => void;
  /** Of the person. */
  readonly email: string;
}

export function OrganizationPage({ organizations: { items, isComplete }, choose, email }: Props) {
  const text = useText();
  const signOut = useSignOut();
  const names = useNames();
  const locked = items.some(({ needsSecondFactor }) => needsSecondFactor);
  return (
    <SignInLayout
      title={text(titleOf(items.length, isComplete))}
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
        {items.length === 0 && isComplete && <Notice kind="hint">{text('organization.noneAbout')}</Notice>}
        {!isComplete && (
          <Notice kind="hint" icon="warning">
            {text('organization.missing')}
          </Notice>
        )}
        {items.map(({ id, name, role, needsSecondFactor }) => (
          <Button
            key={id}
            variant="default"
            size="lg"
            classNames={{ root: styles.choice ?? '', inner: styles.inner ?? '', label: styles.label ?? '' }}
            rightSection={<Icon name={needsSecondFactor ? 'lock' : 'chevronRight'} />}
            disabled={needsSecondFactor}
            onClick={() => choose(id)}
          >
            <span className={styles.name}>{name}</span>
            <span className={styles.role}>{names.value(role)}</span>
          </Button>
        ))}
        {locked && <Notice kind="hint">{text('organization.needsSecondFactor')}</Notice>}
      </Stack>
    </SignInLayout>
  );
}

function titleOf(count: number, isComplete: boolean) {
  if (count > 0) return 'organization.title';
  return isComplete ? 'organization.none' : 'organization.noneNow';
}
