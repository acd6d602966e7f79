/** An article in the calendar: its time and title, which leads to it, and the menu that plans it. */
import { Link } from '@tanstack/react-router';
import { articles } from '@trellis/schema/resources/articles.ts';
import { useIntl } from 'react-intl';
import { recordPathOf } from '../../../resources/places.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import details from '../../../ui/details.module.css';
import shared from '../../../ui/shared.module.css';
import styles from './Calendar.module.css';
import { PlanMenu, type Planning } from './PlanMenu.tsx';
import { texts } from './texts.ts';
import type { CalendarEntry } from './use-entries.ts';

export interface EntryProps {
  readonly siteId: string;
  readonly entry: CalendarEntry;
  readonly zone: string;
  readonly planning: Planning;
}

export function Entry({ siteId, zone, entry, planning }: EntryProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { formatDate } = useIntl();
  const { record, title, at, status } = entry;
  const isKnown = status === 'SCHEDULED' || status === 'PUBLISHED';
  return (
    <div className={styles.entry} data-status={status}>
      <Link to={recordPathOf(articles, siteId, record.id)} className={styles.link} draggable={false}>
        <span className={`${shared.note} ${styles.when}`}>
          <time dateTime={at.toISOString()}>{formatDate(at, { timeStyle: 'short', timeZone: zone })}</time>{' '}
          {isKnown ? featureText(status === 'SCHEDULED' ? 'scheduled' : 'published') : names.value(status)}
        </span>
        <span className={`${details.clamp} ${styles.title}`}>{title}</span>
      </Link>
      {status !== 'PUBLISHED' && (
        <PlanMenu record={record} title={title} isDated planning={planning} className={styles.move} />
      )}
    </div>
  );
}
