/** A month as a table of weeks. What is scheduled is dragged to another day, or moved by its button. */
import { Button } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../../text/feature.ts';
import styles from './Calendar.module.css';
import { Entry, type EntryProps } from './Entry.tsx';
import { texts } from './texts.ts';
import type { CalendarEntry } from './use-entries.ts';

/** Entries of a day that are shown before it is unfolded. */
const mostFolded = 4;

export interface DaysProps extends Omit<EntryProps, 'entry'> {
  /** `2027-03` */
  readonly month: string;
  readonly today: string;
  /** Entries by day, in their order. */
  readonly days: ReadonlyMap<string, readonly CalendarEntry[]>;
  /** Whether there may be more. */
  readonly isPending: boolean;
}

interface Props extends DaysProps {
  readonly weeks: readonly (readonly string[])[];
  readonly drop: (entry: CalendarEntry, day: string) => void;
}

export function MonthGrid({ month, today, days, isPending, weeks, drop, ...entries }: Props) {
  const { formatDate } = useIntl();
  const featureText = useFeatureText(texts);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const [dragged, setDragged] = useState<CalendarEntry | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setTarget(null);
  };
  const over = (day: string) => (event: DragEvent) => {
    if (dragged === null) return;
    event.preventDefault();
    // A day that has passed is no place for it, which is said when it is dropped there.
    setTarget(day < today ? null : day);
  };
  const countOf = (day: string) => days.get(day)?.length ?? 0;
  const shownOf = (day: string) => days.get(day)?.slice(0, day === unfolded ? undefined : mostFolded) ?? [];
  return (
    <table className={styles.grid} aria-busy={isPending}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className={styles.weekday}>
              {formatDate(`${day}T12:00:00Z`, { weekday: 'short', timeZone: 'UTC' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                className={styles.day}
                data-other={day.slice(0, 7) !== month || undefined}
                data-today={day === today || undefined}
                aria-current={day === today ? 'date' : undefined}
                data-target={day === target || undefined}
                onDragOver={over(day)}
                onDrop={() => {
                  if (dragged !== null) drop(dragged, day);
                  end();
                }}
              >
                <time dateTime={day} className={styles.date}>
                  {formatDate(`${day}T12:00:00Z`, {
                    day: 'numeric',
                    ...(day.endsWith('-01') ? { month: 'short' } : {}),
                    timeZone: 'UTC',
                  })}
                </time>
                <ul className={styles.entries}>
                  {shownOf(day).map((entry) => (
                    <li
                      key={entry.key}
                      draggable={entries.askToMove !== null && entry.isScheduled}
                      onDragStart={() => setDragged(entry)}
                      onDragEnd={end}
                    >
                      <Entry entry={entry} {...entries} />
                    </li>
                  ))}
                </ul>
                {countOf(day) > mostFolded && (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-xs"
                    aria-expanded={day === unfolded}
                    onClick={() => setUnfolded(day === unfolded ? null : day)}
                  >
                    {day === unfolded
                      ? featureText('fewer')
                      : featureText('more', { count: countOf(day) - mostFolded })}
                  </Button>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
