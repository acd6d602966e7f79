/** Compares searches with the model: all pages together have exactly the expected hits, in any order. */
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { type Conversation, expectEqual } from './conversation.ts';
import { expectedHits, type FileQuery } from './files.ts';
import type { User } from './organizations.ts';
import { collectionPath, type State } from './state.ts';

/** Searches files as the user, and expects each matching file exactly once, and no other. */
export async function compareHits(
  talk: Conversation,
  state: State,
  user: User,
  query: FileQuery,
  limit: number,
): Promise<void> {
  const expected = expectedHits(state, user, query)
    .map(({ id }) => id)
    .sort();
  const [text, isTypo] = query;
  // Similar titles are returned on one page.
  const parameters = new URLSearchParams({ query: text, limit: String(isTypo ? 100 : limit) });
  const found: string[] = [];
  do {
    const path = `${collectionPath(knowledgeFiles, null)}/search?${parameters}`;
    const response = await talk.send(user, 'GET', path);
    expectEqual(response.status, 200, `status, with ${response.text}`);
    found.push(...response.json.items.map(({ id }: { id: string }) => id));
    const { nextCursor } = response.json.pageInfo;
    if (nextCursor === null) break;
    parameters.set('cursor', nextCursor);
  } while (found.length <= expected.length);
  expectEqual(found.sort(), expected, 'ids found');
}
