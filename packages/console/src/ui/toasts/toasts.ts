/** Short messages about the last action, at the edge of the page. */
import { useSyncExternalStore } from 'react';

export interface Toast {
  readonly kind: 'done' | 'failure';
  readonly message: string;
  /** Opened in a tab of its own. */
  readonly link?: { readonly label: string; readonly href: string };
  readonly action?: { readonly label: string; readonly run: () => void };
}

let shown: (Toast & { readonly id: number; readonly shownAt: number }) | null = null;
let last = 0;
const listeners = new Set<() => void>();

/** Shows a message in place of the one before. @returns its number */
export function showToast(toast: Toast): number {
  last += 1;
  change({ ...toast, id: last, shownAt: performance.now() });
  return last;
}

/** Removes the message with that number, if it is still shown. */
export function closeToast(id: number): void {
  if (shown?.id === id) change(null);
}

/** The message that is shown; null without one. */
export function useToast() {
  return useSyncExternalStore(subscribe, () => shown);
}

/** How long a message about a failure is shown at least where it belongs to the page that is opened with it, in ms. */
const openingMs = 2_000;

/** Removes a message about a failure with the page on which it was shown. One about what was done stays, so that it can be undone. */
export function leavePage(): void {
  if (shown?.kind === 'failure' && performance.now() - shown.shownAt > openingMs) change(null);
}

function change(toast: typeof shown): void {
  shown = toast;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
