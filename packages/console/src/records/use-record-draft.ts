/** The edits in the form of a record, from the first keystroke to the server's response. They are saved explicitly. */
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { areSameDrafts, type Draft, editableFields, withValue } from '../fields/draft.ts';
import { NotStored, type Outcome, useChanges, usePendingChanges } from '../outbox/edit/use-changes.ts';
import type { Change } from '../outbox/store/change.ts';
import { nestValues, patchOf } from '../outbox/store/fields.ts';
import { isConflict } from '../outbox/store/refusal.ts';
import { toProblem } from '../pending/problem.ts';
import { collectionPath, recordPathOf } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useNames } from '../text/names.ts';
import { publishedStatus } from './publishing.ts';
import { useRecordSync } from './use-record-sync.ts';

interface Options {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** The server's version; null for a new record. */
  readonly record: ApiRecord | null;
  /** Key of its changes. */
  readonly name: string;
  /** Initial values of a new record. */
  readonly initial: Draft;
}

export function useRecordDraft({ resource, parentId, record, name, initial }: Options) {
  const changes = useChanges();
  const queries = useQueryClient();
  const withStepUp = useStepUp();
  const names = useNames();
  const own = usePendingChanges().changes.filter((change) => change.record === name);
  const waiting = own.filter(({ refusal }) => refusal === null);
  const held = own.find(({ refusal, request }) => refusal !== null && request.method !== 'DELETE') ?? null;
  const fields = editableFields(resource).map(([field]) => field);
  const [first] = useState(() => record ?? emptyRecord(resource, name));
  const path = `/v1${record === null ? collectionPath(resource, parentId) : recordPathOf(resource, parentId, name)}`;
  const known = () => queries.getQueryData<ApiRecord>(recordKeys.record(resource, name)) ?? first;
  const editing = useRecordSync({
    first,
    waiting: own.filter(({ request }) => request.method !== 'DELETE'),
    initial,
    known: record,
    resource,
    path,
    label: (typed) => titleOf(resource, record === null ? { ...typed, id: names.noun(resource) } : known()),
    fields,
    mayAutosave: () => false,
    read: async () => known(),
    ask: null,
  });
  const { draft, edited, sync, state } = editing;
  const unstored = sync.unstored(fields);
  const [unpublished, setUnpublished] = useState<Change | null>(null);

  const save = async (onStored?: () => void): Promise<ApiRecord | null> => {
    setUnpublished(null);
    let sent = await sync.save(fields);
    if (sent === null) return null;
    onStored?.();
    let refused: Change | null = null;
    try {
      const outcome = await withStepUp(async (): Promise<Outcome | null> => {
        if (refused !== null) sent = await changes.retry(refused);
        const next = sent && (await sent.outcome);
        if (next?.kind === 'refused' && next.refusal.code === 'insufficient_user_authentication') {
          refused = next.change;
          throw toProblem(next.refusal);
        }
        return next;
      });
      return outcome?.kind === 'done' ? outcome.record : null;
    } catch (error) {
      // The change stays in the queue, and the form shows its refusal.
      if (error instanceof StepUpCancelled) return null;
      throw error;
    }
  };

  const giveUpPublication = async (): Promise<void> => {
    const { draft: typed, record: shown } = edited.snapshot();
    const status = publishedStatus(resource, shown, typed);
    if (record === null || status === null) return;
    // After another user has signed in, the queue has stopped. The page closes, and the change is kept for its user.
    const own = await changes.list(name).catch(() => []);
    const refused = own.find(({ refusal }) => refusal !== null);
    if (refused === undefined || isConflict(refused)) return;
    await sync.giveUp();
    edited.setDraft(
      withValue(edited.snapshot().draft, status, valueAt(shown, status), valueAt(shown, status)),
    );
    setUnpublished(refused);
  };

  const saveThrough = async (field: string, statuses: readonly string[]): Promise<ApiRecord | null> => {
    let written: ApiRecord | null = null;
    for (const status of statuses) {
      const shown = edited.snapshot();
      edited.setDraft(withValue(shown.draft, field, status, valueAt(shown.record, field)));
      written = await save();
      if (written === null) return null;
    }
    return written;
  };

  const body = patchOf(edited.collect(), held === null ? unstored : Object.keys(draft));
  return {
    /** The values that differ from the server's record. */
    draft,
    setDraft: (next: Draft) => edited.setDraft(next),
    /** The record that the draft is based on; null for a new record. */
    opened: record && editing.record,
    /** The refused change of this record; null when there is none. */
    held,
    /** `sequence` of the first change of this record in the queue; null when there is none. */
    kept: own[0]?.sequence ?? null,
    /** Whether a change of this record is pending. */
    isSending: waiting.length > 0,
    /** Whether the deletion of this record is pending. */
    isDeleting: waiting.some(({ request: { method } }) => method === 'DELETE'),
    /** Whether there is something to save: unstored edits or a refused change. */
    isDirty: held !== null || unstored.length > 0,
    /** The fields with edits that no change contains. */
    unstored,
    /** Whether leaving the page would lose edits. The initial values of a new record do not count. */
    isUnsaved: unstored.length > 0 && !(record === null && areSameDrafts(draft, initial)),
    /** The request that a save would send. */
    request:
      record === null
        ? { method: 'POST', path, body }
        : { method: 'PATCH', path, body, ifVersion: editing.record.version },
    /** The edited fields that another user has changed as well. */
    concurrentFields: record === null ? [] : sync.concurrentFields(record),
    /** Why the browser could not store the edits, which exist only in the form; null without a failure. */
    failure: state.kind === 'failed' ? new NotStored(state.error) : null,
    /** The refused change of the last publication; null when there is none. */
    unpublished,
    /**
     * Submits the draft to the queue. @returns the record after it; null when it was not carried out
     * @param onStored called when the browser has stored it
     */
    save,
    /** Saves the draft and then each status of the path, where the server permits only single transitions. @returns as `save` */
    saveThrough,
    /** Discards a refused publication: the status returns to the stored one, other edits stay unsaved. */
    giveUpPublication,
    /** The record with the draft applied. */
    readValues: () => edited.collect(),
    /** Submits the draft to the queue without waiting for its outcome. */
    store: async () => void (await sync.save(fields)),
    /** Discards the draft and the refused change. */
    discard: () => {
      setUnpublished(null);
      void sync.discard();
    },
  };
}

/** A record as the server would create it from an empty body. */
function emptyRecord(resource: Resource, id: string): ApiRecord {
  const defaults = editableFields(resource).map(([name, { defaultValue }]) => [name, defaultValue] as const);
  return { ...nestValues(defaults), id, version: 0 };
}

/** Key of a new record's changes: that of its refused creation, otherwise a unique name. */
export function useNewName(): string {
  const { change: sequence } = useSearch({ strict: false });
  const { changes } = usePendingChanges();
  const [name, setName] = useState(() => `new ${crypto.randomUUID()}`);
  const known = changes.find((change) => String(change.sequence) === sequence)?.record;
  if (known !== undefined && known !== name) setName(known);
  return known ?? name;
}
