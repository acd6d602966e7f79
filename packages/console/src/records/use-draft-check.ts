/**
 * Validation of drafts in forms and dialogs. The rules load on first use; until then, or if loading fails, validation finds no faults and
 * only the server checks.
 */

import { useEffect, useRef } from 'react';
import type { findFaults } from '../fields/check-draft.ts';

/** Returns the validation function. @param isNeeded whether to load the rules */
export function useDraftCheck(isNeeded = true): typeof findFaults {
  const loaded = useRef<typeof findFaults>(() => []);
  useEffect(() => {
    if (!isNeeded) return;
    import('../fields/check-draft.ts').then(
      (module) => {
        loaded.current = module.findFaults;
      },
      () => undefined,
    );
  }, [isNeeded]);
  return (...draft) => loaded.current(...draft);
}
