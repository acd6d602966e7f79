/** Removes the metadata of a GIF (GIF89a): comments, texts, and all extensions of programs but the one that repeats an animation. */
import { Parts, textAt, viewOf } from './parts.ts';

const repeating = ['NETSCAPE2.0', 'ANIMEXTS1.0'];
/** Of an extension that says how often to repeat, in bytes, with more than enough for one that has a buffer size. */
const longestRepeating = 32;

/** @throws Error for what is no GIF */
export function cleanGif(bytes: Uint8Array): Parts {
  const parts = new Parts(bytes);
  const view = viewOf(bytes);
  const tableOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const endOfBlocks = (start: number) => {
    let at = start;
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
    return at + 1;
  };
  let at = 13 + tableOf(view.getUint8(10));
  parts.keep(0, at);
  while (at < bytes.length) {
    const kind = view.getUint8(at);
    if (kind === 0x3b) {
      parts.keep(at, at + 1);
      parts.remove(at + 1, bytes.length);
      break;
    }
    if (kind === 0x2c) {
      const end = endOfBlocks(at + 11 + tableOf(view.getUint8(at + 9)));
      parts.keep(at, end);
      at = end;
      continue;
    }
    if (kind !== 0x21) throw new Error('The picture has a block without a meaning.');
    const label = view.getUint8(at + 1);
    const end = endOfBlocks(at + 2);
    const isRepeating =
      label === 0xff && end - at <= longestRepeating && repeating.includes(textAt(bytes, at + 3, 11));
    if (label === 0xf9 || isRepeating) parts.keep(at, end);
    else parts.remove(at, end);
    at = end;
  }
  return parts;
}
