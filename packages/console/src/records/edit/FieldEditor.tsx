/**
 * Edits a single value of a record in a list or on a page, with the input of the record's form. It saves as forms do: through the queue of
 * changes, with the displayed version as precondition, after validation and the confirmation of a publication.
 */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ApiRecord } from '../../api/api.ts';
import type { Fault } from '../../api/problem.ts';
import { DuplicateHints } from '../../fields/DuplicateHints.tsx';
import { faultsAt } from '../../fields/draft.ts';
import type { ValueSchema } from '../../fields/value-schema.ts';
import { withoutNull } from '../../fields/value-schema.ts';
import { useLiveRecord } from '../../live/use-live-record.ts';
import { isSeenByReaders } from '../../outbox/edit/readers.ts';
import { namesIn } from '../../outbox/store/fields.ts';
import { isConflict } from '../../outbox/store/refusal.ts';
import { problemOf } from '../../pending/problem.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { faultsOf, translateFaults } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { BeforePublication } from '../BeforePublication.tsx';
import { ConcurrentEditNotice } from '../ConcurrentEditNotice.tsx';
import { LeaveDialog } from '../LeaveDialog.tsx';
import { publishedStatus } from '../publishing.ts';
import { Fields } from '../RecordForm.tsx';
import { SaveFailure } from '../SaveFailure.tsx';
import { texts as recordTexts } from '../texts.ts';
import { useDraftCheck } from '../use-draft-check.ts';
import { useRecordDraft } from '../use-record-draft.ts';
import { useUndo } from '../use-undo.ts';
import styles from './FieldEditor.module.css';
import { texts } from './texts.ts';

/** The target of the focus when the editor closes: the edited cell, a neighbour, or the element that was clicked. */
export type Leaving = 'stay' | 'down' | 'up' | 'left' | 'right' | 'elsewhere';

export interface FieldEditorProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** The displayed record; a list loads only some of its fields. */
  readonly shown: ApiRecord;
  /** Dotted name of the field. */
  readonly field: string;
  /** Whether the record was deleted in the meantime. */
  readonly isDeleted: boolean;
  /** Whether the editor opens towards the left, to fit into the window. */
  readonly isAtEnd: boolean;
  /** @param isNextEdited whether F2 was pressed in the meantime, to edit the cell that gets the focus */
  readonly close: (leaving: Leaving, isNextEdited: boolean) => void;
}

/** The result of a commit: the value is stored, a dialog is open, or the value stays in the editor with the reason. */
type Committed = 'stored' | 'asked' | 'kept';

/** A requested save, and the target of the focus after it. */
interface Request {
  readonly leaving: Leaving;
  readonly isConfirmed: boolean;
}

const stops =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), textarea:not(:disabled), select:not(:disabled)';

export function FieldEditor(props: FieldEditorProps) {
  const { resource, parentId, shown, field, isAtEnd, close } = props;
  // Remembered, because a refreshed list no longer contains a deleted record.
  const [isDeleted, setIsDeleted] = useState(props.isDeleted);
  if (props.isDeleted && !isDeleted) setIsDeleted(true);
  const { api } = useWorkspace();
  const text = useText();
  const names = useNames();
  const featureText = useFeatureText(texts);
  const offerUndo = useUndo();
  const findFaults = useDraftCheck();
  const full = useQuery({
    queryKey: recordKeys.record(resource, shown.id),
    queryFn: ({ signal }) => readRecord(api, resource, parentId, shown.id, signal),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
  useLiveRecord(resource, parentId, shown.id);
  const known = full.data !== undefined && full.data.version >= shown.version ? full.data : null;
  const form = useRecordDraft({ resource, parentId, record: known ?? shown, name: shown.id, initial: {} });
  const { draft, held, unstored } = form;
  const panel = useRef<HTMLDivElement>(null);
  const [request, setRequest] = useState<Request | null>(null);
  const [question, setQuestion] = useState<Leaving | null>(null);
  const [publishRefusal, setPublishRefusal] = useState<string | null>(null);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const [isDeciding, setIsDeciding] = useState(false);
  const isClosed = useRef(false);
  /** The result of the last commit. */
  const committing = useRef<Promise<Committed>>(Promise.resolve('kept'));
  const isCommitting = useRef(false);
  const isNextEdited = useRef(false);
  const fields = flattenFields(resource).filter(([name]) => name === field);
  const schema = withoutNull((fields[0]?.[1].schema ?? {}) as ValueSchema).schema;
  const isOne = schema.type !== 'array' && (schema.enum !== undefined || fields[0]?.[1].reference !== null);
  const isHeld = held !== null && namesIn({ ...held.request.body }).includes(field);
  const isUnsaved = unstored.includes(field);
  const opened = form.opened ?? shown;

  const leave = (leaving: Leaving) => {
    isClosed.current = true;
    close(leaving, isNextEdited.current);
  };
  /** Saves the value in the input. */
  const commit = useEffectEvent(async ({ leaving, isConfirmed }: Request): Promise<Committed> => {
    if (isClosed.current) return 'stored';
    setFailure(null);
    if (!isUnsaved && !isHeld) {
      leave(leaving);
      return 'stored';
    }
    if (isDeleted) return 'kept';
    const found = [
      ...tooLong(draft[field], schema, field, (length, most) => featureText('tooLong', { length, most })),
      ...(known === null ? [] : translateFaults(findFaults(resource, known, draft), names)),
    ];
    setFaults(found);
    if (found.length > 0) return 'kept';
    const isSeen =
      isSeenByReaders(resource, [field], opened) || publishedStatus(resource, opened, draft) !== null;
    if (isSeen && !isConfirmed) {
      setQuestion(leaving);
      return 'asked';
    }
    // A save during an open conflict becomes part of the conflict dialog.
    if (held !== null && isConflict(held)) {
      await form.store();
      setIsDeciding(true);
      return 'asked';
    }
    const { body, path } = form.request;
    const storing = Promise.withResolvers<Committed>();
    const saving = form.save(() => {
      storing.resolve('stored');
      leave(leaving);
    });
    saving.then(
      (after) => {
        storing.resolve('kept');
        if (after == null) return;
        const message = featureText('saved', { field: names.field(field), name: titleOf(resource, after) });
        // After a merge, also one with the preceding change, the previous values are not the ones to restore.
        if (after.version !== opened.version + 1) return showToast({ kind: 'done', message });
        offerUndo({ resource, path, patch: { ...body }, before: opened, after }, message);
      },
      (error: unknown) => {
        storing.resolve('kept');
        setFailure(error);
      },
    );
    return storing.promise;
  });
  useEffect(() => {
    if (request === null) return;
    setRequest(null);
    // Serialized, so that the second of two presses of Enter finds nothing left to save.
    const attempt = committing.current.then(() => commit(request));
    committing.current = attempt;
    const end = () => {
      if (committing.current === attempt) isCommitting.current = isNextEdited.current = false;
    };
    // The input lost the focus for a save that failed.
    void attempt.finally(end).then((committed) => committed === 'kept' && focusInput(panel.current));
  }, [request]);

  const begin = (leaving: Leaving) => {
    isCommitting.current = true;
    isNextEdited.current = false;
    setRequest({ leaving, isConfirmed: false });
  };
  /**
   * Requests a save. Blurs the input first, because some inputs, such as tags, commit their value only then. The focus stays in the editor
   * until it closes, so that the list does not interpret keys typed in the meantime.
   */
  const ask = (leaving: Leaving) => {
    if (panel.current?.contains(document.activeElement)) panel.current.focus({ preventScroll: true });
    begin(leaving);
  };
  const guard = useBlocker({
    shouldBlockFn: async () => (await committing.current) !== 'stored' && isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  const isAsking = question !== null || isDeciding || guard.status === 'blocked';
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (isAsking || !(target instanceof Element)) return;
    if (panel.current?.contains(target) || target.closest('[data-portal]') !== null) return;
    // Synchronously, before the click that may leave the page.
    flushSync(() => ask('elsewhere'));
  });
  useEffect(() => {
    openInput(panel.current);
    const listen = (event: PointerEvent) => press(event);
    document.addEventListener('pointerdown', listen, true);
    return () => document.removeEventListener('pointerdown', listen, true);
  }, []);
  useEffect(() => {
    // A dialog had taken the focus.
    if (!isAsking) focusInput(panel.current);
  }, [isAsking]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, target, shiftKey, currentTarget } = event;
    if (event.defaultPrevented || event.nativeEvent.isComposing || !(target instanceof HTMLElement)) return;
    // Ignores keys in dialogs and option lists, which are outside this element in the document.
    if (!currentTarget.contains(target)) return;
    if (isCommitting.current && key === 'F2') isNextEdited.current = true;
    if (isCommitting.current && target === currentTarget && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (key !== 'Tab' && target.getAttribute('aria-expanded') === 'true') return;
    const isTyped =
      target.matches('input') || (target.matches('textarea') && (event.ctrlKey || event.metaKey));
    const inputs = [...currentTarget.querySelectorAll<HTMLElement>(stops)];
    if (key === 'Escape') leave('stay');
    else if (key === 'Enter' && isTyped && !event.repeat) ask(shiftKey ? 'up' : 'down');
    else if (key === 'Tab' && target === inputs.at(shiftKey ? 0 : -1)) ask(shiftKey ? 'left' : 'right');
    else return;
    event.preventDefault();
  };
  const refused = isHeld ? faultsOf(problemOf(held), names) : [];
  const pointer = pointerOf(field);
  const elsewhere = faults.filter(
    (fault) => fault.pointer === undefined || !fault.pointer.startsWith(pointer),
  );
  return (
    <div
      ref={panel}
      role="group"
      aria-label={names.field(field)}
      tabIndex={-1}
      className={styles.editor}
      data-editor
      data-wide={schema.type === 'array' || undefined}
      data-end={isAtEnd || undefined}
      onKeyDown={onKeyDown}
    >
      <DuplicateHints resource={resource} parentId={parentId} record={opened} draft={draft} disabled={false}>
        <Fields
          parentId={parentId}
          record={opened}
          draft={draft}
          setDraft={(next) => {
            setFaults([]);
            form.setDraft(next);
            if (isOne) begin('stay');
          }}
          faults={faultsAt(faults, pointer) === null ? refused : faults}
          isReadOnly={false}
          disabled={false}
          fields={fields}
        />
      </DuplicateHints>
      {elsewhere.length > 0 && (
        <Notice kind="failure">
          {elsewhere.map(({ pointer: at = '', detail }) => (
            <div key={at + detail}>
              {names.field(at.slice(1).split('/').join('.'))}: {detail}
            </div>
          ))}
        </Notice>
      )}
      {isDeleted && <Notice kind="failure">{featureText('deleted')}</Notice>}
      {form.concurrentFields.includes(field) && known !== null && (
        <ConcurrentEditNotice record={known} fields={[field]} />
      )}
      <FailureNotice error={failure ?? form.failure} />
      {isHeld && (
        <>
          <SaveFailure
            change={held}
            resource={resource}
            parentId={parentId}
            values={form.readValues()}
            isDeciding={isDeciding}
            setIsDeciding={setIsDeciding}
          />
          <Button variant="default" size="xs" onClick={() => form.discard()}>
            {text('record.discard')}
          </Button>
        </>
      )}
      {question !== null && (
        <Question
          title={titleOf(resource, { ...opened, ...draft, id: shown.id })}
          isNew={publishedStatus(resource, opened, draft) !== null}
          refusal={publishRefusal}
          before={
            <BeforePublication
              resource={resource}
              parentId={parentId}
              id={shown.id}
              values={form.readValues()}
              refuse={setPublishRefusal}
            />
          }
          confirm={() => {
            setQuestion(null);
            setRequest({ leaving: question, isConfirmed: true });
          }}
          close={() => setQuestion(null)}
        />
      )}
      {guard.status === 'blocked' && <LeaveDialog stay={guard.reset} leave={guard.proceed} />}
    </div>
  );
}

interface QuestionProps {
  readonly title: string;
  /** Whether the record becomes visible to readers for the first time. */
  readonly isNew: boolean;
  /** Why publishing is not allowed; null when it is. */
  readonly refusal: string | null;
  /** Notes before a publication. */
  readonly before: ReactNode;
  readonly confirm: () => void;
  readonly close: () => void;
}

/** Confirms a change that readers will see. */
function Question({ title, isNew, refusal, before, confirm, close }: QuestionProps) {
  const featureText = useFeatureText(texts);
  const recordText = useFeatureText(recordTexts);
  return (
    <ConfirmDialog
      title={isNew ? recordText('publishTitle', { title }) : featureText('seenTitle', { title })}
      about={isNew ? recordText('publishAbout') : featureText('seenAbout')}
      action={isNew ? recordText('publish') : featureText('apply')}
      isPending={false}
      refusal={refusal}
      confirm={confirm}
      close={close}
    >
      {isNew && before}
    </ConfirmDialog>
  );
}

/**
 * The fault of a text that exceeds its field's length. It is detected here because the change would otherwise wait in the queue until the
 * server refuses it.
 */
function tooLong(
  value: unknown,
  { maxLength }: ValueSchema,
  field: string,
  describe: (length: number, most: number) => string,
): readonly Fault[] {
  if (typeof value !== 'string' || maxLength === undefined) return [];
  const length = [...value.trim()].length;
  if (length <= maxLength) return [];
  return [{ pointer: pointerOf(field), code: 'too_long', detail: describe(length, maxLength) }];
}

/** Moves the cursor behind the input's value. */
function focusInput(panel: HTMLElement | null): HTMLElement | null {
  const input = panel?.querySelector<HTMLElement>('input, textarea, select, button') ?? null;
  input?.focus();
  if (input instanceof HTMLInputElement && input.type === 'text')
    input.setSelectionRange(input.value.length, input.value.length);
  return input;
}

/** Opens the options of an input that only offers a choice. */
function openInput(panel: HTMLElement | null): void {
  const input = focusInput(panel);
  if (input?.getAttribute('aria-haspopup') === 'listbox') input.click();
}
