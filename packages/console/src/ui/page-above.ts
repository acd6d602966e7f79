/** The page above the one that is shown, as the head of the page says: the navigation marks it, which its address alone may not tell. */
import { useEffect, useSyncExternalStore } from 'react';

let shown: string | null = null;
const listeners = new Set<() => void>();

function note(href: string | null): void {
  shown = href;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes the path of the page above while the component is shown; null: there is none. */
export function useNotePageAbove(href: string | null): void {
  useEffect(() => {
    note(href);
    return () => note(null);
  }, [href]);
}

/** The path of the page above the one that is shown; null without one. */
export function usePageAbove(): string | null {
  return useSyncExternalStore(subscribe, () => shown);
}
