/** A program with the types of openapi-typescript and the client openapi-fetch. */
import createClient from 'openapi-fetch';
import type { Connect } from './file-client.ts';
import type { paths } from './generated/openapi-typescript.d.ts';

export const connect: Connect = (baseUrl, token) => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  const item = '/v1/knowledge-files/{id}';
  return {
    create: async (name) =>
      dataOf(await client.POST('/v1/knowledge-files', { params: { header: key() }, body: { name } })),
    read: async (id) => dataOf(await client.GET(item, { params: { path: { id } } })),
    list: async (limit, cursor) =>
      dataOf(await client.GET('/v1/knowledge-files', { params: { query: { limit, cursor } } })),
    listVisible: async (visibility) =>
      dataOf(await client.GET('/v1/knowledge-files', { params: { query: { visibility } } })),
    rename: async (id, name) =>
      dataOf(await client.PATCH(item, { params: { path: { id }, header: key() }, body: { name } })),
    upload: async (id, file) =>
      dataOf(
        await client.PUT('/v1/knowledge-files/{id}/content', {
          params: { path: { id }, header: key() },
          // Bytes are texts in the types of openapi-typescript; forms have to be made as its documentation shows.
          body: { file: '' },
          bodySerializer() {
            const form = new FormData();
            form.set('file', file);
            return form;
          },
        }),
      ),
    async download(id) {
      const options = { params: { path: { id } }, parseAs: 'blob' } as const;
      const { data, error } = await client.GET('/v1/knowledge-files/{id}/content', options);
      if (error !== undefined) throw error;
      // An empty content is no data.
      return data ?? new Blob([]);
    },
    readProblem: async (id) => String((await client.GET(item, { params: { path: { id } } })).error?.code),
  };
};

function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw error;
  return data;
}
