/** Pseudorandom bytes, the same in every run. */
import { createHash } from 'node:crypto';

/** Pseudorandom bytes of no known format. They are not text, since the first is invalid in UTF-8. */
export function makeNoise(length: number): Buffer {
  const blocks: Buffer[] = [Buffer.from([0xff, 0x00])];
  for (let index = 0; index * 32 < length; index += 1) {
    blocks.push(createHash('sha256').update(String(index)).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}
