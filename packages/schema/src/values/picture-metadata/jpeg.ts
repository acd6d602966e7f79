/** Removes the metadata of a JPEG (ITU-T T.81, B): of its application segments only those stay that decide about colors. */
import { Parts, textAt, viewOf } from './parts.ts';

const endOfImage = 0xd9;
const startOfScan = 0xda;
/** JFIF without a small copy of the picture. */
const shortJfif = 18;

/** @throws Error for what is no JPEG */
export function cleanJpeg(bytes: Uint8Array): Parts {
  const parts = new Parts(bytes);
  const view = viewOf(bytes);
  if (view.getUint16(0) !== 0xffd8) throw new Error('The picture is no JPEG.');
  parts.keep(0, 2);
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) throw new Error('A segment of the picture does not begin with a marker.');
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (marker === endOfImage) {
      parts.keep(at, at + 2);
      // Further pictures and films that phones append, and whatever else.
      parts.remove(at + 2, bytes.length);
      break;
    } else if (marker < 0xc0 || marker === 0xd8) {
      throw new Error('The picture has a marker without a meaning.');
    } else {
      const end = at + 2 + view.getUint16(at + 2);
      const endOfData = marker === startOfScan ? endOfScan(bytes, end) : end;
      if (isKept(bytes, marker, at, end)) parts.keep(at, endOfData);
      else parts.remove(at, end);
      at = endOfData;
    }
  }
  return parts;
}

function isKept(bytes: Uint8Array, marker: number, at: number, end: number): boolean {
  // Frames, tables, scans.
  if (marker < 0xe0) return true;
  const name = textAt(bytes, at + 4, 12);
  if (marker === 0xe0) return name.startsWith('JFIF\0') && end - at <= shortJfif;
  if (marker === 0xe2) return name === 'ICC_PROFILE\0';
  return marker === 0xee && name.startsWith('Adobe');
}

/** Where the data of a scan end: at the next marker that is none of those within data. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}
