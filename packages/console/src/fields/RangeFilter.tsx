/** The control of a range: what it begins with and what it ends with, days, dates or numbers; one of them may be missing. */
import type { Bound } from '@trellis/schema/resources/resource.ts';
import { useIntl } from 'react-intl';
import { TypedFilter } from './kinds/text.tsx';
import { readDate, writeDate } from './written.ts';

interface Props {
  readonly scale: string | null;
  /** Names of the filters. */
  readonly bounds: Readonly<Partial<Record<Bound, string>>>;
  readonly filters: Readonly<Record<string, string>>;
  readonly labels: { readonly from: string; readonly to: string };
  readonly autoFocus: boolean;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

export function RangeFilter({ scale, bounds, filters, labels, autoFocus, onChange }: Props) {
  const { locale } = useIntl();
  const side = (own: readonly [Bound, Bound], label: string, isFirst: boolean) => {
    // An address may have either bound of a side; a person gives the first.
    const bound = own.find((one) => filters[bounds[one] ?? ''] !== undefined) ?? own[0];
    const name = bounds[bound];
    if (name === undefined) return null;
    const value = filters[name] ?? '';
    const change = (next: string) => onChange({ [name]: next });
    const shared = { label, autoFocus: autoFocus && isFirst };
    if (scale === 'instant')
      return (
        <TypedFilter
          {...shared}
          type="date"
          value={toDay(value, bound)}
          onChange={(day) => change(toInstant(day, bound))}
        />
      );
    return (
      <TypedFilter
        {...shared}
        inputMode={scale === 'integer' ? 'numeric' : 'text'}
        value={scale === 'date' ? writeDate(value, locale) : value}
        onChange={(typed) => change(scale === 'date' ? readDate(typed) : typed)}
      />
    );
  };
  return (
    <>
      {side(['gte', 'gt'], labels.from, true)}
      <span aria-hidden="true">–</span>
      {side(scale === 'instant' ? ['lt', 'lte'] : ['lte', 'lt'], labels.to, false)}
    </>
  );
}

/** The day of the browser's time zone that an instant begins, or, as the end that a range does not reach, follows. */
function toDay(instant: string, bound: Bound): string {
  if (instant === '' || Number.isNaN(Date.parse(instant))) return '';
  const date = new Date(instant);
  if (bound === 'lt') date.setMilliseconds(-1);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The beginning of a day, or of the one after it as the end of a range. */
function toInstant(day: string, bound: Bound): string {
  const date = new Date(`${day}T00:00`);
  if (Number.isNaN(date.getTime())) return '';
  if (bound.startsWith('l')) date.setDate(date.getDate() + 1);
  return date.toISOString();
}
