/** What changed lately and by whom, from the log of events. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useIntl } from 'react-intl';
import { useWorkspace } from '../app/workspace.ts';
import { logEnd, readNewest } from '../events/log.ts';
import { resourceOfEvent, SubjectLink, subjectOf, useKindName } from '../events/subject.tsx';
import { particularOf } from '../particular/registry.ts';
import { Icon } from '../parts/icons.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Person } from '../people/Person.tsx';
import { collectionPath } from '../records/places.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { groupEvents, type Work } from './group-events.ts';
import styles from './HomePage.module.css';
import { HomeSection } from './HomeSection.tsx';
import { texts } from './texts.ts';

/** Events that are read, and lines that are shown of them. */
const eventsRead = 120;
const linesShown = 14;
/** The page is left open: it follows what happens. */
const refreshMs = 30_000;

export function RecentChanges() {
  const own = useFeatureText(texts);
  const { api } = useWorkspace();
  const log = useQuery({
    queryKey: ['v1', 'events', 'newest'],
    queryFn: ({ signal }) => readNewest(api, {}, logEnd, eventsRead, signal),
    refetchInterval: refreshMs,
  });
  const works =
    log.data === undefined
      ? []
      : groupEvents(log.data.events.filter(({ type }) => !omitted.test(type))).slice(0, linesShown);
  return (
    <HomeSection
      title={own('changes')}
      error={log.error}
      aside={
        <Anchor component={Link} to="/events" size="sm">
          {own('allChanges')}
        </Anchor>
      }
    >
      {log.isPending && <div className={styles.waiting} aria-busy="true" />}
      {log.isSuccess && works.length === 0 && <p className={styles.none}>{own('noChanges')}</p>}
      <ul className={styles.list}>
        {works.map((work) => (
          <WorkEntry key={work.event.id} work={work} />
        ))}
      </ul>
    </HomeSection>
  );
}

/** What people do with their accounts, and steps that follow by themselves, stand in the whole log only. */
const omitted = /^session\.|^member\.(link_redeemed|factor_|password_)|\.ready$/;

/** What was created was usually changed soon after, too. */
function withoutObvious(actions: readonly string[]): readonly string[] {
  return actions.includes('created') ? actions.filter((action) => action !== 'updated') : actions;
}

function WorkEntry({ work: { event, actions, subjects } }: { readonly work: Work }) {
  const names = useNames();
  const kindOf = useKindName();
  const own = useFeatureText(texts);
  const { formatList } = useIntl();
  const resource = resourceOfEvent(event);
  const done = formatList(
    withoutObvious(actions.toReversed()).map((action) => names.value(action.toUpperCase())),
  );
  return (
    <li className={styles.entry} data-icon>
      <span className={styles.icon}>
        <Icon name={(resource === null ? undefined : particularOf(resource.name).icon) ?? 'list'} size={15} />
      </span>
      {subjects.length > 1 && resource !== null ? (
        <Link to={collectionPath(resource, subjectOf(event)?.parentId ?? null)} className={styles.link}>
          {own('manyRecords', { count: subjects.length, kind: names.plural(resource) })}
        </Link>
      ) : (
        <SubjectLink event={event} className={styles.link} />
      )}
      <span className={styles.detail}>
        {subjects.length === 1 && `${kindOf(event)} · `}
        {done} · <Person id={event.data.actor.user} /> · <Moment value={event.time} />
      </span>
    </li>
  );
}
