/** A program with orval's client for `fetch`, which has the address of the document. */
import type { Connect } from './file-client.ts';
import * as api from './generated/orval.ts';

export const connect: Connect = (_url, token) => {
  const authorization = `Bearer ${token}`;
  const reading = { headers: { authorization } };
  const writing = () => ({ headers: { authorization, 'Idempotency-Key': crypto.randomUUID() } });
  return {
    async create(name) {
      const response = await api.createKnowledgeFile({ name }, writing());
      if (response.status !== 201) throw response.data;
      return response.data;
    },
    async read(id) {
      const response = await api.getKnowledgeFile(id, {}, reading);
      if (response.status !== 200) throw response;
      return response.data;
    },
    async list(limit, cursor) {
      const response = await api.listKnowledgeFiles({ limit, cursor }, reading);
      if (response.status !== 200) throw response.data;
      return response.data;
    },
    async listVisible(visibility) {
      const response = await api.listKnowledgeFiles({ visibility }, reading);
      if (response.status !== 200) throw response.data;
      return response.data;
    },
    async rename(id, name) {
      const response = await api.updateKnowledgeFile(id, { name }, writing());
      if (response.status !== 200) throw response.data;
      return response.data;
    },
    async upload(id, file) {
      const response = await api.putKnowledgeFileContent(id, { file }, {}, writing());
      if (response.status !== 200) throw response.data;
      return response.data;
    },
    async download(id) {
      const response = await api.getKnowledgeFileContent(id, reading);
      if (response.status !== 200) throw response;
      return response.data;
    },
    async readProblem(id) {
      const response = await api.getKnowledgeFile(id, {}, reading);
      return response.status === 404 ? response.data.code : String(response.status);
    },
  };
};
