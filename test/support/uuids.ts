/** UUIDv7s of chosen instants. */
import { V7Generator } from 'uuidv7';

/** A UUIDv7 that is stamped with this instant. `instantMs`: milliseconds since 1970. */
export function uuidAt(instantMs: number): string {
  return new V7Generator().generateOrResetWithTs(instantMs).toString();
}
