/** Removes the metadata of a WebP (RFC 9649): only chunks stay that decide what it shows, those of animations among them. */
import { nameAt, Parts, sizeOf, viewOf } from './parts.ts';

const chunks = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']);
const chunksOfFrame = new Set(['ALPH', 'VP8 ', 'VP8L']);
/** In the flags of the file: that it has EXIF or XMP. */
const metadataFlags = 0x0c;
/** Bytes of a frame before its chunks. */
const frameHeader = 16;

/** @throws Error for what is no WebP */
export function cleanWebp(bytes: Uint8Array): Parts {
  const parts = new Parts(bytes);
  const view = viewOf(bytes);
  const end = Math.min(bytes.length, 8 + view.getUint32(4, true));
  const content = new Parts(bytes);
  eachChunk(bytes, 12, end, (name, start, next) => {
    if (!chunks.has(name)) content.remove(start, next);
    else if (name === 'ANMF') keepFrame(content, start, next);
    else if (name === 'VP8X') {
      content.keep(start, start + 8);
      content.replace(start + 8, start + 9, Uint8Array.of(view.getUint8(start + 8) & ~metadataFlags));
      content.keep(start + 9, next);
    } else content.keep(start, next);
  });
  content.remove(end, bytes.length);
  parts.keep(0, 4);
  parts.replace(4, 8, littleEndian(4 + sizeOf(content.kept)));
  parts.keep(8, 12);
  append(parts, content);
  return parts;
}

function keepFrame(parts: Parts, start: number, end: number): void {
  const first = start + 8 + frameHeader;
  const content = new Parts(parts.bytes);
  const size = viewOf(parts.bytes).getUint32(start + 4, true);
  eachChunk(parts.bytes, first, start + 8 + size, (name, from, next) => {
    if (chunksOfFrame.has(name)) content.keep(from, next);
    else content.remove(from, next);
  });
  if (content.removed.length === 0) {
    parts.keep(start, end);
    return;
  }
  parts.keep(start, start + 4);
  parts.replace(start + 4, start + 8, littleEndian(frameHeader + sizeOf(content.kept)));
  parts.keep(start + 8, first);
  append(parts, content);
}

function append(parts: Parts, { kept, removed }: Parts): void {
  for (const part of kept) {
    if ('bytes' in part) parts.kept.push(part);
    else parts.keep(part.start, part.end);
  }
  parts.removed.push(...removed);
}

/** Chunks have an even number of bytes, of which the last one may not belong to the data. */
function eachChunk(
  bytes: Uint8Array,
  start: number,
  end: number,
  use: (name: string, start: number, end: number) => void,
): void {
  for (let at = start; at < end; ) {
    const size = viewOf(bytes).getUint32(at + 4, true);
    const next = at + 8 + size + (size % 2);
    // The byte behind the last chunk may be missing.
    use(nameAt(bytes, at), at, next === end + 1 ? end : next);
    at = next;
  }
}

function littleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value, true);
  return bytes;
}
