/**
 * The form of a record with its buttons. Saves go through the queue of changes: the page displays them as saved at once, and returns them
 * to the form if the server refuses them.
 */

import { Button } from '@mantine/core';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import type { Fault } from '../api/problem.ts';
import { type Draft, useWriteKey } from '../fields/draft.ts';
import { LastChange } from '../live/LastChange.tsx';
import { useLiveRecord } from '../live/use-live-record.ts';
import { usePendingChanges } from '../outbox/edit/use-changes.ts';
import { isConflict } from '../outbox/store/refusal.ts';
import { problemOf } from '../pending/problem.ts';
import { texts } from '../pending/texts.ts';
import { recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import details from '../ui/details.module.css';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { faultsOf, translateFaults } from '../ui/problem-text.ts';
import shared from '../ui/shared.module.css';
import { closeToast, showToast } from '../ui/toasts/toasts.ts';
import { useIsShown } from '../ui/use-is-shown.ts';
import { useSaveKey } from '../ui/use-save-key.ts';
import { BeforePublication } from './BeforePublication.tsx';
import { ConcurrentEditNotice } from './ConcurrentEditNotice.tsx';
import { describeAsCurl } from './curl.ts';
import { FaultLinks } from './FaultLinks.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { publishedStatus, wayToReaders } from './publishing.ts';
import { RecordActions } from './RecordActions.tsx';
import { RecordForm } from './RecordForm.tsx';
import styles from './RecordPage.module.css';
import { RecordSide } from './RecordSide.tsx';
import { SaveFailure } from './SaveFailure.tsx';
import { texts as ownTexts } from './texts.ts';
import { useDraftCheck } from './use-draft-check.ts';
import { useNewTitle } from './use-new-title.ts';
import { useRecordDraft } from './use-record-draft.ts';
import { useUndo } from './use-undo.ts';

interface EditorProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Null for a new one. */
  readonly record: ApiRecord | null;
  /** Key of its changes: its id, or a unique name for a new record. */
  readonly name: string;
  /** Initial values of a new record. */
  readonly initial?: Draft;
  readonly up: { readonly label: string; readonly href: string };
}

export function RecordEditor({ resource, parentId, record, name, initial = {}, up }: EditorProps) {
  const navigate = useNavigate();
  const names = useNames();
  const text = useText();
  const featureText = useFeatureText(texts);
  const ownText = useFeatureText(ownTexts);
  const refusal = useRefusal();
  const { obstacle } = usePendingChanges();
  const form = useRecordDraft({ resource, parentId, record, name, initial });
  const { draft, setDraft, held, isSending, isDirty, isUnsaved } = form;
  const [failure, setFailure] = useState<unknown>(null);
  /** The dialog before a publication: `draft` saves the record as it is, `way` leads it to a status that readers see. */
  const [publishing, setPublishing] = useState<'draft' | 'way' | null>(null);
  const [publishRefusal, setPublishRefusal] = useState<string | null>(null);
  const [isDeciding, setIsDeciding] = useState(false);
  const [ownFaults, setOwnFaults] = useState<readonly Fault[]>([]);
  const findFaults = useDraftCheck();
  const isShown = useIsShown();
  const offerUndo = useUndo();
  const last = useLiveRecord(resource, parentId, record?.id ?? '');
  const keyOf = useWriteKey();
  const { edit, change } = useSearch({ strict: false });
  const isNew = record === null;
  const fields = useRef<HTMLFormElement>(null);
  const [failed, setFailed] = useState(0);
  // The button is always visible, its result may be outside the viewport. Faults of fields need no scrolling: their link gets the focus.
  useEffect(() => {
    if (failed === 0) return;
    fields.current?.scrollIntoView();
    const notice = fields.current?.querySelector<HTMLElement>('[role="alert"]');
    if (!notice || notice.contains(document.activeElement)) return;
    notice.tabIndex = -1;
    notice.focus({ preventScroll: true });
  }, [failed]);
  useEffect(() => {
    if (isNew) focusFirstText(fields.current);
  }, [isNew]);
  // The address contains the stored change of a new record, so that the form restores it after a reload.
  const kept = isNew && form.kept !== null ? String(form.kept) : null;
  useEffect(() => {
    if (kept !== null && kept !== change)
      void navigate({ to: '.', search: { change: kept }, replace: true, ignoreBlocker: true });
  }, [kept, change, navigate]);
  const guard = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  const refused = refusal(resource, record === null ? 'create' : 'update');
  const isBlocked = record === null && isSending;
  const way = wayToReaders(resource, form.opened);
  const isFaulty = () => {
    setFailure(null);
    const found = translateFaults(findFaults(resource, form.opened, draft), names);
    setOwnFaults(found);
    if (found.length > 0) setFailed((count) => count + 1);
    return found.length > 0;
  };
  const fail = async () => {
    await form.giveUpPublication();
    setFailed((count) => count + 1);
  };
  const publish = async () => {
    if (way === null) return;
    const written = await form.saveThrough(way.field, way.statuses).catch((error: unknown) => {
      setFailure(error);
      return null;
    });
    if (written === null) await fail();
    else showToast({ kind: 'done', message: ownText('published') });
  };
  const submit = async (isConfirmed = false) => {
    if (!isDirty || refused !== null || isBlocked || (publishing !== null && !isConfirmed)) return;
    if (isFaulty()) return;
    if (!isConfirmed && publishedStatus(resource, form.opened, draft) !== null) return setPublishing('draft');
    // A save during an open conflict becomes part of the conflict dialog.
    if (held !== null && isConflict(held)) return form.store().then(() => setIsDeciding(true));
    const { body, path } = form.request;
    const before = form.opened;
    const written = await form.save().catch((error: unknown) => {
      setFailure(error);
      return null;
    });
    if (written === null) return fail();
    // After a merge, the previous values are not the ones to restore.
    if (before !== null && written.version === before.version + 1)
      offerUndo({ resource, path, patch: { ...body }, before, after: written });
    if (isShown() && record === null)
      await navigate({
        to: recordPathOf(resource, parentId, written.id),
        replace: true,
        ignoreBlocker: true,
      });
  };
  useSaveKey(() => void submit());
  const undoToast = useRef(0);
  useEffect(() => () => closeToast(undoToast.current), []);
  const discard = () => {
    setOwnFaults([]);
    form.discard();
    const run = () => setDraft(draft);
    undoToast.current = showToast({
      kind: 'done',
      message: ownText('discarded'),
      action: { label: ownText('undo'), run },
    });
  };
  const refusedChange = held ?? form.unpublished;
  const refusedFaults = refusedChange === null ? [] : faultsOf(problemOf(refusedChange), names);
  const isSavedWith =
    publishing === 'way'
      ? form.unstored.length > 0
      : form.unstored.some((field) => field !== publishedStatus(resource, form.opened, draft));
  const newTitle = useNewTitle(resource, parentId);
  const { request } = form;
  const curl = isDirty
    ? describeAsCurl({ ...request, idempotencyKey: keyOf(JSON.stringify(request)) })
    : null;
  return (
    <>
      <PageHead
        title={record === null ? newTitle : titleOf(resource, record)}
        up={up}
        aside={
          <>
            {isUnsaved && record !== null && (
              <span className={`${shared.small} ${styles.dirty}`}>{text('record.unsaved')}</span>
            )}
            {last !== null && <LastChange key={last.at} change={last} />}
          </>
        }
        actions={
          <>
            {record !== null && (
              <RecordActions resource={resource} parentId={parentId} record={record} change={curl} />
            )}
            {isDirty && (record !== null || held !== null) && (
              <Button variant="default" onClick={discard}>
                {text('record.discard')}
              </Button>
            )}
            {edit !== undefined && !isDirty && (
              <Button variant="default" onClick={() => void navigate({ to: '.', search: {}, replace: true })}>
                {text('close')}
              </Button>
            )}
            {way !== null && refused === null && (held === null || !isConflict(held)) && (
              <GuardedButton
                variant="default"
                refusal={refusal(resource, 'publish')}
                disabled={isSending}
                onClick={() => {
                  if (!isFaulty()) setPublishing('way');
                }}
              >
                {ownText('publish')}
              </GuardedButton>
            )}
            <GuardedButton
              refusal={refused}
              onClick={() => void submit()}
              loading={record !== null && isSending && !isDirty && obstacle === null}
              disabled={refused === null && (!isDirty || isBlocked)}
            >
              {text(record === null ? 'record.create' : 'record.save')}
            </GuardedButton>
          </>
        }
      />
      <div className={details.withSide}>
        <form
          ref={fields}
          className={`${shared.fields} ${styles.form}`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          {refused !== null && <Notice kind="hint">{refused}</Notice>}
          {isSending && obstacle !== null && (
            <Notice kind="hint" icon="clock">
              {featureText(form.isDeleting ? 'keptDeletion' : 'kept')}
            </Notice>
          )}
          {record !== null && form.concurrentFields.length > 0 && (
            <ConcurrentEditNotice record={record} fields={form.concurrentFields} />
          )}
          <FailureNotice error={failure ?? form.failure} />
          {ownFaults.length > 0 && (
            <Notice kind="failure" title={text('record.invalid')}>
              <FaultLinks resource={resource} faults={ownFaults} attempt={failed} />
            </Notice>
          )}
          {refusedChange !== null && ownFaults.length === 0 && (
            <SaveFailure
              change={refusedChange}
              resource={resource}
              parentId={parentId}
              values={form.readValues()}
              isDeciding={isDeciding}
              setIsDeciding={setIsDeciding}
            >
              <FaultLinks resource={resource} faults={refusedFaults} attempt={failed} />
            </SaveFailure>
          )}
          <RecordForm
            resource={resource}
            parentId={parentId}
            record={form.opened}
            draft={draft}
            setDraft={setDraft}
            faults={ownFaults.length > 0 ? ownFaults : refusedFaults}
            isReadOnly={refused !== null}
            disabled={isBlocked}
          />
          <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
        </form>
        {record !== null && <RecordSide resource={resource} record={record} />}
      </div>
      {publishing !== null && (
        <ConfirmDialog
          title={ownText('publishTitle', { title: titleOf(resource, { ...record, ...draft, id: name }) })}
          about={[
            ownText(isSavedWith ? 'saveAndPublishAbout' : 'publishAbout'),
            ...(way === null ? [] : [names.help(way)]),
          ]
            .join(' ')
            .trim()}
          action={ownText(isSavedWith ? 'saveAndPublish' : 'publish')}
          isPending={false}
          refusal={publishRefusal}
          confirm={() => {
            setPublishing(null);
            void (publishing === 'way' ? publish() : submit(true));
          }}
          close={() => setPublishing(null)}
        >
          <BeforePublication
            resource={resource}
            parentId={parentId}
            id={name}
            values={form.readValues()}
            refuse={setPublishRefusal}
          />
        </ConfirmDialog>
      )}
      {guard.status === 'blocked' && <LeaveDialog stay={guard.reset} leave={guard.proceed} />}
    </>
  );
}

/** Focuses the first text input of a form, unless an input whose options would open precedes it. */
function focusFirstText(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('input, textarea, select');
  if (first?.matches('input:not([type=checkbox]):not([aria-haspopup]), textarea') === true) first.focus();
}
