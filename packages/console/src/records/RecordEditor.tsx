/**
 * The form of a record with its buttons. What is saved goes through the queue of changes: it is shown as the record's until the
 * server has responded, and comes back into the form when it is refused.
 */

import { Button } from '@mantine/core';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import type { ApiRecord } from '../api/api.ts';
import type { Fault } from '../api/problem.ts';
import { type Draft, useWriteKey } from '../fields/draft.ts';
import { usePersonName } from '../fields/Person.tsx';
import { LastChange } from '../live/LastChange.tsx';
import { texts as liveTexts } from '../live/texts.ts';
import { useLiveRecord } from '../live/use-live-record.ts';
import { useWaiting } from '../outbox/edit/use-changes.ts';
import { isMergeable } from '../outbox/store/change.ts';
import { recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useFeatureText } from '../text/feature.ts';
import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { FailureNotice, Notice } from '../ui/Notice.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { faultsOf, translateFaults } from '../ui/problem-text.ts';
import { RefusableButton } from '../ui/Refusable.tsx';
import { useIsShown } from '../ui/use-is-shown.ts';
import { useSaveKey } from '../ui/use-save-key.ts';
import { problemOf } from '../waiting/problem.ts';
import { texts } from '../waiting/texts.ts';
import { describeAsCurl } from './curl.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { RecordActions } from './RecordActions.tsx';
import { RecordForm } from './RecordForm.tsx';
import styles from './RecordPage.module.css';
import { RecordSide } from './RecordSide.tsx';
import { SaveFailure } from './SaveFailure.tsx';
import { texts as ownTexts } from './texts.ts';
import { useDraftCheck } from './use-draft-check.ts';
import { useRecordDraft } from './use-record-draft.ts';
import { useUndo } from './use-undo.ts';

interface EditorProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** Null for a new one. */
  readonly record: ApiRecord | null;
  /** What its changes are stored under: its id, or for a new one a name that no other has. */
  readonly name: string;
  /** Values that the form of a new one begins with. */
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
  const { obstacle } = useWaiting();
  const form = useRecordDraft({ resource, parentId, record, name, initial });
  const { draft, setDraft, held, isSending, isDirty, isUnsaved } = form;
  const [failure, setFailure] = useState<unknown>(null);
  const [isPublishing, setIsPublishing] = useState(false);
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
  useEffect(() => {
    if (isNew) focusFirstText(fields.current);
  }, [isNew]);
  // The address names what is kept of a new record, so that its form shows it again after a reload.
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
  const submit = async (isConfirmed = false) => {
    if (!isDirty || refused !== null || isBlocked || (isPublishing && !isConfirmed)) return;
    setFailure(null);
    const found = translateFaults(findFaults(resource, form.opened, draft), names);
    setOwnFaults(found);
    if (found.length > 0) return;
    if (!isConfirmed && publishes(resource, form.opened, draft)) return setIsPublishing(true);
    // What is saved while a conflict waits is decided with it.
    if (held !== null && isMergeable(held)) return form.store().then(() => setIsDeciding(true));
    const { body, path } = form.request;
    const before = form.opened;
    const written = await form.save().catch((error: unknown) => {
      setFailure(error);
      return null;
    });
    if (written === null) return;
    // After a merge the values of before are not those that would have to be restored.
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
  const discard = () => {
    setOwnFaults([]);
    form.discard();
  };
  const refusedFaults = held === null ? [] : faultsOf(problemOf(held), names);
  const { request } = form;
  const curl = isDirty
    ? describeAsCurl({ ...request, idempotencyKey: keyOf(JSON.stringify(request)) })
    : null;
  return (
    <>
      <PageHead
        title={
          record === null ? text('record.new', { name: names.noun(resource) }) : titleOf(resource, record)
        }
        up={up}
        aside={
          <>
            {isUnsaved && record !== null && <span className={styles.dirty}>{text('record.unsaved')}</span>}
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
            <RefusableButton
              refusal={refused}
              onClick={() => void submit()}
              loading={record !== null && isSending && !isDirty && obstacle === null}
              disabled={refused === null && (!isDirty || isBlocked)}
            >
              {text(record === null ? 'record.create' : 'record.save')}
            </RefusableButton>
          </>
        }
      />
      <div className={styles.page}>
        <form
          ref={fields}
          className={styles.form}
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
          {record !== null && form.contested.length > 0 && (
            <Contested record={record} fields={form.contested} />
          )}
          <FailureNotice error={failure ?? form.failure} />
          {ownFaults.length > 0 && <Notice kind="failure" title={text('record.invalid')} />}
          {held !== null && ownFaults.length === 0 && (
            <SaveFailure
              change={held}
              resource={resource}
              parentId={parentId}
              isDeciding={isDeciding}
              setIsDeciding={setIsDeciding}
            />
          )}
          <RecordForm
            resource={resource}
            parentId={parentId}
            record={form.opened}
            draft={draft}
            setDraft={setDraft}
            faults={ownFaults.length > 0 ? ownFaults : refusedFaults}
            disabled={refused !== null || isBlocked}
          />
          <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
        </form>
        {record !== null && <RecordSide resource={resource} record={record} />}
      </div>
      {isPublishing && (
        <ConfirmDialog
          title={ownText('publishTitle', { title: titleOf(resource, { ...record, ...draft, id: name }) })}
          about={ownText('publishAbout')}
          action={ownText('publish')}
          isPending={false}
          confirm={() => {
            setIsPublishing(false);
            void submit(true);
          }}
          close={() => setIsPublishing(false)}
        />
      )}
      {guard.status === 'blocked' && <LeaveDialog stay={guard.reset} leave={guard.proceed} />}
    </>
  );
}

/** Whether a draft shows readers a record that they do not see. */
function publishes(resource: Resource, record: ApiRecord | null, draft: Draft): boolean {
  const status = statusOf(resource);
  if (status === null || !Object.hasOwn(draft, status.field)) return false;
  const { published } = status.transitions;
  return (
    published.includes(String(draft[status.field])) && !published.includes(String(record?.[status.field]))
  );
}

/** Puts the cursor into the first line of text of a form, unless a list that would open comes before it. */
function focusFirstText(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('input, textarea, select');
  if (first?.matches('input:not([type=checkbox]):not([aria-haspopup]), textarea') === true) first.focus();
}

/** Says that somebody else has changed what is being changed here. */
function Contested({ record, fields }: { readonly record: ApiRecord; readonly fields: readonly string[] }) {
  const featureText = useFeatureText(liveTexts);
  const names = useNames();
  const { formatList } = useIntl();
  const { signedIn } = useWorkspace();
  const name = usePersonName(typeof record.updatedBy === 'string' ? record.updatedBy : null);
  return (
    <Notice kind="hint" icon="users">
      {featureText('changedElsewhere', {
        name,
        own: String(record.updatedBy === signedIn.user.id),
        fields: formatList(fields.map((field) => names.field(field))),
      })}
    </Notice>
  );
}
