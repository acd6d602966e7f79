/** The calendar of a site: what will be published when, and what was. Whoever may publish moves what is scheduled. */
import '../../../ui/input-styles.ts';
import { ActionIcon, Anchor, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { articles } from '@trellis/schema/resources/articles.ts';
import { sites } from '@trellis/schema/resources/sites.ts';
import { ownZone, toInstant } from '@trellis/schema/values/zones.ts';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem.ts';
import { RecordSelect } from '../../../fields/RecordSelect.tsx';
import { collectionPath, noteParent, readLastParent } from '../../../resources/places.ts';
import { listRecords, readRecord, recordKeys } from '../../../resources/queries.ts';
import { useRefusal } from '../../../session/missing-right.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { FailureNotice, Notice } from '../../../ui/Notice.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { noteRecord } from '../../../waiting/cache.ts';
import { ScheduleDialog } from '../ScheduleDialog.tsx';
import { texts as articleTexts } from '../texts.ts';
import { Agenda } from './Agenda.tsx';
import styles from './Calendar.module.css';
import { addMonths, atDay, dayOf, firstDayOf, isMonth, weeksOf } from './days.ts';
import { MonthGrid } from './MonthGrid.tsx';
import { texts } from './texts.ts';
import { type CalendarEntry, useEntries } from './use-entries.ts';
import { useMoves } from './use-moves.ts';

export function CalendarPage() {
  const text = useText();
  const names = useNames();
  const navigate = useNavigate();
  const refusal = useRefusal();
  const refused = refusal(articles, 'read') ?? refusal(sites, 'read');
  const { site = readLastParent(sites.name) ?? '', month = '' } = useSearch({ strict: false });
  const shown = useShownSite(site, refused === null);
  const go = (search: { readonly site: string; readonly month: string }) =>
    void navigate({ to: '.', search });
  if (refused !== null)
    return (
      <>
        <PageHead title={text('calendar.title')} />
        <Empty icon="lock" title={text('list.forbidden')} about={refused} />
      </>
    );
  return (
    <>
      <PageHead
        title={text('calendar.title')}
        aside={
          shown.data && (
            <RecordSelect
              resource={sites}
              parentId={null}
              value={shown.data.id}
              label={names.singular(sites)}
              hideLabel
              onChange={(id) => {
                if (id === null) return;
                noteParent(sites.name, id);
                go({ site: id, month });
              }}
            />
          )
        }
      />
      <div className={styles.page}>
        <FailureNotice error={shown.error} />
        {shown.isPending && <Loading />}
        {shown.data === null && (
          <Empty
            icon="globe"
            title={text('list.noParent', { parent: names.singular(sites) })}
            about={text('list.noParentAbout', { name: names.plural(articles), parent: names.noun(sites) })}
          >
            <Anchor component={Link} to={`${collectionPath(sites, null)}/new`}>
              {text('record.new', { name: names.noun(sites) })}
            </Anchor>
          </Empty>
        )}
        {shown.data && (
          <Month
            key={shown.data.id}
            site={shown.data}
            wanted={month}
            show={(next) => go({ site: shown.data?.id ?? '', month: next })}
          />
        )}
      </div>
    </>
  );
}

/** The site that is asked for if there is such a site, or else the first; null without any. */
function useShownSite(wanted: string, isAllowed: boolean) {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...recordKeys.list(sites, null, ''), 'calendar', wanted],
    queryFn: async ({ signal }): Promise<ApiRecord | null> => {
      if (wanted !== '') {
        try {
          return note(await readRecord(api, sites, null, encodeURIComponent(wanted), signal));
        } catch (error) {
          // Deleted, or in another organization: the browser or an address still names it.
          if (!isProblem(error, 'not_found', 'validation_failed')) throw error;
        }
      }
      const { items } = await listRecords(api, sites, null, { limit: '1' }, undefined, signal);
      return items[0] === undefined ? null : note(items[0]);
    },
    enabled: isAllowed,
  });
  /** The dialog reads it, too. */
  function note(site: ApiRecord): ApiRecord {
    noteRecord(queries, sites, site);
    return site;
  }
}

interface MonthProps {
  readonly site: ApiRecord;
  /** `2027-03`; another text for the present month. */
  readonly wanted: string;
  readonly show: (month: string) => void;
}

function Month({ site, wanted, show }: MonthProps) {
  const featureText = useFeatureText(texts);
  const articleText = useFeatureText(articleTexts);
  const { formatDate, locale } = useIntl();
  const refusal = useRefusal();
  const siteId = site.id;
  const zone = typeof site.timezone === 'string' ? site.timezone : 'UTC';
  const today = dayOf(new Date(), zone);
  const month = isMonth(wanted) ? wanted : today.slice(0, 7);
  const weeks = weeksOf(month, firstDayOf(locale));
  const start = toInstant(`${weeks[0]?.[0]}T00:00`, zone) ?? new Date();
  const { question, moved, move, schedule, close } = useMoves(siteId, zone);
  const { entries, hasMore, error, isPending } = useEntries(siteId, start.toISOString(), moved);
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  const refused = refusal(articles, 'update') ?? refusal(articles, 'publish');
  const days = Map.groupBy(entries, ({ at }) => dayOf(at, zone));
  const shared = {
    siteId,
    zone,
    month,
    today,
    days,
    isPending,
    askToMove: refused === null ? ({ record }: CalendarEntry) => void move(record, null) : null,
  };
  return (
    <>
      <div className={styles.tools}>
        <h2 className={styles.month} aria-live="polite">
          {formatDate(`${month}-15T12:00:00Z`, { month: 'long', year: 'numeric', timeZone: 'UTC' })}
        </h2>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={featureText('earlier')}
          onClick={() => show(addMonths(month, -1))}
        >
          <Icon name="chevronLeft" />
        </ActionIcon>
        <Button variant="default" size="sm" onClick={() => show(today.slice(0, 7))}>
          {featureText('today')}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={featureText('later')}
          onClick={() => show(addMonths(month, 1))}
        >
          <Icon name="chevronRight" />
        </ActionIcon>
      </div>
      {zone !== ownZone() && <p className={styles.hint}>{articleText('inZone', { zone })}</p>}
      {refused !== null && entries.some(({ isScheduled }) => isScheduled) && (
        <p className={styles.hint}>{refused}</p>
      )}
      <FailureNotice error={error} />
      {hasMore && <Notice kind="hint">{featureText('notAll')}</Notice>}
      {isNarrow ? (
        <Agenda {...shared} />
      ) : (
        <MonthGrid
          {...shared}
          weeks={weeks}
          drop={({ record, at }, day) => {
            const to = atDay(at, day, zone);
            if (to !== null && day !== dayOf(at, zone)) void move(record, to);
          }}
        />
      )}
      {question !== null && (
        <ScheduleDialog
          resource={articles}
          record={question.proposed}
          parentId={siteId}
          body={question.body}
          isWaiting={false}
          close={close}
          schedule={(scheduledFor, unpublishAt) => schedule(question, { scheduledFor, unpublishAt })}
        />
      )}
    </>
  );
}
