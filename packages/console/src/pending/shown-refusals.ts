/** The refused changes whose faults are visible now, in their form, so that the header need not mention them. */
import { useLayoutEffect, useSyncExternalStore } from 'react';
import type { Change } from '../outbox/store/change.ts';

/** `key` of these changes. Another tab has its own, so its header still tells of them. */
let shown: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function replace(next: ReadonlySet<string>): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Declares that the component shows why a change was refused, as long as it is mounted.
 * @param change null when it shows none
 */
export function useShowsRefusal(change: Pick<Change, 'key'> | null): void {
  const key = change?.key ?? null;
  // Before the browser draws, so that the header does not flash.
  useLayoutEffect(() => {
    if (key === null) return;
    replace(new Set(shown).add(key));
    return () => replace(new Set([...shown].filter((other) => other !== key)));
  }, [key]);
}

/** `key` of the refused changes that are shown in their forms. */
export function useShownRefusals(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => shown);
}
