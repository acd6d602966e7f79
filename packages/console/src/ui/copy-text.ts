/** Copies a text where there is no button that could say so itself, such as an item of a menu. */
import { showToast } from './toasts/toasts.ts';

/** @param said what is said when it is copied, and when the browser does not allow it */
export async function copyText(
  value: string,
  said: { readonly done: string; readonly failed: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(value);
    showToast({ kind: 'done', message: said.done });
  } catch {
    showToast({ kind: 'failure', message: said.failed });
  }
}
