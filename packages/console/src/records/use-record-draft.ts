/** What somebody has changed in the form of a record, from the first key to the response of the server. It is saved when they ask for it. */

import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { areSameDrafts, type Draft, editableFields, withValue } from '../fields/draft.ts';
import { NotStored, type Outcome, useChanges, useWaiting } from '../outbox/edit/use-changes.ts';
import { type Change, isMergeable } from '../outbox/store/change.ts';
import { nestValues, patchOf } from '../outbox/store/fields.ts';
import { collectionPath, recordPathOf } from '../resources/places.ts';
import { recordKeys } from '../resources/queries.ts';
import { titleOf } from '../resources/values.ts';
import { useNames } from '../text/names.ts';
import { toProblem } from '../waiting/problem.ts';
import { publishedStatus } from './publishing.ts';
import { useRecordSync } from './use-record-sync.ts';

interface Options {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** As the server has it; null for a new one. */
  readonly record: ApiRecord | null;
  /** What its changes are stored under. */
  readonly name: string;
  /** Values that the form of a new one begins with. */
  readonly initial: Draft;
}

export function useRecordDraft({ resource, parentId, record, name, initial }: Options) {
  const changes = useChanges();
  const queries = useQueryClient();
  const withStepUp = useStepUp();
  const names = useNames();
  const own = useWaiting().changes.filter((change) => change.record === name);
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
      // The change is kept, and its refusal stands in the form.
      if (error instanceof StepUpCancelled) return null;
      throw error;
    }
  };

  const giveUpPublication = async (): Promise<void> => {
    const { draft: typed, record: shown } = edited.snapshot();
    const status = publishedStatus(resource, shown, typed);
    if (record === null || status === null) return;
    // The queue has stopped when somebody else has signed in meanwhile; then the page goes, and the change waits for its person.
    const own = await changes.list(name).catch(() => []);
    const refused = own.find(({ refusal }) => refusal !== null);
    if (refused === undefined || isMergeable(refused)) return;
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
    /** What differs from the record that the server has. */
    draft,
    setDraft: (next: Draft) => edited.setDraft(next),
    /** The record that the draft changes; null for a new one. */
    opened: record && editing.record,
    /** The change of this record that the server has refused; null without one. */
    held,
    /** `sequence` of the first change of this record that is kept in the browser; null without one. */
    kept: own[0]?.sequence ?? null,
    /** Whether a change of this record waits for its response. */
    isSending: waiting.length > 0,
    /** Whether its deletion waits. */
    isDeleting: waiting.some(({ request: { method } }) => method === 'DELETE'),
    /** Whether there is something to save: what no change has, or what was refused. */
    isDirty: held !== null || unstored.length > 0,
    /** Those of the fields that have values which no change has. */
    unstored,
    /** Whether something would be lost with the page: not what the form of a new one began with. */
    isUnsaved: unstored.length > 0 && !(record === null && areSameDrafts(draft, initial)),
    /** The request that would be saved. */
    request:
      record === null
        ? { method: 'POST', path, body }
        : { method: 'PATCH', path, body, ifVersion: editing.record.version },
    /** The changed fields that somebody else has changed, too. */
    contested: record === null ? [] : sync.contested(record),
    /** Why what was to be saved could not be stored, so that it is only in the form; null without a failure. */
    failure: state.kind === 'failed' ? new NotStored(state.error) : null,
    /** Why the record was not published when somebody asked for it last, as the change that the server has refused; null without one. */
    unpublished,
    /**
     * Gives the draft to the queue. @returns the record after it; null when it was not carried out
     * @param onStored called when it is safe in this browser
     */
    save,
    /** Saves the draft with one status after the other, where the server takes only single steps. @returns as `save` */
    saveThrough,
    /** Gives up a publication that was refused: the status is again the one that is stored, and what was typed besides stays, unsaved. */
    giveUpPublication,
    /** The record with the draft. */
    readValues: () => edited.collect(),
    /** Gives the draft to the queue, and waits for nothing more. */
    store: async () => void (await sync.save(fields)),
    /** Gives up the draft, and the refused change. */
    discard: () => {
      setUnpublished(null);
      void sync.discard();
    },
  };
}

/** A record that does not exist yet, as the server would create it from nothing. */
function emptyRecord(resource: Resource, id: string): ApiRecord {
  const defaults = editableFields(resource).map(([name, { defaultValue }]) => [name, defaultValue] as const);
  return { ...nestValues(defaults), id, version: 0 };
}

/** What the changes of a new record are stored under: what one that was refused has, and otherwise what no other has. */
export function useNewName(): string {
  const { change: sequence } = useSearch({ strict: false });
  const { changes } = useWaiting();
  const [name, setName] = useState(() => `new ${crypto.randomUUID()}`);
  const known = changes.find((change) => String(change.sequence) === sequence)?.record;
  if (known !== undefined && known !== name) setName(known);
  return known ?? name;
}
