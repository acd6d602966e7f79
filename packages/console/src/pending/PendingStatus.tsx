/** The status of pending changes. Its content is loaded when there are any. */
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { usePendingChanges } from '../outbox/edit/use-changes.ts';

const PendingButton = lazy<ComponentType>(() =>
  import('./PendingButton.tsx').then(
    (module) => ({ default: module.PendingButton }),
    // The server is gone before a page with a form was opened. The changes are kept all the same.
    () => ({ default: () => null }),
  ),
);

export function PendingStatus() {
  const { changes } = usePendingChanges();
  // Stays when the last change is done: its list may be open.
  const [isNeeded, setIsNeeded] = useState(false);
  if (changes.length > 0 && !isNeeded) setIsNeeded(true);
  return (
    <div role="status">
      <Suspense>{isNeeded && <PendingButton />}</Suspense>
    </div>
  );
}
