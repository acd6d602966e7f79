/**
 * Counts the scans of a JPEG (ITU-T T.81, B). A progressive one is decoded scan by scan, each time with all of its blocks, and a scan that changes
 * little has few bytes: without a limit, a small file takes seconds.
 */

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** The number of scans of the first image in the file. */
export function countScans(bytes: Uint8Array): number {
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === endOfImage) break;
    if (marker === startOfScan) scans += 1;
    if (marker === 0xff) at += 1;
    else at += hasLength(marker) ? 2 + Math.max(2, lengthAt(bytes, at + 2)) : 2;
  }
  return scans;
}

/** Within the data of a scan, 0xff is followed by 0 or a restart marker; neither has a length. */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && marker !== startOfImage && !(marker >= 0xd0 && marker <= 0xd7);
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) + (bytes[at + 1] ?? 0);
}
