/** Articles on a real server for tests of the editor's saving, and browsers whose tabs edit them. */
import type { TestContext } from 'node:test';
import { ApiClient } from '@trellis/client/api-client.ts';
import { startTestServer } from '../../support/server.ts';
import { ArticleTab, type TabOptions } from './article-tab.ts';
import { TestBrowserStorage } from './tabs.ts';

export const paragraphs = 'One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n';

/** Starts a server with a site. */
export async function startArticles() {
  const server = await startTestServer();
  const client = new ApiClient({ baseUrl: server.url, token: server.token });
  const siteId = (await client.call('createSite', { body: { name: 'Blog', key: 'blog' } })).body.id;
  return {
    server,
    client,
    siteId,
    close: () => server.close(),
    /** Creates an article, with a browser whose tabs are closed after the test. */
    async create(context: TestContext) {
      const body = { versionData: { title: 'Title', body: paragraphs } };
      const { id } = (await client.call('createArticle', { path: { siteId }, body })).body;
      const path = `/v1/sites/${siteId}/articles/${id}`;
      const storage = new TestBrowserStorage();
      const read = async () => (await client.call('getArticle', { path: { siteId, id } })).body;
      /** Somebody else changes it. */
      const update = async (versionData: object) =>
        (await client.call('updateArticle', { path: { siteId, id }, body: { versionData } })).body;
      return {
        id,
        path,
        storage,
        read,
        readText: async () => (await read()).versionData.body,
        update,
        /** Somebody else replaces a passage. @throws Error when there is no such passage */
        async change(from: string, to: string) {
          const text = (await read()).versionData.body ?? '';
          if (!text.includes(from)) throw new Error(`"${from}" is not in ${text}`);
          await update({ body: text.replace(from, to) });
        },
        async open(options?: TabOptions): Promise<ArticleTab> {
          const tab = await ArticleTab.open(storage, server, path, options);
          context.after(() => tab.close());
          return tab;
        },
      };
    },
  };
}

export type TestArticles = Awaited<ReturnType<typeof startArticles>>;
