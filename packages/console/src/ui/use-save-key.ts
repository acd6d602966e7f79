/** Ctrl-S saves what a page shows, unless a dialog covers it: whoever is asked something has not asked for what is behind it. */
import { useHotkeys } from '@mantine/hooks';

export function useSaveKey(save: () => void): void {
  const saveUncovered = () => {
    if (document.querySelector('[aria-modal="true"]') === null) save();
  };
  useHotkeys([['mod+S', saveUncovered]], [], true);
}
