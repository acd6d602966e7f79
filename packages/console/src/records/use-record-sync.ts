/** Keeps a page in step with the record that is edited on it. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ApiRecord } from '../api/api.ts';
import type { Draft } from '../fields/draft.ts';
import { RecordSync } from '../outbox/edit/record-sync.ts';
import type { SaveState, SyncOptions } from '../outbox/edit/save-state.ts';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { withWaiting } from '../outbox/merge/rebase.ts';
import type { Change } from '../outbox/store/change.ts';
import { EditedRecord, type Shown } from './edited-record.ts';

interface Options extends Omit<SyncOptions, 'queue' | 'collect' | 'show' | 'onState'> {
  /** As it was read first; of version 0 when it does not exist yet. */
  readonly first: ApiRecord;
  /** The changes of it that waited then. */
  readonly waiting: readonly Change[];
  /** What the form of a new one begins with. */
  readonly initial?: Draft;
  /** What is known of it by now, for a page that follows that. */
  readonly known?: ApiRecord | null;
  /** Called with each version that is shown. */
  readonly onShow?: (record: ApiRecord) => void;
}

interface RecordEditing extends Shown {
  readonly edited: EditedRecord;
  readonly sync: RecordSync;
  readonly state: SaveState;
}

/** All options but `known` are those of the first rendering. */
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
  // After another sign-in the queue is another one.
  const queue = useRef(changes);
  useLayoutEffect(() => {
    queue.current = changes;
  }, [changes]);
  const [{ edited, sync }] = useState(() => {
    const values = withWaiting(first, waiting, options.resource);
    const edited = new EditedRecord(first, values, options.fields);
    if (initial !== undefined && waiting.length === 0) edited.setDraft(initial);
    const show = (record: ApiRecord, shown: ReadonlyMap<string, unknown>) => {
      edited.show(record, shown);
      onShow?.(record);
    };
    const collect = () => edited.collect();
    const present: SyncOptions['queue'] = {
      submit: (...change) => queue.current.submit(...change),
      merge: (...merge) => queue.current.merge(...merge),
      dismiss: (...change) => queue.current.dismiss(...change),
      list: (...record) => queue.current.list(...record),
    };
    const given = { ...options, queue: present, collect, show, onState: setState };
    return { edited, sync: new RecordSync(given, first, waiting) };
  });
  const shown = useSyncExternalStore(edited.subscribe, edited.snapshot);
  // A record that cannot be read now is read when something changes again, or the window has the focus.
  const check = useEffectEvent(() => void sync.check().catch(() => undefined));
  useEffect(() => {
    check();
    return changes.subscribe(() => check());
  }, [changes]);
  // Also when what is typed no longer is what keeps it from being shown.
  useEffect(() => {
    if (known !== null && known.version > shown.record.version) check();
  }, [known, shown]);
  return { ...shown, edited, sync, state };
}
