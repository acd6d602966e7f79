/** What somebody has changed in the form of a record, from the first key to the answer of the server. */

import { useSearch } from '@tanstack/react-router';
import { etagOf } from '@trellis/client/response.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRef, useState } from 'react';
import type { ApiRecord } from '../api/api.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { areSameDrafts, bodyOf, type Draft, draftOf } from '../fields/draft.ts';
import { type Outcome, type Submitted, useChanges, useWaiting } from '../outbox/edit/use-changes.ts';
import type { Change } from '../outbox/store/change.ts';
import { joinPatches } from '../outbox/store/change-store.ts';
import { differingFields, patchOf } from '../outbox/store/fields.ts';
import { collectionPath, recordPathOf } from '../resources/places.ts';
import { titleOf } from '../resources/values.ts';
import { useNames } from '../text/names.ts';
import { toProblem } from '../waiting/problem.ts';

interface Options {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** As the server has it; null for a new one. */
  readonly record: ApiRecord | null;
  /** Values that the form of a new one begins with. */
  readonly initial: Draft;
}

interface WriteRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  readonly ifVersion?: number;
}

export interface RecordDraft {
  /** What is not given to the queue yet, or was refused. */
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  /** The record that the draft changes; null for a new one. */
  readonly opened: ApiRecord | null;
  /** The record with the changes that wait; null for a new one. */
  readonly shown: ApiRecord | null;
  /** The change of this record that the server has refused; null without one. */
  readonly held: Change | null;
  /** Whether a change of this record waits for its answer. */
  readonly isSending: boolean;
  /** Whether its deletion waits. */
  readonly isDeleting: boolean;
  readonly isDirty: boolean;
  /** Whether something would be lost with the page. */
  readonly isUnsaved: boolean;
  /** The request that the draft makes. */
  readonly request: WriteRequest;
  /** The fields of the draft that somebody else has changed since it was begun. */
  readonly contested: readonly string[];
  /**
   * Gives the draft to the queue, and takes it out of the form as soon as it is stored there.
   * @returns the record that the server has answered; null when it has not carried it out
   * @throws NotStored; the draft is still in the form
   */
  readonly save: () => Promise<ApiRecord | null>;
  /** Gives up the draft, and the refused change. */
  readonly discard: () => void;
}

export function useRecordDraft({ resource, parentId, record, initial }: Options): RecordDraft {
  const changes = useChanges();
  const withStepUp = useStepUp();
  const names = useNames();
  const [draft, setDraft] = useState<Draft>(initial);
  // Nothing is lost with what the form began with.
  const [begun] = useState(initial);
  const name = useRecordName(record);
  const own = useWaiting().changes.filter((change) => change.record === name);
  const waiting = own.filter(({ refusal }) => refusal === null);
  const held = own.find(({ refusal, request }) => refusal !== null && request.method !== 'DELETE') ?? null;
  useHeldDraft(resource, held, draft, setDraft);
  // The version that the draft was begun with, until somebody else changes what the draft does not touch.
  const [opened, setOpened] = useState(record);
  const isDirty = Object.keys(draft).length > 0;
  const contested = contestedFields(opened, record, draft);
  if (record !== opened && contested.length === 0) setOpened(record);
  const request = requestOf(resource, parentId, opened, draft);
  const shown = opened === null ? null : withChanges(opened, waiting);

  const store = async (): Promise<Pick<Submitted, 'outcome'>> => {
    const { ifVersion, ...rest } = request;
    const sent = { ...rest, ifMatch: ifVersion === undefined ? null : etagOf(ifVersion) };
    const base = shown === null ? null : patchOf(shown, Object.keys(draft));
    if (held !== null) {
      const again = await changes.retry(held, { request: sent, base });
      if (again !== null) return again;
    }
    const label = titleOf(resource, { id: names.noun(resource), ...(shown ?? bodyOf(draft)) });
    const after = waiting.at(-1)?.key ?? null;
    const added = { record: name, label, request: sent, base, after, joins: record !== null };
    return await changes.submit(added);
  };

  // A second click before the first one is stored changes nothing.
  const isStoring = useRef(false);
  const save = async (): Promise<ApiRecord | null> => {
    if (isStoring.current) return null;
    isStoring.current = true;
    const first = await store().finally(() => {
      isStoring.current = false;
    });
    let refused: Change | null = null;
    // A new record keeps its form until it is there; a change is shown as the record's from now on.
    const clear = () => setDraft((present) => withoutStored(present, draft));
    if (record !== null) clear();
    try {
      const outcome = await withStepUp(async () => {
        const again = refused === null ? null : await changes.retry(refused);
        if (again !== null) clear();
        const next: Outcome = await (again ?? first).outcome;
        if (next.kind === 'refused' && next.refusal.code === 'insufficient_user_authentication') {
          refused = next.change;
          throw toProblem(next.refusal);
        }
        return next;
      });
      if (outcome.kind !== 'done') return null;
      if (record === null) setDraft({});
      return outcome.record;
    } catch (error) {
      // The change is kept, and its refusal stands in the form.
      if (error instanceof StepUpCancelled) return null;
      throw error;
    }
  };

  const isNewOnItsWay = record === null && waiting.length > 0;
  const isHeld = held !== null && areSameDrafts(draft, draftOf(resource, held.request.body));
  return {
    draft,
    setDraft,
    opened,
    shown,
    held,
    isSending: waiting.length > 0,
    isDeleting: waiting.some(({ request: { method } }) => method === 'DELETE'),
    isDirty,
    isUnsaved: isDirty && !isNewOnItsWay && !isHeld && !areSameDrafts(draft, begun),
    request,
    contested,
    save,
    discard: () => {
      if (held !== null) void changes.dismiss(held);
      setDraft({});
    },
  };
}

/** What the changes of a record are stored under: its id, or for a new one a name that no other has. */
function useRecordName(record: ApiRecord | null): string {
  const { change: sequence } = useSearch({ strict: false });
  const { changes } = useWaiting();
  const [fresh] = useState(() => `new ${crypto.randomUUID()}`);
  if (record !== null) return record.id;
  return changes.find((change) => String(change.sequence) === sequence)?.record ?? fresh;
}

/** Brings a refused change back into the form, once, and takes it out again when it is sent or given up elsewhere. */
function useHeldDraft(
  resource: Resource,
  held: Change | null,
  draft: Draft,
  setDraft: (draft: Draft) => void,
): void {
  const [taken, setTaken] = useState<{ readonly key: string; readonly draft: Draft } | null>(null);
  if (held !== null && taken?.key !== held.key) {
    const refused = draftOf(resource, held.request.body);
    setTaken({ key: held.key, draft: refused });
    setDraft({ ...refused, ...draft });
  } else if (held === null && taken !== null) {
    setTaken(null);
    setDraft(withoutStored(draft, taken.draft));
  }
}

/** A draft without the values of another one; what was typed since stays. */
function withoutStored(draft: Draft, stored: Draft): Draft {
  const others = Object.entries(draft).filter(
    ([name, value]) =>
      !Object.hasOwn(stored, name) || !areSameDrafts({ [name]: value }, { [name]: stored[name] }),
  );
  return Object.fromEntries(others);
}

/** The fields that both have changed: whoever drafts, and somebody else since. */
function contestedFields(opened: ApiRecord | null, record: ApiRecord | null, draft: Draft): string[] {
  if (opened === null || record === null || opened === record) return [];
  const theirs = differingFields(opened, record, Object.keys(draft));
  return differingFields(record, bodyOf(draft), theirs);
}

/** The request that makes the changes of a draft. */
function requestOf(
  resource: Resource,
  parentId: string | null,
  record: ApiRecord | null,
  draft: Draft,
): WriteRequest {
  const body = bodyOf(draft);
  if (record === null) return { method: 'POST', path: `/v1${collectionPath(resource, parentId)}`, body };
  const path = `/v1${recordPathOf(resource, parentId, record.id)}`;
  return { method: 'PATCH', path, body, ifVersion: record.version };
}

/** A record as it is when the changes that wait are done. */
function withChanges(record: ApiRecord, waiting: readonly Change[]): ApiRecord {
  const patches = waiting.map(({ request }) => request.body ?? {});
  return { ...record, ...patches.reduce(joinPatches, record) };
}
