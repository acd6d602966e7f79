/**
 * Keeps the focus on the page. What has it may be removed, with its row, its dialog or its whole page, or be disabled when it was pressed:
 * browsers then give the focus to nothing, and the next key goes nowhere. It goes to what stands in the same place, and otherwise to the
 * heading of the page (find-heir.ts, which is loaded when it is needed first).
 */
import type { Place } from './find-heir.ts';

/** For how long after a change of the page others may set the focus themselves, in ms: dialogs and menus do so a moment later. */
const graceMs = 50;

/** Begins to watch the document, once. */
export function keepFocus(): void {
  let last: Place | null = null;
  let isScheduled = false;
  const restore = async () => {
    isScheduled = false;
    if (!isFocusLost()) return;
    const { findHeir } = await import('./find-heir.ts');
    if (last === null || !isFocusLost()) return;
    const heir = findHeir(last);
    if (heir === null || heir === document.activeElement) return;
    if (isHeading(heir)) heir.tabIndex = -1;
    heir.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', ({ target }) => {
    // A heading only stands in until what belongs in the place is there.
    if (target instanceof HTMLElement && !isHeading(target)) last = placeOf(target);
  });
  // Somebody who presses where nothing takes the focus does not want it kept.
  document.addEventListener('mousedown', () =>
    setTimeout(() => {
      if (hasNoFocus()) last = null;
    }),
  );
  new MutationObserver(() => {
    if (last === null || isScheduled) return;
    isScheduled = true;
    // Without a network the page stays as it is.
    setTimeout(() => void restore().catch(() => undefined), graceMs);
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'data-loading'],
  });
}

/** Whether the next key goes nowhere: nothing has the focus, or only the heading that stands in for what had it. */
export function isFocusLost(): boolean {
  return hasNoFocus() || isHeading(document.activeElement);
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isHeading(element: Element | null): boolean {
  return element?.matches('h1') === true;
}

function placeOf(element: HTMLElement): Place {
  const row = element.closest('li');
  const list = row?.parentElement ?? null;
  const index = row === null || list === null ? -1 : [...list.children].indexOf(row);
  return { element, row, list, index, path: location.pathname };
}
