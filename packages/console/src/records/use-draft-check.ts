/**
 * The check of forms and dialogs by the rules of its resource, loaded with the first one. Until it is loaded, and if it cannot be, nothing is found
 * before sending: the server checks every write.
 */

import { useEffect, useRef } from 'react';
import type { findFaults } from '../fields/check-draft.ts';

/**
 * Finds the faults of a draft.
 * @param isNeeded whether there are rules to load
 */
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
