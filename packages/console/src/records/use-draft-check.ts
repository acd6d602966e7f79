/**
 * The check of a form by the rules of its resource, loaded with the first form. Until it is loaded, and if it cannot be, nothing is found
 * before sending: the server checks every write.
 */

import { useEffect, useRef } from 'react';
import type { findFaults } from '../fields/check-draft.ts';

/** Finds the faults of a draft. */
export function useDraftCheck(): typeof findFaults {
  const loaded = useRef<typeof findFaults>(() => []);
  useEffect(() => {
    import('../fields/check-draft.ts').then(
      (module) => {
        loaded.current = module.findFaults;
      },
      () => undefined,
    );
  }, []);
  return (...draft) => loaded.current(...draft);
}
