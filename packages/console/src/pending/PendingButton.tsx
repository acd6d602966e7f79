/** Says how many changes wait, as soon as one has waited for a moment; opens their list. */
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { usePendingChanges } from '../outbox/edit/use-changes.ts';
import { useFeatureText } from '../text/feature.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './Pending.module.css';
import { useShownRefusals } from './shown-refusals.ts';
import { texts } from './texts.ts';

const PendingDialog = lazy(() =>
  import('./PendingDialog.tsx').then((module) => ({ default: module.PendingDialog })),
);

/** The server usually responds before that, in milliseconds. */
const momentMs = 700;

export function PendingButton() {
  const featureText = useFeatureText(texts);
  const [opened, dialog] = useDisclosure(false);
  const { changes, obstacle } = usePendingChanges();
  const shown = useShownRefusals();
  const all = changes.filter(({ refusal }) => refusal !== null);
  const present = changes.length - all.length;
  const refused = all.filter(({ key }) => !shown.has(key)).length;
  const [lasting] = useDebouncedValue(present, momentMs);
  const waiting = obstacle === null ? Math.min(present, lasting) : present;
  const isShown = waiting > 0 || refused > 0;
  return (
    <>
      {isShown && (
        <button
          type="button"
          className={styles.button}
          data-refused={refused > 0 || undefined}
          onClick={dialog.open}
        >
          <Icon name={refused > 0 ? 'warning' : 'clock'} size={15} />
          <span>
            {refused > 0
              ? featureText('refused', { count: refused })
              : featureText('waiting', { count: waiting })}
          </span>
        </button>
      )}
      {opened && (
        <Suspense>
          <PendingDialog close={dialog.close} />
        </Suspense>
      )}
    </>
  );
}
