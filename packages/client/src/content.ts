/** The bytes of an upload, in forms that can be sent again: a stream could be read only once. */

/** What an upload may be given as. A `Blob` (a `File` of a form or a drop) is not read into memory at once. */
export type Content = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Number of bytes. */
export function sizeOf(content: Content): number {
  return content instanceof Blob ? content.size : content.byteLength;
}
