/** The page when nothing can be shown at all. */
import { Empty } from '../parts/Empty.tsx';
import { describeError } from '../parts/problem-text.ts';
import { RetryButton } from '../parts/RetryButton.tsx';
import { useText } from '../text/text.ts';

export function FailurePage({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const text = useText();
  return (
    <main>
      <Empty heading icon="warning" title={text('failure.title')} about={describeError(error, text)}>
        <RetryButton error={error} retry={retry} />
      </Empty>
    </main>
  );
}
