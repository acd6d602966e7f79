/** What the editor of an article works with: the edited values, and the saving of them two seconds after the last key. */

import { useQueryClient } from '@tanstack/react-query';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import type { Fault } from '../../api/problem.ts';
import type { Draft } from '../../fields/draft.ts';
import { editableFields } from '../../fields/draft.ts';
import type { RecordSync } from '../../outbox/edit/record-sync.ts';
import type { SaveState } from '../../outbox/edit/save-state.ts';
import { usePendingChanges } from '../../outbox/edit/use-changes.ts';
import type { Change } from '../../outbox/store/change.ts';
import type { EditedRecord } from '../../records/edited-record.ts';
import { useDraftCheck } from '../../records/use-draft-check.ts';
import { useRecordSync } from '../../records/use-record-sync.ts';
import { recordPathOf } from '../../resources/places.ts';
import { readRecord, recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { isScheduled, mayAutosave } from './autosave.ts';
import { type Question, useQuestion } from './use-question.ts';

/** Milliseconds after the last key. */
const autosaveDelayMs = 2_000;

/** Fields of the form; the status, its times and what is said with it have their own buttons. */
const movedFields = [
  'versionData.status',
  'versionData.scheduledFor',
  'versionData.unpublishAt',
  'versionData.returnNote',
];

/** Fields that readers see immediately, and fields of a version. */
type FieldGroup = 'articleData' | 'versionData';

export interface ArticleEditing {
  readonly record: ApiRecord;
  readonly draft: Draft;
  readonly edited: EditedRecord;
  readonly sync: RecordSync;
  readonly state: SaveState;
  /** Whether something was typed that is not stored yet; two seconds later it is. */
  readonly isTyped: boolean;
  /** Why nothing is sent now; null when nothing is in the way. */
  readonly obstacle: Error | null;
  readonly question: Question | null;
  /** Changed fields that readers would see immediately. They are not stored until the user applies them. */
  readonly held: readonly string[];
  /** What the rules of articles reject in what was typed. Nothing of a group of fields with a fault is sent. */
  readonly ownFaults: readonly Fault[];
  /** Whether the text of an approved version was changed, which is stored nowhere until somebody asks for it. */
  readonly isApprovedTextHeld: boolean;
  /** Whether something was typed before the page knew that the version is scheduled; it is stored nowhere until somebody asks for it. */
  readonly isHeldBySchedule: boolean;
  /** Whether values that nothing in the queue has wait for somebody to decide about a conflict. */
  readonly isConflictUnstored: boolean;
  readonly setDraft: (draft: Draft) => void;
  /** To be called when the text was edited. */
  readonly noteEdit: () => void;
  /**
   * Saves immediately; resolves when the change is stored in this browser, or when the state says why it is not.
   * @param groups groups of fields to save although they are not saved automatically
   */
  readonly save: (...groups: readonly FieldGroup[]) => Promise<void>;
}

export interface Opened {
  readonly record: ApiRecord;
  /** Changes of the record that were still pending when the page was opened. */
  readonly waiting: readonly Change[];
}

export function useArticle(
  resource: Resource,
  parentId: string | null,
  { record: first, waiting }: Opened,
): ArticleEditing {
  const { api } = useWorkspace();
  const queries = useQueryClient();
  const [isTyped, setIsTyped] = useState(false);
  const { question, ask } = useQuestion();
  const fields = useMemo(
    () =>
      editableFields(resource)
        .map(([name]) => name)
        .filter((name) => !movedFields.includes(name)),
    [resource],
  );
  const { obstacle } = usePendingChanges();
  const findFaults = useDraftCheck();
  const { record, draft, edited, sync, state } = useRecordSync({
    first,
    waiting,
    resource,
    path: `/v1${recordPathOf(resource, parentId, first.id)}`,
    label: () => titleOf(resource, first),
    fields,
    mayAutosave,
    check: (values) => findFaults(resource, values, {}),
    read: () => readRecord(api, resource, parentId, first.id),
    ask,
    onShow: (shown) => {
      queries.setQueryData(recordKeys.record(resource, first.id), shown);
      void queries.invalidateQueries({ queryKey: recordKeys.all(resource), refetchType: 'inactive' });
    },
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef(false);
  /** Whether an input method is composing characters, which saving would interrupt and store halves of. */
  const isComposing = useRef(false);
  const save = useCallback(
    async (...groups: readonly FieldGroup[]) => {
      clearTimeout(timer.current);
      typed.current = false;
      await sync.save(fields.filter((name) => groups.some((group) => name.startsWith(`${group}.`))));
      setIsTyped(typed.current);
    },
    [sync, fields],
  );
  const noteEdit = useCallback(() => {
    typed.current = true;
    setIsTyped(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (!isComposing.current) void save();
    }, autosaveDelayMs);
  }, [save]);
  useEffect(() => {
    const begin = () => {
      isComposing.current = true;
    };
    // What loses the focus is not composed any more, even where the browser does not say so.
    const end = () => {
      if (!isComposing.current) return;
      isComposing.current = false;
      if (typed.current) noteEdit();
    };
    document.addEventListener('compositionstart', begin);
    document.addEventListener('compositionend', end);
    document.addEventListener('focusout', end);
    return () => {
      document.removeEventListener('compositionstart', begin);
      document.removeEventListener('compositionend', end);
      document.removeEventListener('focusout', end);
    };
  }, [noteEdit]);
  useEffect(() => {
    const saveTyped = () => {
      if (typed.current) void save();
    };
    const hide = () => {
      if (document.visibilityState === 'hidden') saveTyped();
    };
    const focus = () => void sync.refresh().catch(() => undefined);
    document.addEventListener('visibilitychange', hide);
    window.addEventListener('focus', focus);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      window.removeEventListener('focus', focus);
      saveTyped();
    };
  }, [save, sync]);
  return {
    record,
    draft,
    edited,
    sync,
    state,
    isTyped,
    obstacle,
    question,
    held: isScheduled(record)
      ? []
      : sync.unstored(
          Object.keys(draft).filter((name) => name.startsWith('articleData.') && !mayAutosave(name, record)),
        ),
    ownFaults: Object.keys(draft).length === 0 ? [] : findFaults(resource, record, draft),
    isApprovedTextHeld:
      valueAt(record, 'versionData.status') === 'APPROVED' &&
      sync.unstored(fields.filter((name) => name.startsWith('versionData.'))).length > 0,
    isHeldBySchedule: isScheduled(record) && sync.unstored(fields).length > 0,
    isConflictUnstored: state.kind === 'conflict' && sync.unstored(fields).length > 0,
    setDraft: (next) => {
      edited.setDraft(next);
      noteEdit();
    },
    noteEdit,
    save,
  };
}
