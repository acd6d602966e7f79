/** The filters of the feed, which are in the URL, so that a filtered feed can be linked. Days are those of the browser's time zone. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EventFilter } from './log.ts';

export interface FeedFilter {
  readonly type: string;
  readonly actorId: string;
  readonly subject: string;
  /** Days, `2026-03-01`, both included. */
  readonly from: string;
  readonly to: string;
}

/** The filter of the present address, and a function that changes it. */
export function useFeedFilter(): [FeedFilter, (change: Partial<FeedFilter>) => void] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter: FeedFilter = {
    type: search.type ?? '',
    actorId: search.actorId ?? '',
    subject: search.subject ?? '',
    from: search.from ?? '',
    to: search.to ?? '',
  };
  const change = (part: Partial<FeedFilter>) =>
    void navigate({ to: '.', search: { ...filter, ...part }, replace: true, resetScroll: false });
  return [filter, change];
}

/** The filter as the API takes it. */
export function toEventFilter({ type, actorId, subject, from, to }: FeedFilter): EventFilter {
  return {
    type: type || undefined,
    actorId: actorId || undefined,
    subject: subject || undefined,
    from: startOfDay(from, 0),
    to: startOfDay(to, 1),
  };
}

/** The instant at which a day begins, or a later one; undefined for no day. */
function startOfDay(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined || Number.isNaN(date)) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
}
