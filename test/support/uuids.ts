/** Creates UUIDv7s for given times. */
import { V7Generator } from 'uuidv7';

/** A UUIDv7 with a timestamp. `instantMs`: milliseconds since 1970. */
export function uuidAt(instantMs: number): string {
  return new V7Generator().generateOrResetWithTs(instantMs).toString();
}
