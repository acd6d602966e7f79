/** A program with the client of swagger-typescript-api. */
import type { Connect } from './file-client.ts';
import { Api } from './generated/swagger-typescript-api.ts';

export const connect: Connect = (baseUrl, token) => {
  const { v1 } = new Api({
    baseUrl,
    securityWorker: () => ({ headers: { authorization: `Bearer ${token}` } }),
  });
  const key = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } });
  return {
    create: async (name) => (await v1.createKnowledgeFile({ name }, key())).data,
    read: async (id) => (await v1.getKnowledgeFile(id)).data,
    list: async (limit, cursor) => (await v1.listKnowledgeFiles({ limit, cursor })).data,
    listVisible: async (visibility) => (await v1.listKnowledgeFiles({ visibility })).data,
    rename: async (id, name) => (await v1.updateKnowledgeFile(id, { name }, key())).data,
    upload: async (id, file) => (await v1.putKnowledgeFileContent(id, { file }, {}, key())).data,
    download: async (id) => (await v1.getKnowledgeFileContent(id, { format: 'blob' })).data,
    readProblem: (id) =>
      v1.getKnowledgeFile(id).then(
        () => 'none',
        ({ error }) => error.code,
      ),
  };
};
