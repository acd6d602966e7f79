/** The visits of a site: how many on each day, and its visitors, seen last first. */
import { Anchor, Box, Group, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { VisitCounts } from '@trellis/client/generated/types.ts';
import { countedDays } from '@trellis/schema/resources/visitors.ts';
import { ownZone } from '@trellis/schema/values/zones.ts';
import { useIntl } from 'react-intl';
import { byCursor } from '../../api/pages.ts';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import { Loading } from '../../ui/Loading.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { texts } from './texts.ts';
import page from './Visitors.module.css';

/** The id of the section with the keys and the script. */
export const keysSection = 'keys';

interface Props {
  /** Whether the page shows the keys. */
  readonly mayReadKeys: boolean;
}

export function Visits({ mayReadKeys }: Props) {
  const featureText = useFeatureText(texts);
  const navigate = useNavigate();
  const { api } = useWorkspace();
  const { site: chosen } = useSearch({ strict: false });
  const counts = useQuery({
    queryKey: ['v1', 'visitors', 'counts'],
    queryFn: ({ signal }) => api.read('countVisits', { query: { timeZone: ownZone() }, signal }),
  });
  const names = useSiteNames();
  if (counts.isPending || names.isPending) return <Loading />;
  if (counts.data === undefined) return <FailureNotice error={counts.error} />;
  const options = siteOptions(counts.data, names.data ?? []);
  const siteId = chosen ?? options[0]?.value;
  return (
    <section className={shared.section} aria-label={featureText('visits')}>
      <Group justify="space-between" gap="8px 12px">
        <h2 className={shared.title}>{featureText('visits')}</h2>
        {options.length > 1 && (
          <Select
            aria-label={featureText('site')}
            size="xs"
            allowDeselect={false}
            searchable={options.length > 8}
            selectFirstOptionOnChange
            data={options}
            value={siteId ?? null}
            onChange={(site) => site !== null && void navigate({ to: '.', search: { site } })}
          />
        )}
      </Group>
      <p className={shared.about}>{featureText('visitsAbout', { days: countedDays })}</p>
      {siteId === undefined ? (
        <NoVisits mayReadKeys={mayReadKeys} />
      ) : (
        <>
          <Days counts={counts.data} siteId={siteId} mayReadKeys={mayReadKeys} />
          <VisitorList siteId={siteId} />
        </>
      )}
    </section>
  );
}

/** Says how pages come to report visits. */
function NoVisits({ mayReadKeys }: Props) {
  const featureText = useFeatureText(texts);
  return (
    <div className={shared.none}>
      <p>{featureText('noVisits', { days: countedDays })}</p>
      {mayReadKeys ? (
        <>
          <p>{featureText('howToReport')}</p>
          <p>
            <Anchor href={`#${keysSection}`} size="sm">
              {featureText('toScript')}
            </Anchor>
            {' · '}
            <Anchor component={Link} to={collectionPath(resourceByName('clients'), null)} size="sm">
              {featureText('toClients')}
            </Anchor>
          </p>
        </>
      ) : (
        <p>{featureText('askForScript')}</p>
      )}
    </div>
  );
}

/** The sites with their names, where the role may read them. */
function useSiteNames() {
  const { api } = useWorkspace();
  const sites = resourceByName('sites');
  const mayRead = useRefusal()(sites, 'read') === null;
  return useQuery({
    queryKey: recordKeys.list(sites, null, 'visits'),
    queryFn: async ({ signal }) => {
      if (!mayRead) return [];
      return (await api.read('listSites', { query: { limit: 100 }, signal })).items;
    },
  });
}

/** The sites to choose from, those with most visits first. */
function siteOptions(
  { items }: VisitCounts,
  known: readonly { readonly id: string; readonly name: string }[],
): { readonly value: string; readonly label: string }[] {
  const visits = new Map<string, number>(known.map(({ id }) => [id, 0]));
  for (const item of items) visits.set(item.siteId, (visits.get(item.siteId) ?? 0) + item.visits);
  const nameOf = (id: string) => known.find((site) => site.id === id)?.name ?? id;
  return [...visits]
    .sort(([, left], [, right]) => right - left)
    .map(([value]) => ({ value, label: nameOf(value) }));
}

/** The newest days, each with a bar. */
function Days({
  counts,
  siteId,
  mayReadKeys,
}: Props & { readonly counts: VisitCounts; readonly siteId: string }) {
  const featureText = useFeatureText(texts);
  const { formatDate, formatNumber } = useIntl();
  const ofSite = counts.items.filter((item) => item.siteId === siteId);
  const most = Math.max(1, ...ofSite.map(({ visits }) => visits));
  const days = daysUntilToday().filter((day) => counts.from === null || day >= counts.from);
  // If only the newest days were counted, the site may have had visits before.
  if (ofSite.length === 0 && days.length === countedDays) return <NoVisits mayReadKeys={mayReadKeys} />;
  return (
    <table className={`${details.table} ${page.days}`}>
      <thead>
        <tr>
          <th scope="col">{featureText('day')}</th>
          <th scope="col">{featureText('visits')}</th>
          <th scope="col">{featureText('visitors')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => {
          const { visits = 0, visitors = 0 } = ofSite.find((item) => item.day === day) ?? {};
          return (
            <tr key={day}>
              <th scope="row">
                {formatDate(`${day}T12:00`, { weekday: 'short', day: 'numeric', month: 'short' })}
              </th>
              <td className={page.bar} style={{ backgroundSize: `${(visits / most) * 100}% 70%` }}>
                {formatNumber(visits)}
              </td>
              <td>{formatNumber(visitors)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The days on the clock of the browser, today first. */
function daysUntilToday(): string[] {
  return Array.from({ length: countedDays }, (_, index) => {
    const day = new Date();
    day.setDate(day.getDate() - index);
    return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' }).format(day);
  });
}

function VisitorList({ siteId }: { readonly siteId: string }) {
  const featureText = useFeatureText(texts);
  const { formatNumber } = useIntl();
  const names = useNames();
  const { api } = useWorkspace();
  const visitors = useInfiniteQuery({
    queryKey: ['v1', 'visitors', 'list', siteId],
    queryFn: ({ pageParam, signal }) =>
      api.read('listVisitors', {
        query: { siteId, limit: 25, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        signal,
      }),
    ...byCursor,
  });
  if (visitors.isPending) return <Loading />;
  const shown = visitors.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {shown.length > 0 && <h3 className={shared.title}>{featureText('visitors')}</h3>}
      <FailureNotice error={visitors.error} />
      {shown.length > 0 && (
        <Box component="ul" className={shared.list} fz={13}>
          {shown.map(({ visitorId, browser, deviceType, visits, lastSeenAt }) => (
            <li key={visitorId}>
              <Link to="." search={{ site: siteId, id: visitorId }} className={page.visitor}>
                <span>
                  {[browser, deviceType === null ? null : names.value(deviceType)]
                    .filter((part) => part !== null)
                    .join(' · ') || visitorId}
                </span>
                <span className={shared.small}>
                  {featureText('visitCount', { count: visits, shown: formatNumber(visits) })}
                </span>
                <span className={shared.small}>
                  <Moment value={lastSeenAt} />
                </span>
              </Link>
            </li>
          ))}
        </Box>
      )}
      <div>
        <MoreButton list={visitors} label={featureText('more')} size="xs" />
      </div>
    </>
  );
}
