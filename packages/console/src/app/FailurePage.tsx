/** The page when nothing can be shown at all. */
import { Button } from '@mantine/core';
import { Empty } from '../parts/Empty.tsx';
import { describeError } from '../parts/problem-text.ts';
import { useText } from '../text/text.ts';

export function FailurePage({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const text = useText();
  return (
    <main>
      <Empty heading icon="warning" title={text('failure.title')} about={describeError(error, text)}>
        <Button variant="default" onClick={retry}>
          {text('retry')}
        </Button>
      </Empty>
    </main>
  );
}
