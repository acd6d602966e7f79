/** Lists that are read page by page. */
import type { Page } from './api.ts';

/** Reads one page of a list. `cursor`: where it begins; undefined for the first. */
type ReadPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** The pages of a list, one after the other. */
export async function* readPages<Item>(
  read: ReadPage<Item>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await read(cursor);
    yield page.items;
    cursor = byCursor.getNextPageParam(page);
  } while (cursor !== undefined);
}

/** All items of a list. */
export async function readAll<Item>(read: ReadPage<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of readPages(read)) items.push(...page);
  return items;
}

/**
 * The first items of a list.
 * @param most how many at most
 * @param note called after each page with the number of items so far
 * @returns whether there are more, too
 */
export async function readFirst<Item>(
  most: number,
  read: ReadPage<Item>,
  note?: (count: number) => void,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  const items: Item[] = [];
  for await (const page of readPages(read)) {
    items.push(...page);
    note?.(Math.min(items.length, most));
    if (items.length > most) break;
  }
  return { items: items.slice(0, most), hasMore: items.length > most };
}

/** How `useInfiniteQuery` goes from page to page. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pageInfo: { hasNextPage, nextCursor } }: Page<unknown>): string | undefined =>
    hasNextPage && nextCursor !== null ? nextCursor : undefined,
};
