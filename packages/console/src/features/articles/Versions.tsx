/** The versions of an article: what each changed, side by side, and making one of them the draft again. */

import { SegmentedControl, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ArticleVersion } from '@trellis/client/generated/types.ts';
import { frozenStatuses } from '@trellis/schema/resources/article-transitions.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useState } from 'react';
import { byCursor } from '../../api/pages.ts';
import { Person } from '../../fields/Person.tsx';
import { ReadField, ReadFields, ReadValue } from '../../fields/ReadValue.tsx';
import { withoutNull } from '../../fields/value-schema.ts';
import { recordPathOf } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { statusOfArticle } from './moves.ts';
import { RestoreDialog } from './RestoreDialog.tsx';
import { SentBack } from './SentBack.tsx';
import { texts } from './texts.ts';
import { unsavedReason } from './unsaved-reason.ts';
import type { ArticleEditing } from './use-article.ts';
import { useRestore } from './use-restore.ts';
import styles from './Versions.module.css';
import { PlainText, TextDifference } from './VersionText.tsx';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly article: ArticleEditing;
  readonly close: () => void;
}

export function Versions({ resource, parentId, article, close }: Props) {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const refused = useRefusal()(resource, 'update');
  const { record } = article;
  const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
  const { isWaiting, failure, restore } = useRestore(path, article, resource);
  const [confirming, setConfirming] = useState<number | null>(null);
  const [view, setView] = useState<'changes' | 'text'>('changes');
  const [chosen, setChosen] = useState<number | null>(null);
  const [other, setOther] = useState<number | null>(null);
  const pages = useInfiniteQuery({
    queryKey: [...recordKeys.record(resource, record.id), 'versions', record.version],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.read('listArticleVersions', {
        path: { siteId: parentId ?? '', id: record.id },
        query: { limit: 20, cursor },
        signal,
      }),
    ...byCursor,
  });
  const versions = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const to = versions.find(({ versionNumber }) => versionNumber === chosen) ?? versions[0];
  const preceding = versions.find(
    ({ versionNumber }) => to !== undefined && versionNumber < to.versionNumber,
  );
  // Nothing precedes the first version, so the comparison is with the newest.
  const from =
    versions.find(({ versionNumber }) => versionNumber === other && other !== to?.versionNumber) ??
    preceding ??
    versions.find((version) => version !== to);
  const unsaved = unsavedReason(article);
  const run = (number: number) => {
    setConfirming(null);
    void restore(number).then((isDone) => {
      if (isDone) close();
    });
  };
  // Only a draft that somebody has written is asked about; a version that readers have seen stays in any case.
  const hasDraft = article.isTyped || !frozenStatuses.includes(statusOfArticle(record));
  return (
    <Dialog
      onClose={close}
      closeOnEscape={confirming === null}
      trapFocus={confirming === null}
      fullScreen
      radius={0}
      title={featureText('versions')}
      classNames={{ body: styles.body ?? '', content: styles.modal ?? '' }}
    >
      <nav className={`${shared.stack} ${styles.list}`} aria-label={featureText('versions')}>
        <FailureNotice error={pages.error} />
        {pages.isPending && <Loading />}
        {versions.map((version, index) => (
          <VersionButton
            key={version.versionNumber}
            version={version}
            returned={returnOf(version, versions[index - 1])}
            isChosen={version === to}
            choose={() => setChosen(version.versionNumber)}
          />
        ))}
        <MoreButton list={pages} label={featureText('moreVersions')} size="xs" />
      </nav>
      {to !== undefined && (
        <section className={styles.compare} aria-label={featureText('version', { number: to.versionNumber })}>
          <header className={shared.spread}>
            <Select
              w={180}
              label={featureText('compareWith')}
              size="xs"
              data={versions
                .filter((version) => version !== to)
                .map(({ versionNumber }) => ({
                  value: String(versionNumber),
                  label: featureText('version', { number: versionNumber }),
                }))}
              value={from === undefined ? null : String(from.versionNumber)}
              onChange={(value) => setOther(value === null ? null : Number(value))}
              disabled={versions.length < 2}
              allowDeselect={false}
            />
            {to !== versions[0] && (
              <div className={styles.restore}>
                <GuardedButton
                  refusal={refused ?? (unsaved === null ? null : featureText(unsaved))}
                  size="xs"
                  loading={isWaiting}
                  onClick={() => (hasDraft ? setConfirming(to.versionNumber) : run(to.versionNumber))}
                >
                  {featureText('restore', { number: to.versionNumber })}
                </GuardedButton>
                <p className={styles.quiet}>{featureText('restoreAbout')}</p>
              </div>
            )}
          </header>
          {failure !== null && (
            <Notice kind="failure" title={featureText('moveFailed')}>
              {failure}
            </Notice>
          )}
          {versions.length === 1 && <p className={styles.quiet}>{featureText('onlyVersion')}</p>}
          {from !== undefined && (
            <SegmentedControl
              style={{ alignSelf: 'flex-start' }}
              size="xs"
              aria-label={featureText('view')}
              value={view}
              onChange={(next) => setView(next as typeof view)}
              data={[
                { value: 'changes', label: featureText('changes') },
                { value: 'text', label: featureText('text') },
              ]}
            />
          )}
          {from === undefined || view === 'text' ? (
            <VersionContent resource={resource} parentId={parentId} version={to} />
          ) : (
            <>
              <h3 className={shared.title}>
                {featureText('compare', { from: from.versionNumber, to: to.versionNumber })}
              </h3>
              <FieldDifferences
                article={{ siteId: parentId ?? '', id: record.id }}
                from={from.versionNumber}
                to={to.versionNumber}
                resource={resource}
              />
              <TextDifference
                before={textOf(from)}
                after={textOf(to)}
                label={names.field('versionData.body')}
              />
            </>
          )}
        </section>
      )}
      {confirming !== null && (
        <RestoreDialog
          number={confirming}
          record={record}
          cancel={() => setConfirming(null)}
          restore={() => run(confirming)}
        />
      )}
    </Dialog>
  );
}

/** What has the note about a version that was sent back: the draft that follows it, which has its text. */
function returnOf(version: ArticleVersion, following: ArticleVersion | undefined): ArticleVersion | null {
  const isSentBack = ({ versionData }: ArticleVersion) => typeof versionData.returnedAt === 'string';
  const isSubmitted = typeof version.versionData.submittedAt === 'string';
  return isSubmitted && following !== undefined && isSentBack(following) ? following : null;
}

interface ButtonProps {
  readonly version: ArticleVersion;
  /** What says who sent it back, and why; null if nobody has. */
  readonly returned: ArticleVersion | null;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function VersionButton({ version, returned, isChosen, choose }: ButtonProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { versionNumber, versionData, updatedAt, updatedBy } = version;
  const { submittedAt } = versionData;
  const returnNote = returned?.versionData.returnNote;
  // Of a round that is over, that it was submitted says more than that it is archived.
  const isRound = typeof submittedAt === 'string' && versionData.status === 'ARCHIVED';
  const at = isRound ? submittedAt : updatedAt;
  const by = isRound && typeof versionData.submittedBy === 'string' ? versionData.submittedBy : updatedBy;
  return (
    <button
      type="button"
      className={`${shared.plain} ${styles.version}`}
      aria-pressed={isChosen}
      onClick={choose}
    >
      <span className={shared.subtitle}>{featureText('version', { number: versionNumber })}</span>
      <span className={styles.state}>
        {isRound ? featureText('submitted') : names.value(String(versionData.status))}
      </span>
      <span className={styles.quiet}>
        <Moment value={at} />
        {by !== null && (
          <>
            {' · '}
            <Person id={by} />
          </>
        )}
      </span>
      {returned !== null && (
        <span className={styles.note}>
          <SentBack by={returned.versionData.returnedBy} />
          {typeof returnNote === 'string' && ` ${featureText('quoted', { text: returnNote })}`}
        </span>
      )}
      {typeof versionData.changeNote === 'string' && (
        <span className={styles.note}>{versionData.changeNote}</span>
      )}
    </button>
  );
}

interface ContentProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly version: ArticleVersion;
}

/** Fields of a version that are shown by themselves. */
const shownFirst = ['title', 'summary', 'body'];

/** A whole version, to be read. */
function VersionContent({ resource, parentId, version }: ContentProps) {
  const names = useNames();
  const { title, summary } = version.versionData;
  const others = flattenFields(resource).filter(
    ([name, { readOnly }]) =>
      name.startsWith('versionData.') && !readOnly && !shownFirst.includes(name.slice('versionData.'.length)),
  );
  return (
    <>
      <h3 className={shared.heading}>{String(title ?? '')}</h3>
      {typeof summary === 'string' && <p className={styles.quiet}>{summary}</p>}
      <PlainText text={textOf(version)} label={names.field('versionData.body')} />
      <ReadFields>
        {others.map(([name]) => (
          <ReadField
            key={name}
            label={names.field(name)}
            value={valueAt(version, name)}
            parentId={parentId}
            {...findSchema(resource, name)}
          />
        ))}
      </ReadFields>
    </>
  );
}

/** How a field is read, by its dotted name; one that is not declared is read as it is. */
function findSchema(resource: Resource, name: string) {
  const field = flattenFields(resource).find(([known]) => known === name)?.[1];
  return { schema: withoutNull(field?.schema ?? {}).schema, target: field?.reference?.resource };
}

interface FieldsProps {
  readonly article: { readonly siteId: string; readonly id: string };
  readonly from: number;
  readonly to: number;
  readonly resource: Resource;
}

/** Fields that every version has another value of, and those that its place in the list says. */
const trivial = [
  'versionNumber',
  'publishedAt',
  'wordCount',
  'status',
  'submittedAt',
  'submittedBy',
  'returnedAt',
  'returnedBy',
  'returnNote',
];

function FieldDifferences({ article, from, to, resource }: FieldsProps) {
  const { api } = useWorkspace();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const difference = useQuery({
    queryKey: [...recordKeys.all(resource), 'difference', article.id, from, to],
    queryFn: ({ signal }) =>
      api.read('compareArticleVersions', {
        path: { ...article, number: to },
        query: { against: from },
        signal,
      }),
  });
  const fields =
    difference.data?.fields.filter(({ field }) => !trivial.some((name) => field.endsWith(name))) ?? [];
  const show = (name: string, value: unknown) => {
    if (value === null || value === undefined || value === '') return featureText('empty');
    const { schema, target } = findSchema(resource, name);
    return <ReadValue schema={schema} value={value} target={target} parentId={article.siteId} />;
  };
  return (
    <>
      <FailureNotice error={difference.error} />
      {fields.length > 0 && (
        <dl className={`${shared.stack} ${styles.fields}`}>
          {fields.map(({ field, before, after }) => (
            <div key={field} className={styles.field}>
              <dt>{names.field(field)}</dt>
              <dd className={styles.before}>
                <del>{show(field, before)}</del>
              </dd>
              <dd className={styles.after}>
                <ins>{show(field, after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function textOf({ versionData }: ArticleVersion): string {
  return typeof versionData.body === 'string' ? versionData.body : '';
}
