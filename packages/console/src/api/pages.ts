/** Lists that are read whole. */
import type { Page } from './api.ts';

/**
 * The pages of a list, one after the other.
 * @param read reads one page; `cursor`: where it begins, null for the first
 */
export async function* readPages<Item>(
  read: (cursor: string | null) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let cursor: string | null = null;
  do {
    const { items, pageInfo }: Page<Item> = await read(cursor);
    yield items;
    cursor = pageInfo.hasNextPage ? pageInfo.nextCursor : null;
  } while (cursor !== null);
}

/**
 * The first items of a list.
 * @param most how many at most
 * @param read as of `readPages`
 * @returns whether there are more, too
 */
export async function readFirst<Item>(
  most: number,
  read: (cursor: string | null) => Promise<Page<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  const items: Item[] = [];
  for await (const page of readPages(read)) {
    items.push(...page);
    if (items.length > most) break;
  }
  return { items: items.slice(0, most), hasMore: items.length > most };
}
