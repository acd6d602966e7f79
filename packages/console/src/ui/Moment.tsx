/** An instant: relative if it is recent, else the day. */
import { useIntl } from 'react-intl';

const units = [
  { unit: 'minute', seconds: 60, most: 59 },
  { unit: 'hour', seconds: 3_600, most: 23 },
  { unit: 'day', seconds: 86_400, most: 7 },
] as const;

export function Moment({ value }: { readonly value: string }) {
  const { formatDate, formatRelativeTime } = useIntl();
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  const distance = Math.abs(seconds);
  // Past times are rounded down to whole units; future ones are rounded, because a week from now is slightly less when it is shown.
  const count = (unit: number) => (seconds > 0 ? Math.round(seconds / unit) : Math.trunc(seconds / unit));
  const fitting = units.find((unit) => Math.abs(count(unit.seconds)) <= unit.most);
  const short =
    distance < 60
      ? formatRelativeTime(0, 'second', { numeric: 'auto' })
      : fitting === undefined
        ? formatDate(value, { dateStyle: 'medium' })
        : formatRelativeTime(count(fitting.seconds), fitting.unit, { numeric: 'auto' });
  return (
    <time dateTime={value} title={formatDate(value, { dateStyle: 'full', timeStyle: 'medium' })}>
      {short}
    </time>
  );
}
