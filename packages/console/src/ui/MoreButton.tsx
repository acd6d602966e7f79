/** Reads the next page of a list, if there is one. */
import { Button } from '@mantine/core';

interface Props {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
  readonly label: string;
  readonly size?: 'xs';
}

export function MoreButton({ list, label, size }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="default"
      {...(size === undefined ? {} : { size })}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
