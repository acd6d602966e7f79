/**
 * Contents that the process keeps for all responses, such as documents and scripts. The network reads them from the one buffer, so that
 * responses with them cost no memory, however slowly clients read.
 */
const shared = new WeakSet<object>();

/** Marks a content that is kept anyway. @returns the content */
export function share(content: Buffer): Buffer {
  shared.add(content);
  return content;
}

/** Whether a content is kept anyway. */
export function isShared(content: string | Buffer): boolean {
  return typeof content === 'object' && shared.has(content);
}
