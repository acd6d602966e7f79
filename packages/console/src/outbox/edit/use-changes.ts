/**
 * Changes that survive: pages give them to a queue that keeps them in the browser until the server has responded, and see what waits.
 * See decision 0051.
 */
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { MergingQueue } from '../send/merging-queue.ts';
import type { Change } from '../store/change.ts';

export type { Outcome, Submitted } from '../send/merging-queue.ts';

/** What waits, as the header shows it. */
export interface Waiting {
  /** All changes in their order, those that were refused too. */
  readonly changes: readonly Change[];
  /** Why nothing is sent now; null when nothing is in the way, or as far as this tab knows. */
  readonly obstacle: Error | null;
  /** Whether this browser keeps changes: some do not in private windows. */
  readonly isKept: boolean;
}

/** A change was not stored, so nothing of it will be sent: it is left where it was entered. `cause`: why. */
export class NotStored extends Error {
  constructor(cause: unknown) {
    super('the change could not be stored', { cause });
    this.name = 'NotStored';
  }
}

/** A change was not stored, because it would wait behind a refused one of its record, on which the person has to decide first. */
export class EarlierRefused extends Error {
  constructor() {
    super('an earlier change of the record was refused');
    this.name = 'EarlierRefused';
  }
}

/**
 * The queue, as pages use it. `submit`, `retry` and `merge` throw NotStored. The `record` of a change is the id of the record, or a name
 * that no other has for a new one.
 */
export interface Changes
  extends Pick<MergingQueue, 'submit' | 'retry' | 'merge' | 'dismiss' | 'list' | 'resume'> {
  /** What waits now. */
  state(): Waiting;
  /** Calls back whenever `state` has changed. @returns ends that */
  subscribe(listener: () => void): () => void;
  /** Does what ends the work here, such as signing out; asks before, if something is unfinished in the browser. */
  leave(action: () => void): void;
}

export const ChangesContext = createContext<Changes | null>(null);

/** The queue of the person in the organization. @throws Error outside of the shell, which is a mistake in the code */
export function useChanges(): Changes {
  const changes = useContext(ChangesContext);
  if (changes === null) throw new Error('changes are made outside of an organization');
  return changes;
}

/** What waits, and again when that changes. */
export function useWaiting(): Waiting {
  const changes = useChanges();
  return useSyncExternalStore(changes.subscribe, changes.state);
}
