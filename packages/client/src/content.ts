/** The bytes of an upload, in forms that can be sent again: a stream could be read only once. */

/** What an upload may be given as. A `Blob` (a `File` of a form or a drop) is not read into memory at once. */
export type Content = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Number of bytes. */
export function sizeOf(content: Content): number {
  return content instanceof Blob ? content.size : content.byteLength;
}

/** Whether a body is content; all others are sent as JSON. */
export function isContent(body: object | Content | null): body is Content {
  return body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

/**
 * The digest of bytes in memory, with which the server refuses what was damaged on the way (RFC 9530, `Content-Digest`). Null for a
 * `Blob`, which would have to be read twice, and in pages that are not served over https, which have no `crypto.subtle`.
 */
export async function digestOf(content: Content): Promise<string | null> {
  if (content instanceof Blob || globalThis.crypto?.subtle === undefined) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
  return `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
}
