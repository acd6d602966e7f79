/** The versions of an article: what each changed, side by side, and making one of them the draft again. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { Button, Modal, SegmentedControl, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef, useState } from 'react';
import type { Page } from '../api/api.ts';
import { useWorkspace } from '../app/workspace.ts';
import { readNonce } from '../parts/csp-nonce.ts';
import { Loading } from '../parts/Loading.tsx';
import { Moment } from '../parts/Moment.tsx';
import { FailureNotice, Notice } from '../parts/Notice.tsx';
import { RefusableButton } from '../parts/Refusable.tsx';
import { resourceByName } from '../records/declared.ts';
import { recordPathOf } from '../records/places.ts';
import { recordKeys } from '../records/queries.ts';
import { ReferenceName } from '../records/ReferenceName.tsx';
import { titleOf } from '../records/values.ts';
import { useRefusal } from '../rights/missing-right.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { editorLook } from './editor-theme.ts';
import { texts } from './texts.ts';
import type { ArticleEditing } from './use-article.ts';
import { useUnanswered } from './use-unanswered.ts';
import styles from './Versions.module.css';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly article: ArticleEditing;
  readonly close: () => void;
}

interface Version {
  readonly versionNumber: number;
  readonly versionData: Readonly<Record<string, unknown>>;
  readonly updatedAt: string;
  readonly updatedBy: string | null;
}

export function Versions({ resource, parentId, article, close }: Props) {
  const { api } = useWorkspace();
  const own = useFeatureText(texts);
  const names = useNames();
  const refused = useRefusal()(resource, 'update');
  const { record, sync } = article;
  const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
  const { isWaiting, failure, run } = useUnanswered();
  const [chosen, setChosen] = useState<number | null>(null);
  const [other, setOther] = useState<number | null>(null);
  const pages = useInfiniteQuery({
    queryKey: [...recordKeys.record(resource, record.id), 'versions', record.version],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: '20',
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
      return api.get<Page<Version>>(`${path}/versions?${query}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => pageInfo.nextCursor,
  });
  const versions = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const to = versions.find(({ versionNumber }) => versionNumber === chosen) ?? versions[0];
  const preceding = versions.find(
    ({ versionNumber }) => to !== undefined && versionNumber < to.versionNumber,
  );
  const from =
    versions.find(({ versionNumber }) => versionNumber === other && other !== to?.versionNumber) ?? preceding;
  const restore = (number: number) =>
    void run(() =>
      sync.send(
        { method: 'POST', path: `${path}/versions/${number}/restore`, body: null },
        titleOf(resource, record),
      ),
    ).then((isDone) => {
      if (isDone) close();
    });
  return (
    <Modal
      opened
      onClose={close}
      fullScreen
      radius={0}
      title={own('versions')}
      closeButtonProps={{ 'aria-label': own('close') }}
      classNames={{ body: styles.body ?? '', content: styles.modal ?? '' }}
    >
      <nav className={styles.list} aria-label={own('versions')}>
        <FailureNotice error={pages.error} />
        {pages.isPending && <Loading />}
        {versions.map((version) => (
          <VersionButton
            key={version.versionNumber}
            version={version}
            isChosen={version === to}
            choose={() => setChosen(version.versionNumber)}
          />
        ))}
        {pages.hasNextPage && (
          <Button
            variant="default"
            size="xs"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {own('moreVersions')}
          </Button>
        )}
      </nav>
      {to !== undefined && (
        <section className={styles.compare} aria-label={own('version', { number: to.versionNumber })}>
          <header className={styles.head}>
            <Select
              className={styles.other ?? ''}
              label={own('compareWith')}
              size="xs"
              data={versions
                .filter((version) => version !== to)
                .map(({ versionNumber }) => ({
                  value: String(versionNumber),
                  label: own('version', { number: versionNumber }),
                }))}
              value={from === undefined ? null : String(from.versionNumber)}
              onChange={(value) => setOther(value === null ? null : Number(value))}
              disabled={versions.length < 2}
              allowDeselect={false}
            />
            {to !== versions[0] && (
              <div className={styles.restore}>
                <RefusableButton
                  refusal={refused}
                  size="xs"
                  loading={isWaiting}
                  onClick={() => restore(to.versionNumber)}
                >
                  {own('restore', { number: to.versionNumber })}
                </RefusableButton>
                <p className={styles.quiet}>{own('restoreAbout')}</p>
              </div>
            )}
          </header>
          {failure !== null && (
            <Notice kind="failure" title={own('moveFailed')}>
              {failure}
            </Notice>
          )}
          {from === undefined ? (
            <p className={styles.quiet}>{own('onlyVersion')}</p>
          ) : (
            <>
              <h3 className={styles.title}>
                {own('compare', { from: from.versionNumber, to: to.versionNumber })}
              </h3>
              <FieldDifferences
                path={path}
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
    </Modal>
  );
}

interface ButtonProps {
  readonly version: Version;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function VersionButton({ version, isChosen, choose }: ButtonProps) {
  const own = useFeatureText(texts);
  const names = useNames();
  const { versionNumber, versionData, updatedAt, updatedBy } = version;
  return (
    <button type="button" className={styles.version} aria-pressed={isChosen} onClick={choose}>
      <span className={styles.number}>{own('version', { number: versionNumber })}</span>
      <span className={styles.state}>{names.value(String(versionData.status))}</span>
      <span className={styles.quiet}>
        <Moment value={updatedAt} />
        {updatedBy !== null && (
          <>
            {' · '}
            <ReferenceName resource={resourceByName('members')} parentId={null} id={updatedBy} />
          </>
        )}
      </span>
      {typeof versionData.changeNote === 'string' && (
        <span className={styles.note}>{versionData.changeNote}</span>
      )}
    </button>
  );
}

interface Difference {
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}

interface FieldsProps {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly resource: Resource;
}

/** Fields that every version has another value of. */
const trivial = ['versionNumber', 'publishedAt', 'wordCount', 'status'];

function FieldDifferences({ path, from, to, resource }: FieldsProps) {
  const { api } = useWorkspace();
  const names = useNames();
  const own = useFeatureText(texts);
  const difference = useQuery({
    queryKey: [...recordKeys.all(resource), 'difference', path, from, to],
    queryFn: ({ signal }) => api.get<Difference>(`${path}/versions/${to}/diff?against=${from}`, signal),
  });
  const fields =
    difference.data?.fields.filter(({ field }) => !trivial.some((name) => field.endsWith(name))) ?? [];
  const show = (value: unknown) =>
    value === null || value === undefined || value === ''
      ? own('empty')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return (
    <>
      <FailureNotice error={difference.error} />
      {fields.length > 0 && (
        <dl className={styles.fields}>
          {fields.map(({ field, before, after }) => (
            <div key={field} className={styles.field}>
              <dt>{names.field(field)}</dt>
              <dd className={styles.before}>
                <del>{show(before)}</del>
              </dd>
              <dd className={styles.after}>
                <ins>{show(after)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

interface TextProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

function TextDifference({ before, after, label }: TextProps) {
  const own = useFeatureText(texts);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const [isUnified, setIsUnified] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const inOneColumn = isUnified || isNarrow;
  const isSame = before === after;
  const onlyLineEnds = !isSame && before.replaceAll(/\r\n?/g, '\n') === after.replaceAll(/\r\n?/g, '\n');
  const unchanged = own('unchangedLines');
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const extensions = [
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.lineWrapping,
      EditorView.cspNonce.of(readNonce()),
      EditorState.phrases.of({ '$ unchanged lines': unchanged }),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      editorLook,
    ];
    const collapseUnchanged = { margin: 3, minSize: 6 };
    if (inOneColumn) {
      const unified = unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged });
      const view = new EditorView({ parent, doc: after, extensions: [extensions, unified] });
      return () => view.destroy();
    }
    const view = new MergeView({
      parent,
      a: { doc: before, extensions },
      b: { doc: after, extensions },
      collapseUnchanged,
    });
    return () => view.destroy();
  }, [before, after, label, inOneColumn, unchanged]);
  if (isSame) return <p className={styles.quiet}>{own('sameText')}</p>;
  return (
    <>
      {onlyLineEnds && <p className={styles.quiet}>{own('onlyLineEnds')}</p>}
      {!isNarrow && (
        <SegmentedControl
          className={styles.mode ?? ''}
          size="xs"
          aria-label={own('view')}
          value={isUnified ? 'unified' : 'split'}
          onChange={(mode) => setIsUnified(mode === 'unified')}
          data={[
            { value: 'split', label: own('sideBySide') },
            { value: 'unified', label: own('unified') },
          ]}
        />
      )}
      <div ref={place} className={styles.text} />
    </>
  );
}

function textOf({ versionData }: Version): string {
  return typeof versionData.body === 'string' ? versionData.body : '';
}
