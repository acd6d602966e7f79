/** A program with the client of @hey-api/openapi-ts. */
import type { Connect } from './file-client.ts';
import { client } from './generated/hey-api/client.gen.ts';
import * as api from './generated/hey-api/index.ts';

export const connect: Connect = (baseUrl, token) => {
  client.setConfig({ baseUrl, auth: token });
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  return {
    create: async (name) => dataOf(await api.createKnowledgeFile({ headers: key(), body: { name } })),
    read: async (id) => dataOf(await api.getKnowledgeFile({ path: { id } })),
    list: async (limit, cursor) => dataOf(await api.listKnowledgeFiles({ query: { limit, cursor } })),
    listVisible: async (visibility) => dataOf(await api.listKnowledgeFiles({ query: { visibility } })),
    rename: async (id, name) =>
      dataOf(await api.updateKnowledgeFile({ path: { id }, headers: key(), body: { name } })),
    upload: async (id, file) =>
      dataOf(await api.putKnowledgeFileContent({ path: { id }, headers: key(), body: { file } })),
    // Otherwise the media type of the file decides: a file of JSON would be an object, and one of text a text.
    download: async (id) => dataOf(await api.getKnowledgeFileContent({ path: { id }, parseAs: 'blob' })),
    readProblem: async (id) => String((await api.getKnowledgeFile({ path: { id } })).error?.code),
  };
};

function dataOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw error;
  return data;
}
