/** The calendar of a site: what is planned, what will be published when, and what was. */
import '../../../ui/input-styles.ts';
import { Anchor, Box } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { articles } from '@trellis/schema/resources/articles.ts';
import { sites } from '@trellis/schema/resources/sites.ts';
import type { ApiRecord } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem.ts';
import { RecordSelect } from '../../../fields/RecordSelect.tsx';
import { noteRecord } from '../../../pending/cache.ts';
import { useListRefusal } from '../../../resources/list-refusal.ts';
import { collectionPath, noteParent, readLastParent } from '../../../resources/places.ts';
import { listRecords, readRecord, recordKeys } from '../../../resources/queries.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useNames } from '../../../text/names.ts';
import { useText } from '../../../text/text.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { FailureNotice } from '../../../ui/Notice.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import shared from '../../../ui/shared.module.css';
import { Month } from './Month.tsx';

export function CalendarPage() {
  const text = useText();
  const names = useNames();
  const navigate = useNavigate();
  const refusal = useListRefusal();
  const refused = refusal(articles);
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
      <Box className={shared.page} maw="none">
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
      </Box>
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
