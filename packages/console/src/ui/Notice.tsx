/** A message beside its subject. Screen readers announce failures immediately, other messages when idle. */
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { needsProof, StepUpCancelled } from '../api/proof.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Icon, type IconName } from './icons.tsx';
import styles from './Notice.module.css';
import { describeError } from './problem-text.ts';
import { ProofButton } from './RetryButton.tsx';

interface Props {
  readonly kind: 'failure' | 'success' | 'hint';
  readonly title?: string;
  /** Instead of the one of its kind. */
  readonly icon?: IconName;
  readonly children?: ReactNode;
}

const icons = { success: 'check', failure: 'warning', hint: 'key' } as const;

export function Notice({ kind, title, icon, children }: Props) {
  return (
    <Alert
      role={kind === 'failure' ? 'alert' : 'status'}
      className={styles.notice}
      data-kind={kind}
      variant="transparent"
      icon={<Icon name={icon ?? icons[kind]} />}
      {...(title === undefined ? {} : { title })}
    >
      {children}
    </Alert>
  );
}

/** What went wrong; nothing without an error. */
export function FailureNotice({ error }: { readonly error: unknown }) {
  const text = useText();
  const names = useNames();
  if (error === null || error === undefined || error instanceof StepUpCancelled) return null;
  if (!needsProof(error)) return <Notice kind="failure">{describeError(error, text, names)}</Notice>;
  return (
    <Notice kind="failure">
      {describeError(error, text, names)} <ProofButton size="xs" />
    </Notice>
  );
}
