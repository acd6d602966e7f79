/** What others change while a page is open, as far as the person may read events. */
import { createContext, useContext, useEffect, useRef } from 'react';
import type { LiveChange } from './live-feed.ts';

/** Gets the changes since its last call, the last one of each record. */
export type LiveHandler = (changes: readonly LiveChange[]) => Promise<void>;

export interface LiveChanges {
  /** Calls back for changes of records from now on. @returns ends that */
  subscribe(handler: LiveHandler): () => void;
}

export const LiveContext = createContext<LiveChanges | null>(null);

/** Calls back while the component is shown. */
export function useLiveChanges(handler: LiveHandler): void {
  const live = useContext(LiveContext);
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => live?.subscribe((changes) => latest.current(changes)), [live]);
}
