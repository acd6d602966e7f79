/** The editor of an article: title and text like a document, its other fields beside it, and the save status in the header. */

import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { faultsAt, withValue } from '../../fields/draft.ts';
import { LastChange } from '../../live/LastChange.tsx';
import { useLiveRecord } from '../../live/use-live-record.ts';
import { ConflictChoices, ConflictDialog } from '../../pending/ConflictDialog.tsx';
import { toProblem } from '../../pending/problem.ts';
import { LeaveDialog } from '../../records/LeaveDialog.tsx';
import { titleOf } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Loading } from '../../ui/Loading.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { faultsOf, translateFaults } from '../../ui/problem-text.ts';
import shared from '../../ui/shared.module.css';
import { useSaveKey } from '../../ui/use-save-key.ts';
import { AlternativeTextDialog } from './AlternativeTextDialog.tsx';
import { ArticleActions } from './ArticleActions.tsx';
import styles from './ArticleEditor.module.css';
import { ArticleNotices } from './ArticleNotices.tsx';
import { BodyEditor, type EditorHandle } from './BodyEditor.tsx';
import { EditorTools } from './EditorTools.tsx';
import { useMissingPictures } from './missing-pictures.ts';
import { SaveStatus } from './SaveStatus.tsx';
import { SidePanel } from './SidePanel.tsx';
import { StatusMenu } from './StatusMenu.tsx';
import { TextFacts } from './TextFacts.tsx';
import { texts } from './texts.ts';
import { type ArticleEditing, type Opened, useArticle } from './use-article.ts';
import { useLock } from './use-lock.ts';
import { useTextSource } from './use-text-source.ts';
import { useUploads } from './use-uploads.tsx';

const Preview = lazy(() => import('./preview/Preview.tsx').then((module) => ({ default: module.Preview })));
const PictureChooser = lazy(() =>
  import('../knowledge/pictures/PictureChooser.tsx').then((module) => ({ default: module.PictureChooser })),
);
const Versions = lazy(() => import('./Versions.tsx').then((module) => ({ default: module.Versions })));

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly opened: Opened;
  readonly up: { readonly label: string; readonly href: string };
}

/** What a narrow screen shows, of which there is room for one. */
type Part = 'text' | 'preview' | 'details';

export function ArticleEditor({ resource, parentId, opened, up }: Props) {
  const { api } = useWorkspace();
  const featureText = useFeatureText(texts);
  const names = useNames();
  const article = useArticle(resource, parentId, opened);
  const { record, draft, edited, noteEdit, save, state, sync, question } = article;
  const last = useLiveRecord(resource, parentId, record.id, () => sync.refresh());
  const lock = useLock(resource, record);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  // The header of a small screen has room for the next transition, but not also for the title, which is below it, and "Versions".
  const isSmall = useMediaQuery('(max-width: 560px)', false, { getInitialValueInEffect: false });
  const [part, setPart] = useState<Part>('text');
  const [hasPreview, setHasPreview] = useState(false);
  const [hasDetails, setHasDetails] = useState(true);
  const [isFull, setIsFull] = useState(false);
  const [hasVersions, setHasVersions] = useState(false);
  const [hasLibrary, setHasLibrary] = useState(false);
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const fieldText = (name: string): string => {
    const value = Object.hasOwn(draft, name) ? draft[name] : valueAt(record, name);
    return typeof value === 'string' ? value : '';
  };
  const format = fieldText('versionData.bodyFormat');
  const source = useTextSource(edited);
  const missingPictures = useMissingPictures(source);
  const uploads = useUploads(editor, format);
  const guard = useGuard(article, uploads.isUploading);
  const titleInput = useRef<HTMLTextAreaElement>(null);
  useSaveKey(() => void (state.kind === 'conflict' ? sync.decide().catch(() => undefined) : save()));
  const attach = useCallback(
    (handle: EditorHandle | null) => {
      edited.attach(handle);
      setEditor(handle);
    },
    [edited],
  );
  // Beside text and preview there is seldom room for the details.
  const showPreview = (isShown: boolean) => {
    setHasPreview(isShown);
    setHasDetails(!isShown);
  };
  const setText = (name: string, value: string, empty: string | null) =>
    article.setDraft(withValue(draft, name, value === '' ? empty : value, valueAt(record, name)));
  const refusedFaults = state.kind === 'refused' ? faultsOf(toProblem(state.refusal), names) : [];
  const faults = article.ownFaults.length > 0 ? translateFaults(article.ownFaults, names) : refusedFaults;
  const title = fieldText('versionData.title');
  const shows = {
    text: !isNarrow || part === 'text',
    preview: isNarrow ? part === 'preview' : hasPreview,
    details: isNarrow ? part === 'details' : hasDetails && !isFull,
  };
  const showVersions = () => {
    // The list shows unsaved edits as well.
    void save();
    setHasVersions(true);
  };
  const tools = (
    <EditorTools
      editor={editor}
      isReadOnly={lock !== null}
      isMarkdown={format === 'MARKDOWN'}
      isCompact={isNarrow}
      upload={uploads.choose}
      uploadRefusal={uploads.refusal}
      openLibrary={() => setHasLibrary(true)}
      hasPreview={hasPreview}
      setHasPreview={isNarrow ? null : showPreview}
      hasDetails={hasDetails}
      setHasDetails={isNarrow || isFull ? null : setHasDetails}
      isFull={isFull}
      setIsFull={setIsFull}
    />
  );
  return (
    <>
      <PageHead
        isTitleBelow={isSmall}
        title={
          title.trim() === ''
            ? featureText('untitled')
            : titleOf(resource, { ...record, versionData: { title } })
        }
        up={up}
        aside={
          !isNarrow && (
            <>
              <SaveStatus resource={resource} article={article} />
              {last !== null && <LastChange key={last.at} change={last} />}
            </>
          )
        }
        actions={
          <>
            <ArticleActions
              resource={resource}
              parentId={parentId}
              article={article}
              showVersions={isSmall ? showVersions : null}
            />
            {!isSmall && (
              <Button variant="default" onClick={showVersions}>
                {featureText('versions')}
              </Button>
            )}
            <StatusMenu resource={resource} parentId={parentId} article={article} />
          </>
        }
      />
      {uploads.undescribed.length > 0 && (
        <AlternativeTextDialog images={uploads.undescribed} describe={uploads.describe} />
      )}
      {hasLibrary && (
        <Suspense>
          <PictureChooser
            choose={(picture) => {
              setHasLibrary(false);
              uploads.insert(picture);
            }}
            close={() => setHasLibrary(false)}
          />
        </Suspense>
      )}
      {isNarrow && (
        <>
          <div className={`${shared.spread} ${styles.narrowTools}`}>
            <SegmentedControl
              size="xs"
              aria-label={featureText('view')}
              value={part}
              onChange={(next) => setPart(next as Part)}
              data={[
                { value: 'text', label: featureText('text') },
                { value: 'preview', label: featureText('preview') },
                { value: 'details', label: featureText('details') },
              ]}
            />
            {shows.text && !isFull && tools}
          </div>
          <div className={`${shared.group} ${styles.saving}`}>
            <SaveStatus resource={resource} article={article} />
            {last !== null && <LastChange key={last.at} change={last} />}
          </div>
        </>
      )}
      <div
        className={styles.layout}
        data-full={isFull || undefined}
        data-preview={(shows.preview && !isNarrow) || undefined}
        data-details={(shows.details && !isNarrow) || undefined}
      >
        <div className={styles.writing} hidden={!shows.text}>
          {(!isNarrow || isFull) && tools}
          <div className={styles.document}>
            <ArticleNotices
              resource={resource}
              article={article}
              lock={lock}
              uploads={uploads.failures}
              missingPictures={missingPictures.length}
            />
            <Textarea
              ref={titleInput}
              variant="unstyled"
              autosize
              minRows={1}
              classNames={{ input: styles.title ?? '' }}
              aria-label={names.field('versionData.title')}
              placeholder={featureText('titlePlaceholder')}
              value={title}
              readOnly={lock !== null}
              error={faultsAt(faults, '/versionData/title') ?? undefined}
              onChange={(event) =>
                setText('versionData.title', event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' '), '')
              }
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                editor?.view.focus();
              }}
            />
            <Textarea
              variant="unstyled"
              autosize
              minRows={1}
              classNames={{ input: styles.summary ?? '' }}
              aria-label={names.field('versionData.summary')}
              placeholder={lock === null ? featureText('summaryPlaceholder') : ''}
              value={fieldText('versionData.summary')}
              readOnly={lock !== null}
              error={faultsAt(faults, '/versionData/summary') ?? undefined}
              onChange={(event) => setText('versionData.summary', event.currentTarget.value, null)}
            />
            <BodyEditor
              initialText={edited.readText()}
              label={names.field('versionData.body')}
              locale={fieldText('versionData.locale')}
              isReadOnly={lock !== null}
              missingPictures={missingPictures}
              isMarkdown={format === 'MARKDOWN'}
              attach={attach}
              onEdit={noteEdit}
              onChange={source.note}
              onFiles={uploads.add}
            />
            {faultsAt(faults, '/versionData/body') !== null && (
              <p className={shared.fault}>{faultsAt(faults, '/versionData/body')}</p>
            )}
          </div>
          <TextFacts source={source} format={format === 'HTML' ? 'HTML' : 'MARKDOWN'} />
        </div>
        {shows.preview && (
          <Suspense fallback={<Loading />}>
            <Preview
              source={source}
              api={api}
              title={title}
              format={format}
              locale={fieldText('versionData.locale')}
            />
          </Suspense>
        )}
        {shows.details && (
          <SidePanel
            resource={resource}
            parentId={parentId}
            article={article}
            faults={faults}
            isLocked={lock !== null}
          />
        )}
      </div>
      {hasVersions && (
        <Suspense fallback={null}>
          <Versions
            resource={resource}
            parentId={parentId}
            article={article}
            close={() => setHasVersions(false)}
          />
        </Suspense>
      )}
      {question !== null && (
        <ConflictDialog close={() => question.decide(null)}>
          <ConflictChoices
            resource={resource}
            record={record}
            conflicts={question.conflicts}
            about={featureText('conflictAbout')}
            save={question.decide}
            close={() => question.decide(null)}
          />
        </ConflictDialog>
      )}
      {guard.status === 'blocked' && <LeaveDialog stay={guard.reset} leave={guard.proceed} />}
    </>
  );
}

/** Asks before the page is left with values, or files on their way, that are stored nowhere. What was just typed is stored on the way to another page. */
function useGuard(article: ArticleEditing, isUploading: boolean) {
  const { held, ownFaults, isApprovedTextHeld, isHeldBySchedule, isConflictUnstored, isTyped, state } =
    article;
  const isOnlyHere =
    isUploading ||
    held.length > 0 ||
    ownFaults.length > 0 ||
    isApprovedTextHeld ||
    isHeldBySchedule ||
    state.kind === 'failed' ||
    ((state.kind === 'unsaved' || isConflictUnstored) && !isTyped);
  return useBlocker({
    shouldBlockFn: () => isOnlyHere,
    enableBeforeUnload: () => isOnlyHere || isTyped,
    withResolver: true,
  });
}
