/** The log of events: who changed what, when and how, the newest first. */
import '../../ui/input-styles.ts';
import { Box, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readingEvents, useRightRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { describeError } from '../../ui/problem-text.ts';
import { RetryButton } from '../../ui/RetryButton.tsx';
import shared from '../../ui/shared.module.css';
import { EventFilters } from './EventFilters.tsx';
import { EventRow } from './EventRow.tsx';
import styles from './EventsPage.module.css';
import { ExportButton } from './ExportButton.tsx';
import { toEventFilter, useFeedFilter } from './filter.ts';
import { logEnd, readNewest } from './log.ts';
import { texts } from './texts.ts';

/** Events that are read at a time, at least. */
const eventsRead = 50;

export function EventsPage() {
  const text = useText();
  const refusal = useRightRefusal()(readingEvents);
  if (refusal === null) return <Feed />;
  return (
    <>
      <PageHead title={text('events.title')} />
      <Empty icon="lock" title={text('list.forbidden')} about={refusal} />
    </>
  );
}

function Feed() {
  const text = useText();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const [filter, change] = useFeedFilter();
  const isFiltered = Object.values(filter).some((value) => value !== '');
  const log = useInfiniteQuery({
    queryKey: ['v1', 'events', 'feed', filter],
    queryFn: ({ pageParam, signal }) => readNewest(api, toEventFilter(filter), pageParam, eventsRead, signal),
    initialPageParam: logEnd,
    getNextPageParam: ({ next }) => next,
  });
  const events = log.data?.pages.flatMap((part) => part.events) ?? [];
  const readMore = () => {
    if (log.hasNextPage && !log.isFetching && !log.isError) void log.fetchNextPage();
  };
  return (
    <>
      <PageHead title={text('events.title')} actions={<ExportButton filter={toEventFilter(filter)} />} />
      <EventFilters filter={filter} change={change} isFiltered={isFiltered} />
      {log.isPending && <Loading />}
      {log.isError && (
        <Empty icon="warning" title={text('failure.title')} about={describeError(log.error, text, names)}>
          <RetryButton error={log.error} retry={() => void log.refetch()} />
        </Empty>
      )}
      {log.isSuccess && events.length === 0 && (
        <Empty
          icon="list"
          title={featureText('none')}
          about={featureText(isFiltered ? 'noMatchAbout' : 'noneAbout')}
        />
      )}
      <ol className={`${shared.list} ${styles.feed}`} aria-label={text('events.title')}>
        {events.map((event) => (
          <EventRow key={event.id} event={event} onlyRecord={() => change({ subject: event.subject })} />
        ))}
      </ol>
      {log.hasNextPage && <MoreButton isReading={log.isFetchingNextPage} read={readMore} />}
      {log.isSuccess && !log.hasNextPage && events.length > 0 && (
        <Box component="p" className={shared.small} p={20} ta="center">
          {featureText('end')}
        </Box>
      )}
    </>
  );
}

/** Reads on when it comes into sight, and for those who press it. */
function MoreButton({ isReading, read }: { readonly isReading: boolean; readonly read: () => void }) {
  const featureText = useFeatureText(texts);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || isReading) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) read();
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  });
  return (
    <div ref={place} className={shared.more}>
      <Button variant="default" loading={isReading} onClick={read}>
        {featureText('more')}
      </Button>
    </div>
  );
}
