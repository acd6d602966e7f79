/** Removes the metadata of a PNG (W3C PNG, third edition): only chunks stay that decide what it shows, those of animations among them. */
import { nameAt, Parts, viewOf } from './parts.ts';

const kept = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
);

/** @throws Error for what is no PNG */
export function cleanPng(bytes: Uint8Array): Parts {
  const parts = new Parts(bytes);
  const view = viewOf(bytes);
  parts.keep(0, 8);
  for (let at = 8; at < bytes.length; ) {
    const name = nameAt(bytes, at + 4);
    const end = at + 12 + view.getUint32(at);
    if (kept.has(name)) parts.keep(at, end);
    else parts.remove(at, end);
    at = end;
    if (name === 'IEND') {
      parts.remove(at, bytes.length);
      break;
    }
  }
  return parts;
}
