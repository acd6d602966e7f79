/** The status of pending changes. Its content is loaded when there are any. */
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useWaiting } from '../outbox/edit/use-changes.ts';

const WaitingButton = lazy<ComponentType>(() =>
  import('./WaitingButton.tsx').then(
    (module) => ({ default: module.WaitingButton }),
    // The server is gone before a page with a form was opened. The changes are kept all the same.
    () => ({ default: () => null }),
  ),
);

export function WaitingStatus() {
  const { changes } = useWaiting();
  // Stays when the last change is done: its list may be open.
  const [isNeeded, setIsNeeded] = useState(false);
  if (changes.length > 0 && !isNeeded) setIsNeeded(true);
  return (
    <div role="status">
      <Suspense>{isNeeded && <WaitingButton />}</Suspense>
    </div>
  );
}
