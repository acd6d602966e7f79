/** Shown while something is loading, if that takes longer than a moment. */
import { Loader, VisuallyHidden } from '@mantine/core';
import { useText } from '../text/text.ts';
import styles from './Loading.module.css';

export function Loading() {
  const text = useText();
  return (
    <div className={styles.loading} role="status">
      <Loader size="sm" aria-hidden="true" />
      <VisuallyHidden>{text('loading')}</VisuallyHidden>
    </div>
  );
}
