/** The days of a month that have something, one below the other, where a table of weeks has no room. */
import { Box } from '@mantine/core';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../../text/feature.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import shared from '../../../ui/shared.module.css';
import styles from './Calendar.module.css';
import { Entry } from './Entry.tsx';
import type { DaysProps } from './MonthGrid.tsx';
import { texts } from './texts.ts';

export function Agenda({ month, today, days, isPending, ...entries }: DaysProps) {
  const featureText = useFeatureText(texts);
  const { formatDate } = useIntl();
  const shown = [...days.keys()].filter((day) => day.startsWith(month)).sort();
  if (shown.length === 0 && isPending) return <Loading />;
  if (shown.length === 0)
    return <Empty icon="calendar" title={featureText('none')} about={featureText('noneAbout')} />;
  return shown.map((day) => (
    <section key={day} aria-labelledby={`day-${day}`}>
      <h3
        id={`day-${day}`}
        className={`${shared.title} ${styles.agendaDay}`}
        data-today={day === today || undefined}
        aria-current={day === today ? 'date' : undefined}
      >
        {formatDate(`${day}T12:00:00Z`, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })}
      </h3>
      <Box component="ul" className={`${shared.list} ${shared.tight}`} mt={4}>
        {days.get(day)?.map((entry) => (
          <li key={entry.key}>
            <Entry entry={entry} {...entries} />
          </li>
        ))}
      </Box>
    </section>
  ));
}
