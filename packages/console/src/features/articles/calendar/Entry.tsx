/** An article in the calendar: its time and title, which leads to it, and a button that moves it. */
import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { articles } from '@trellis/schema/resources/articles.ts';
import { useIntl } from 'react-intl';
import { recordPathOf } from '../../../resources/places.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { Icon } from '../../../ui/icons.tsx';
import styles from './Calendar.module.css';
import { texts } from './texts.ts';
import type { CalendarEntry } from './use-entries.ts';
import { buttonOf } from './use-moves.ts';

export interface EntryProps {
  readonly siteId: string;
  readonly entry: CalendarEntry;
  readonly zone: string;
  /** Asks for another time; null for whoever may not move anything. */
  readonly askToMove: ((entry: CalendarEntry) => void) | null;
}

export function Entry({ siteId, zone, entry, askToMove }: EntryProps) {
  const featureText = useFeatureText(texts);
  const { formatDate } = useIntl();
  const { record, title, at, isScheduled } = entry;
  return (
    <div className={styles.entry} data-scheduled={isScheduled || undefined}>
      <Link to={recordPathOf(articles, siteId, record.id)} className={styles.link} draggable={false}>
        <span className={styles.when}>
          <time dateTime={at.toISOString()}>{formatDate(at, { timeStyle: 'short', timeZone: zone })}</time>{' '}
          {featureText(isScheduled ? 'scheduled' : 'published')}
        </span>
        <span className={styles.title}>{title}</span>
      </Link>
      {isScheduled && askToMove !== null && (
        <ActionIcon
          id={buttonOf(record.id)}
          className={styles.move ?? ''}
          variant="subtle"
          color="gray"
          size={24}
          aria-label={featureText('move', { title })}
          onClick={() => askToMove(entry)}
        >
          <Icon name="clock" size={14} />
        </ActionIcon>
      )}
    </div>
  );
}
