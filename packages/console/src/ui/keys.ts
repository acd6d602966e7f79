/** How keys are called, and whether those without Ctrl are on. */

/** The name of the key that commands are given with. */
export const modKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

const stored = 'trellis.single-keys';

/** Whether keys without Ctrl are on. */
export function readSingleKeys(): boolean {
  return localStorage.getItem(stored) !== 'off';
}

export function storeSingleKeys(on: boolean): void {
  localStorage.setItem(stored, on ? 'on' : 'off');
}
