/** A month as a table of weeks. What is planned is dragged to another day, or moved by its menu; the days that are to come are buttons that plan something, with arrows between them. */
import { Box, Button, VisuallyHidden } from '@mantine/core';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../../text/feature.ts';
import shared from '../../../ui/shared.module.css';
import styles from './Calendar.module.css';
import { addDays } from './days.ts';
import { Entry, type EntryProps } from './Entry.tsx';
import { texts } from './texts.ts';
import type { Dragged, Dragging } from './use-dragging.ts';
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
  readonly dragging: Dragging;
  readonly drop: (dragged: Dragged, day: string) => void;
  /** Plans something for a day; null for somebody who may not. */
  readonly planDay: ((day: string) => void) | null;
}

/** How many days an arrow goes on. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

export function MonthGrid({
  month,
  today,
  days,
  isPending,
  weeks,
  dragging,
  drop,
  planDay,
  ...entries
}: Props) {
  const { formatDate } = useIntl();
  const featureText = useFeatureText(texts);
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const [reached, setReached] = useState('');
  const table = useRef<HTMLTableElement>(null);
  const { dragged, begin } = dragging;
  const [target, setTarget] = useState<string | null>(null);
  const end = () => {
    dragging.end();
    setTarget(null);
  };
  const open = planDay === null ? [] : weeks.flat().filter((day) => day >= today);
  // One stop of the tab key among the days, as in a grid.
  const stop =
    [reached, today].find((day) => open.includes(day)) ?? open.find((day) => day.startsWith(month));
  const goOn = (day: string) => (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = addDays(day, step);
    table.current?.querySelector<HTMLElement>(`[data-plan="${next}"]`)?.focus();
  };
  const over = (day: string) => (event: DragEvent) => {
    if (dragged === null) return;
    event.preventDefault();
    // A day that has passed is no place for it, which is said when it is dropped there.
    setTarget(day < today ? null : day);
  };
  const dateOf = (day: string) => (
    <time dateTime={day} className={styles.date}>
      {formatDate(`${day}T12:00:00Z`, {
        day: 'numeric',
        ...(day.endsWith('-01') ? { month: 'short' } : {}),
        timeZone: 'UTC',
      })}
    </time>
  );
  const countOf = (day: string) => days.get(day)?.length ?? 0;
  const shownOf = (day: string) => days.get(day)?.slice(0, day === unfolded ? undefined : mostFolded) ?? [];
  return (
    <table ref={table} className={`${shared.frame} ${styles.grid}`} aria-busy={isPending}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" className={`${shared.small} ${styles.weekday}`}>
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
                {planDay !== null && day >= today ? (
                  <button
                    type="button"
                    className={`${shared.plain} ${shared.cover} ${styles.plan}`}
                    data-plan={day}
                    tabIndex={day === (stop ?? open[0]) ? 0 : -1}
                    onFocus={() => setReached(day)}
                    onKeyDown={goOn(day)}
                    onClick={() => planDay(day)}
                  >
                    {dateOf(day)}
                    <VisuallyHidden>
                      {featureText('planFor', {
                        day: formatDate(`${day}T12:00:00Z`, { dateStyle: 'full', timeZone: 'UTC' }),
                      })}
                    </VisuallyHidden>
                  </button>
                ) : (
                  dateOf(day)
                )}
                <Box component="ul" className={`${shared.list} ${shared.tight}`} mt={4}>
                  {shownOf(day).map((entry) => (
                    <li
                      key={entry.key}
                      draggable={entry.status !== 'PUBLISHED' && entries.planning.mayMove(entry.record)}
                      onDragStart={() => begin(entry)}
                      onDragEnd={end}
                    >
                      <Entry entry={entry} {...entries} />
                    </li>
                  ))}
                </Box>
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
