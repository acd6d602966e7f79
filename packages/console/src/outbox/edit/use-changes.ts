/**
 * The durable queue of changes, for pages: it stores changes in the browser until the server has responded, and exposes the pending ones.
 * See decision 0051.
 */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { ChangeQueue } from '../send/queue.ts';
import type { Change } from '../store/change.ts';

export type { Outcome } from '../send/outcomes.ts';
export type { Submitted } from '../send/queue.ts';

/** The pending changes, as the header displays them. */
export interface PendingChanges {
  /** All changes in order, including refused ones. */
  readonly changes: readonly Change[];
  /** Why sending is suspended, as far as this tab knows; null while it is not. */
  readonly obstacle: Error | null;
  /** Whether changes survive the tab: some browsers store nothing in private windows. */
  readonly isPersistent: boolean;
}

/** The browser could not store a change, so it will not be sent; its values stay in the input. `cause`: the reason. */
export class NotStored extends Error {
  constructor(cause: unknown) {
    super('the change could not be stored', { cause });
    this.name = 'NotStored';
  }
}

/** A change was not stored because an earlier change of its record was refused and the user has to resolve that one first. */
export class EarlierRefused extends Error {
  constructor() {
    super('an earlier change of the record was refused');
    this.name = 'EarlierRefused';
  }
}

/**
 * The queue, as pages use it. `submit`, `retry`, `replace` and `merge` throw NotStored. The `record` of a change is the id of the record, or a unique
 * name for a new one.
 */
export interface Changes
  extends Pick<ChangeQueue, 'submit' | 'retry' | 'replace' | 'merge' | 'dismiss' | 'list' | 'resume'> {
  /** The current state. */
  state(): PendingChanges;
  /** Calls the listener after each change of `state`. @returns unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Runs an action that ends the work here, such as signing out; shows a dialog first if the browser holds unfinished work. */
  leave(action: () => void): void;
}

export const ChangesContext = createContext<Changes | null>(null);

/** The queue of the current user and organization. @throws Error outside the shell, which is a programming error */
export function useChanges(): Changes {
  const changes = useContext(ChangesContext);
  if (changes === null) throw new Error('changes are made outside of an organization');
  return changes;
}

/** The pending changes; the component renders again when they change. */
export function usePendingChanges(): PendingChanges {
  const changes = useChanges();
  return useSyncExternalStore(changes.subscribe, changes.state);
}
