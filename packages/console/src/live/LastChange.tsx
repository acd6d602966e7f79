/** "Changed by Ana 3 s ago", counted on while it is shown. */
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { usePersonName } from '../fields/Person.tsx';
import { useFeatureText } from '../text/feature.ts';
import styles from './LastChange.module.css';
import type { LiveChange } from './live-feed.ts';
import { texts } from './texts.ts';

const tickMs = 1_000;

export function LastChange({ change }: { readonly change: LiveChange }) {
  const featureText = useFeatureText(texts);
  const { formatRelativeTime } = useIntl();
  const name = usePersonName(change.by);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - Date.parse(change.at)) / 1_000));
  const when =
    seconds < 60
      ? formatRelativeTime(-seconds, 'second', { style: 'short' })
      : formatRelativeTime(-Math.floor(seconds / 60), 'minute', { style: 'short' });
  const isDeleted = change.type.endsWith('.deleted');
  return (
    <span className={styles.last} data-deleted={isDeleted || undefined}>
      {featureText(isDeleted ? 'deleted' : 'changed', { name, when })}
    </span>
  );
}
