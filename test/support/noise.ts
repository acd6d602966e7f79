/** Bytes without a pattern, the same in every run. */
import { createHash } from 'node:crypto';

/** Bytes that look random. They are no text: the first is not valid in UTF-8, and begins no format. */
export function makeNoise(length: number): Buffer {
  const blocks: Buffer[] = [Buffer.from([0xff, 0x00])];
  for (let index = 0; index * 32 < length; index += 1) {
    blocks.push(createHash('sha256').update(String(index)).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}
