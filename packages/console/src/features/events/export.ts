/** The events of a filter as a file, one in each line, in the order of the log. */
import type { Input } from '@trellis/client/api-client.ts';
import type { EventList } from '@trellis/client/generated/types.ts';
import { readPages } from '../../api/pages.ts';
import type { EventFilter } from './log.ts';

/**
 * Reads all events of a filter.
 * @param readPage reads a page of the log
 * @param progress gets the number of events so far
 * @throws ProblemError; the reason of the signal when it is aborted
 */
export async function exportEvents(
  readPage: (query: NonNullable<Input<'listEvents'>['query']>) => Promise<EventList>,
  filter: EventFilter,
  signal: AbortSignal,
  progress: (count: number) => void,
): Promise<Blob> {
  const parts: string[] = [];
  let count = 0;
  const read = (cursor: string | undefined) => {
    signal.throwIfAborted();
    return readPage({ ...filter, limit: 100, cursor });
  };
  for await (const events of readPages(read)) {
    parts.push(...events.map((event) => `${JSON.stringify(event)}\n`));
    count += events.length;
    progress(count);
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}
