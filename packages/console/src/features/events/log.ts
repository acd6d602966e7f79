/**
 * The log of events, read from its end. The API reads it from old to new, so a span of time is read whole and turned round; spans
 * grow while they hold little, and shrink where much has happened.
 */
import type { Event, EventList } from '@trellis/client/generated/types.ts';
import type { Api } from '../../api/api.ts';

/** What a feed is restricted to. Absent members restrict nothing. */
export interface EventFilter {
  readonly type?: string | undefined;
  readonly actorId?: string | undefined;
  readonly subject?: string | undefined;
  /** Instants: at or after, before. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The cursor of the next page. */
export interface LogPosition {
  /** Events before this instant come next; null: from the end. */
  readonly before: string | null;
  /** Length of the span that is tried first, in ms. */
  readonly spanMs: number;
}

export interface LogPart {
  /** The newest first. */
  readonly events: readonly Event[];
  /** Null: everything was read. */
  readonly next: LogPosition | null;
}

/** The end of the log. */
export const logEnd: LogPosition = { before: null, spanMs: 3_600_000 };

const growth = 8;
const smallestSpanMs = 1_000;
/** Nothing is logged for longer, however an operator sets it. */
const longestLogMs = 10 * 365 * 86_400_000;
/** Pages of 100 events that a span may have. */
const mostPages = 5;

/**
 * Reads at least `wanted` events before a position, if there are that many.
 * @throws ProblemError; the reason of the signal when it is aborted
 */
export async function readNewest(
  api: Api,
  filter: EventFilter,
  position: LogPosition,
  wanted: number,
  signal: AbortSignal,
): Promise<LogPart> {
  const events: Event[] = [];
  const oldest = filter.from === undefined ? Date.now() - longestLogMs : Date.parse(filter.from);
  let before = position.before ?? filter.to ?? null;
  let spanMs = position.spanMs;
  while (events.length < wanted) {
    const until = before === null ? Date.now() : Date.parse(before);
    if (until <= oldest) return { events, next: null };
    const from = new Date(Math.max(oldest, until - spanMs)).toISOString();
    const mayBeTooMuch = spanMs > smallestSpanMs;
    const found = await readSpan(api, filter, from, before, mayBeTooMuch ? mostPages : null, signal);
    if (found === null) {
      spanMs = Math.max(smallestSpanMs, spanMs / growth);
      continue;
    }
    events.push(...found.toReversed());
    before = from;
    if (found.length < wanted) spanMs *= growth;
  }
  return { events, next: { before, spanMs } };
}

/** The events of a span, the oldest first; null if it has more pages than permitted. */
async function readSpan(
  api: Api,
  filter: EventFilter,
  from: string,
  before: string | null,
  pages: number | null,
  signal: AbortSignal,
): Promise<readonly Event[] | null> {
  const events: Event[] = [];
  let cursor: string | null = null;
  for (let read = 0; pages === null || read < pages; read += 1) {
    const query = { ...filter, limit: 100, from, to: before ?? undefined, cursor: cursor ?? undefined };
    const page: EventList = await api.read('listEvents', { query, signal });
    events.push(...page.items);
    if (!page.pageInfo.hasNextPage) return events;
    cursor = page.pageInfo.nextCursor;
  }
  return null;
}
