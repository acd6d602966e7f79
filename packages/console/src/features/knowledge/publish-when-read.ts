/** Makes a new picture public, once the server has read it. */
import { requestOf } from '@trellis/client/api-client.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import type { Api } from '../../api/api.ts';

/** How often a new picture is looked at until it has been read, in ms. */
const refreshMs = 1_000;

/**
 * Makes a new picture public, when it has been read.
 * @returns why it is not public, with null for a picture that cannot be read; null when it is
 * @throws what the signal says, when the page is left
 */
export async function publishWhenRead(
  api: Api,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly error: unknown } | null> {
  try {
    for (;;) {
      const { status } = await api.read('getKnowledgeFile', { path: { id }, signal });
      if (status === 'FAILED') return { error: null };
      if (status === 'NOT_APPLICABLE') break;
      await new Promise((resolve) => setTimeout(resolve, refreshMs));
      signal.throwIfAborted();
    }
    const request = requestOf('publishKnowledgeFilePicture', { path: { id } });
    await api.write({ ...request, idempotencyKey: makeIdempotencyKey() });
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
}
