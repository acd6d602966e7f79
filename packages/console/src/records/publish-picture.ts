/** Makes a picture public. A public picture is visible to all members as well. */
import type { OperationRequest } from '@trellis/client/api-client.ts';
import { requestOf } from '@trellis/client/api-client.ts';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { etagOf } from '@trellis/client/response.ts';

/** Whether publishing the picture makes the file visible to more members. */
export function isOpenedWithPicture({ publicSince, visibility }: KnowledgeFile): boolean {
  return publicSince === null && visibility !== 'ORGANIZATION';
}

/** @param send sends a request; its errors are passed on */
export async function publishPicture(
  file: KnowledgeFile,
  send: (request: OperationRequest<KnowledgeFile>) => Promise<unknown>,
): Promise<void> {
  const path = { id: file.id };
  if (isOpenedWithPicture(file)) {
    const body = { visibility: 'ORGANIZATION' } as const;
    await send(requestOf('updateKnowledgeFile', { path, body, ifMatch: etagOf(file.version) }));
  }
  await send(requestOf('publishKnowledgeFilePicture', { path }));
}
