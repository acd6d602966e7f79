/** Marks a displayed value as pending or refused. */
import { VisuallyHidden } from '@mantine/core';
import { useFeatureText } from '../../text/feature.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './ChangeState.module.css';
import { texts } from './texts.ts';
import type { ChangedRecord } from './with-changes.ts';

interface Props {
  readonly states: ChangedRecord['states'];
  readonly field: string;
}

export function ChangeState({ states, field }: Props) {
  const featureText = useFeatureText(texts);
  const state = states.get(field);
  if (state === undefined) return null;
  const isRefused = state === 'refused';
  return (
    <span
      className={styles.state}
      data-state={state}
      title={featureText(state)}
      role={isRefused ? 'alert' : undefined}
    >
      <Icon name={isRefused ? 'warning' : 'clock'} size={13} />
      <VisuallyHidden>{featureText(state)}</VisuallyHidden>
    </span>
  );
}
