/** The page of an address that there is not. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/Empty.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useText } from '../text/text.ts';

export function NotFoundPage() {
  const text = useText();
  useTitle(text('notFound.title'));
  return (
    <Empty heading title={text('notFound.title')} about={text('notFound.about')}>
      <Anchor component={Link} to="/">
        {text('notFound.home')}
      </Anchor>
    </Empty>
  );
}
