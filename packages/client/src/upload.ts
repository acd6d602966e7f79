/** Uploads a knowledge file: its record, then its bytes, as two writes under keys that are derived from one. */

import type { ApiClient, WriteOptions } from './api-client.ts';
import type { Content } from './content.ts';
import type { KnowledgeFile, KnowledgeFileCreate } from './generated/types.ts';
import { makeIdempotencyKey } from './keys.ts';
import type { ApiResponse } from './response.ts';

/** What is uploaded. */
export interface Upload extends Omit<WriteOptions, 'ifMatch'> {
  readonly record: KnowledgeFileCreate;
  readonly content: Content;
  /** Name of the file; that of a `File` when absent. */
  readonly fileName?: string | undefined;
}

/**
 * Uploads a file. After a failure, or in a later run of the program, the same call under the same `idempotencyKey` continues
 * where it was: there is one record, and its content is stored once.
 * @throws ProblemError; the reason of the signal when it is aborted
 */
export async function uploadKnowledgeFile(
  client: ApiClient,
  upload: Upload,
): Promise<ApiResponse<KnowledgeFile>> {
  const { record, content, signal, attempts, idempotencyKey = makeIdempotencyKey() } = upload;
  const fileName = upload.fileName ?? (content instanceof File ? content.name : undefined);
  const options = { signal, attempts };
  const created = await client.call('createKnowledgeFile', {
    body: record,
    idempotencyKey: `${idempotencyKey}:record`,
    ...options,
  });
  return client.call('putKnowledgeFileContent', {
    path: { id: created.body.id },
    query: fileName === undefined ? {} : { fileName },
    body: content,
    idempotencyKey: `${idempotencyKey}:content`,
    ...options,
  });
}
