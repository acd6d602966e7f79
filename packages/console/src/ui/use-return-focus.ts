/** Gives the focus back when a dialog has gone. Mantine does so for dialogs that stay mounted, not for those that exist while they are open. */
import { useEffect, useState } from 'react';

/** To be called by the dialog. What had the focus when it opened gets it back, unless that is gone or something else has it. */
export function useReturnFocus(): void {
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && isFocusLost()) opener.focus({ preventScroll: true });
    },
    [opener],
  );
}

/** What has the focus, or the button of the menu that it is in: an item is gone with its menu. */
function findOpener(): Element | null {
  const focused = document.activeElement;
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return typeof button === 'string' ? document.getElementById(button) : focused;
}

/** Whether nothing on the page has the focus, so that the next key goes nowhere. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
