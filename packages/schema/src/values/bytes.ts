/** Lengths of texts as they are stored and sent. */

const encoder = new TextEncoder();

/** Receives the encoded text piece by piece, so that counting its bytes does not copy it whole. */
const buffer = new Uint8Array(16_384);

/** The length of a text in UTF-8, in bytes. Half of a surrogate pair counts as U+FFFD, which is sent in its place. */
export function countBytes(text: string): number {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), buffer);
    at += read;
    bytes += written;
  }
  return bytes;
}
