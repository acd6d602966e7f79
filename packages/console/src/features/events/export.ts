/** The events of a filter as a file, one in each line, in the order of the log. */
import type { Event } from '@trellis/client/generated/types.ts';
import type { Api, Page } from '../../api/api.ts';
import { readPages } from '../../api/pages.ts';
import type { EventFilter } from './log.ts';

/**
 * Reads all events of a filter. @param progress gets the number of events so far
 * @throws ProblemError; the reason of the signal when it is aborted
 */
export async function exportEvents(
  api: Pick<Api, 'get'>,
  filter: EventFilter,
  signal: AbortSignal,
  progress: (count: number) => void,
): Promise<Blob> {
  const parts: string[] = [];
  let count = 0;
  const read = (cursor: string | null) => {
    const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== '' && value !== null);
    const query = new URLSearchParams([['limit', '100'], ...(given as [string, string][])]);
    return api.get<Page<Event>>(`/v1/events?${query}`, signal);
  };
  for await (const events of readPages(read)) {
    parts.push(...events.map((event) => `${JSON.stringify(event)}\n`));
    count += events.length;
    progress(count);
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}
