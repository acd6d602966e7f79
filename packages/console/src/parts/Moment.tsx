/** An instant: how long ago it was while that is short, else the day. */
import { useIntl } from 'react-intl';

const units = [
  { unit: 'minute', seconds: 60, below: 3_600 },
  { unit: 'hour', seconds: 3_600, below: 86_400 },
  { unit: 'day', seconds: 86_400, below: 7 * 86_400 },
] as const;

export function Moment({ value }: { readonly value: string }) {
  const { formatDate, formatRelativeTime } = useIntl();
  const seconds = (Date.parse(value) - Date.now()) / 1_000;
  const distance = Math.abs(seconds);
  const fitting = units.find(({ below }) => distance < below);
  const short =
    distance < 60
      ? formatRelativeTime(0, 'second', { numeric: 'auto' })
      : fitting === undefined
        ? formatDate(value, { dateStyle: 'medium' })
        : formatRelativeTime(Math.trunc(seconds / fitting.seconds), fitting.unit, { numeric: 'auto' });
  return (
    <time dateTime={value} title={formatDate(value, { dateStyle: 'full', timeStyle: 'medium' })}>
      {short}
    </time>
  );
}
