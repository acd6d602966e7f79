/** The page of an address that there is not. */
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../text/text.ts';
import { Empty } from '../ui/Empty.tsx';
import { useTitle } from '../ui/use-title.ts';

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
