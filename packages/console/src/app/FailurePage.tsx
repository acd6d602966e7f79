/** The page when nothing can be shown at all. */

import { useNames } from '../text/names.ts';
import { useText } from '../text/text.ts';
import { Empty } from '../ui/Empty.tsx';
import { describeError } from '../ui/problem-text.ts';
import { RetryButton } from '../ui/RetryButton.tsx';

export function FailurePage({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const text = useText();
  const names = useNames();
  return (
    <main>
      <Empty heading icon="warning" title={text('failure.title')} about={describeError(error, text, names)}>
        <RetryButton error={error} retry={retry} />
      </Empty>
    </main>
  );
}
