/** Recent changes: a line for each piece of work, or for each of its records if they are few. */
import { Anchor, Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Activity } from '@trellis/client/generated/types.ts';
import { useIntl } from 'react-intl';
import { useGivenName } from '../../fields/Person.tsx';
import { collectionPath, recordPathOf } from '../../resources/places.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import shared from '../../ui/shared.module.css';
import { kindOf, nameKind } from '../events/event-names.ts';
import { organizationPath, resourceOfEvent, subjectAt } from '../events/subject.tsx';
import styles from './HomePage.module.css';
import { HomeSection } from './HomeSection.tsx';
import { findSentence, isLeftOut } from './sentences.ts';
import { texts } from './texts.ts';

type Work = Activity['items'][number];
type Changed = Work['newest'][number];

/** A line of the list: some records of a piece of work. */
interface Line {
  readonly key: string;
  readonly work: Work;
  /** Null: all records of the work. */
  readonly record: Changed | null;
  readonly changedAt: string;
}

/** Pieces of work that are read, some of which are left out, and lines that are shown of them. */
const worksRead = 30;
const linesShown = 14;
/** Records of a piece of work that have a line each; more are one line. */
const mostLines = 3;
/** The page is left open: it follows what happens. */
const refreshMs = 30_000;

export function RecentChanges() {
  const featureText = useFeatureText(texts);
  const { api } = useWorkspace();
  const activity = useQuery({
    queryKey: ['v1', 'events', 'activity'],
    queryFn: ({ signal }) => api.read('getActivity', { query: { limit: worksRead }, signal }),
    refetchInterval: refreshMs,
  });
  const lines = toLines(activity.data?.items ?? []).slice(0, linesShown);
  return (
    <HomeSection
      title={featureText('changes')}
      error={activity.error}
      aside={
        <Anchor component={Link} to="/events" size="sm">
          {featureText('allChanges')}
        </Anchor>
      }
    >
      {activity.isPending && <Box h={48} aria-busy="true" />}
      {activity.isSuccess && lines.length === 0 && <p className={shared.none}>{featureText('noChanges')}</p>}
      <ul className={shared.rows}>
        {lines.map((line) => (
          <WorkEntry key={line.key} line={line} />
        ))}
      </ul>
    </HomeSection>
  );
}

/** The newest line first. Few records have a line each. */
function toLines(works: readonly Work[]): readonly Line[] {
  return works
    .flatMap((work): readonly Line[] => {
      const key = `${work.resource} ${work.user} ${work.startedAt} ${work.actions}`;
      if (work.records > mostLines || work.records > work.newest.length)
        return isShown(work, work.actions) ? [{ key, work, record: null, changedAt: work.changedAt }] : [];
      return work.newest
        .filter(({ actions }) => isShown(work, actions))
        .map((record) => ({ key: `${key} ${record.id}`, work, record, changedAt: record.changedAt }));
    })
    .sort((one, other) => Date.parse(other.changedAt) - Date.parse(one.changedAt));
}

function isShown({ resource }: Work, actions: readonly string[]): boolean {
  return actions.some((action) => !isLeftOut(`${resource}.${action}`));
}

/** Stands for what was changed while the words around it are made. */
const gap = '\u0000';

function WorkEntry({ line: { work, record, changedAt } }: { readonly line: Line }) {
  const names = useNames();
  const featureText = useFeatureText(texts);
  const name = useGivenName(work.user, work.userName);
  const { formatList } = useIntl();
  const resource = resourceOfEvent({ type: `${work.resource}.*` });
  const actions = (record ?? work).actions.filter((action) => !isLeftOut(`${work.resource}.${action}`));
  // A type of a later release has no sentence here: something changed.
  const { id, verbs } = findSentence({
    resource: work.resource,
    actions,
    isNamed: record !== null && (record.title !== null || work.resource === 'organization'),
    isOwn: work.user === null || work.user === record?.id,
  }) ?? { id: 'did', verbs: ['updated'] };
  const done = formatList(verbs.map((verb) => featureText(verb)));
  const count = record === null ? work.records : 1;
  const [before, after] = featureText(id, { name, done, what: gap, count }).split(gap);
  return (
    <li className={styles.entry} data-icon>
      <span className={`${shared.icon} ${styles.icon}`}>
        <Icon name={(resource === null ? undefined : presentationOf(resource).icon) ?? 'list'} size={15} />
      </span>
      <span className={styles.sentence}>
        {before}
        {after !== undefined &&
          (record === null ? <AllRecords work={work} /> : <OneRecord work={work} record={record} />)}
        {after}
      </span>
      <span className={shared.small}>
        {record !== null && `${nameKind(`${work.resource}.*`, names)} · `}
        <Moment value={changedAt} />
      </span>
    </li>
  );
}

/** The number of records, with the way to their list. */
function AllRecords({ work }: { readonly work: Work }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { formatNumber } = useIntl();
  const resource = resourceOfEvent({ type: `${work.resource}.*` });
  const kind = names.nouns(kindOf(work.resource));
  const words = featureText('manyRecords', { count: formatNumber(work.records), kind });
  if (resource === null)
    return <span className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}>{words}</span>;
  const parentId = subjectAt(work.newest[0]?.url ?? null)?.parentId ?? null;
  return (
    <Link
      to={collectionPath(resource, parentId)}
      className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}
    >
      {words}
    </Link>
  );
}

/** The title of a record with a link to it; its kind where it is deleted or cannot be read. */
function OneRecord({ work, record }: { readonly work: Work; readonly record: Changed }) {
  const { organization } = useWorkspace();
  const featureText = useFeatureText(texts);
  const names = useNames();
  if (work.resource === 'organization') {
    return (
      <Link to={organizationPath} className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}>
        {organization.name}
      </Link>
    );
  }
  const subject = subjectAt(record.url);
  if (subject === null || record.title === null) {
    return (
      <span className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}>
        {featureText('oneRecord', { kind: names.noun(kindOf(work.resource)) })}
      </span>
    );
  }
  return (
    <Link
      to={recordPathOf(subject.resource, subject.parentId, subject.id)}
      className={`${shared.name} ${shared.cut} ${shared.cover} ${styles.link}`}
    >
      {record.title.trim() === '' ? featureText('untitled') : record.title}
    </Link>
  );
}
