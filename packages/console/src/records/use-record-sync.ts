/** Synchronizes a page with the record that it edits. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ApiRecord } from '../api/api.ts';
import type { Draft } from '../fields/draft.ts';
import { RecordSync } from '../outbox/edit/record-sync.ts';
import type { SaveState, SyncOptions } from '../outbox/edit/save-state.ts';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { withPending } from '../outbox/merge/rebase.ts';
import type { Change } from '../outbox/store/change.ts';
import { EditedRecord, type Shown } from './edited-record.ts';

interface Options extends Omit<SyncOptions, 'queue' | 'collect' | 'show' | 'onState'> {
  /** The record as first read; version 0 for a new record. */
  readonly first: ApiRecord;
  /** Its pending changes at that time. */
  readonly waiting: readonly Change[];
  /** Initial values of a new record. */
  readonly initial?: Draft;
  /** The latest cached version, for a page without a conflict dialog. */
  readonly known?: ApiRecord | null;
  /** Called with each displayed version. */
  readonly onShow?: (record: ApiRecord) => void;
}

interface RecordEditing extends Shown {
  readonly edited: EditedRecord;
  readonly sync: RecordSync;
  readonly state: SaveState;
}

/** Only `known` may change between renderings. */
export function useRecordSync({
  first,
  waiting,
  initial,
  known = null,
  onShow,
  ...options
}: Options): RecordEditing {
  const changes = useChanges();
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: null });
  // After another sign-in the context provides a new queue.
  const queue = useRef(changes);
  useLayoutEffect(() => {
    queue.current = changes;
  }, [changes]);
  const [{ edited, sync }] = useState(() => {
    const values = withPending(first, waiting, options.resource);
    const edited = new EditedRecord(first, values, options.fields);
    if (initial !== undefined && waiting.length === 0) edited.setDraft(initial);
    const show = (record: ApiRecord, shown: ReadonlyMap<string, unknown>) => {
      edited.show(record, shown);
      onShow?.(record);
    };
    const collect = () => edited.collect();
    const present: SyncOptions['queue'] = {
      submit: (...change) => queue.current.submit(...change),
      retry: (...change) => queue.current.retry(...change),
      replace: (...replaced) => queue.current.replace(...replaced),
      merge: (...merge) => queue.current.merge(...merge),
      dismiss: (...change) => queue.current.dismiss(...change),
      list: (...record) => queue.current.list(...record),
    };
    const given = { ...options, queue: present, collect, show, onState: setState };
    return { edited, sync: new RecordSync(given, first, waiting) };
  });
  const shown = useSyncExternalStore(edited.subscribe, edited.snapshot);
  // After a failure, the next change or focus of the window reads the record again.
  const check = useEffectEvent(() => void sync.check().catch(() => undefined));
  useEffect(() => {
    check();
    return changes.subscribe(() => check());
  }, [changes]);
  // Also when the edits that blocked the update are gone.
  useEffect(() => {
    if (known !== null && known.version > shown.record.version) check();
  }, [known, shown]);
  return { ...shown, edited, sync, state };
}
