/** A program with the client of oazapfts. */
import { ok, runtime } from '@oazapfts/runtime';
import type { Connect } from './file-client.ts';
import * as api from './generated/oazapfts.ts';

export const connect: Connect = (baseUrl, token) => {
  Object.assign(api.defaults, { baseUrl, headers: { authorization: `Bearer ${token}` } });
  return {
    create: (name) => ok(api.createKnowledgeFile(crypto.randomUUID(), { name })),
    read: (id) => ok(api.getKnowledgeFile(id)),
    list: (limit, cursor) => ok(api.listKnowledgeFiles({ limit, cursor })),
    listVisible: (visibility) => ok(api.listKnowledgeFiles({ visibility })),
    rename: (id, name) => ok(api.updateKnowledgeFile(id, crypto.randomUUID(), { name })),
    upload: (id, file) => ok(api.putKnowledgeFileContent(id, crypto.randomUUID(), { file })),
    // The generated function reads bytes as text where another response of the operation, here a problem, is JSON.
    download: async (id) => {
      const { status, data } = await runtime(api.defaults).fetchBlob(`/v1/knowledge-files/${id}/content`);
      if (status !== 200 || !(data instanceof Blob)) throw new Error(`the response is ${status}`);
      return data;
    },
    async readProblem(id) {
      const response = await api.getKnowledgeFile(id);
      return response.status === 404 ? response.data.code : String(response.status);
    },
  };
};
