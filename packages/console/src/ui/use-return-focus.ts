/** Gives the focus back when a dialog has gone. Mantine does so for dialogs that stay mounted, not for those that exist while they are open. */
import { useEffect, useRef, useState } from 'react';
import { isFocusLost } from './keep-focus.ts';

/** What opened the dialog that was opened last, and, where that was in another dialog, what opened that one. */
let known: readonly HTMLElement[] = [];

/**
 * To be called by the dialog. What had the focus when it opened gets it back, unless that is gone or something else has it. What was in a
 * dialog is gone with it; then what opened that one gets the focus.
 * @returns gives up the focus instead, for a dialog that leads to another page
 */
export function useReturnFocus(): () => void {
  const [openers] = useState(findOpeners);
  const isGivenUp = useRef(false);
  useEffect(() => {
    known = openers;
    return () => {
      if (!isGivenUp.current && isFocusLost())
        openers.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
    };
  }, [openers]);
  return () => {
    isGivenUp.current = true;
  };
}

/** What has the focus, or the button of the menu that it is in: an item is gone with its menu. */
function findOpeners(): readonly HTMLElement[] {
  const focused = document.activeElement;
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = typeof button === 'string' ? document.getElementById(button) : focused;
  if (!(opener instanceof HTMLElement)) return [];
  return opener.closest('[role="dialog"]') === null ? [opener] : [opener, ...known];
}
