/**
 * The header `Trellis-Read-After`: responses of writes say with it from where on a replica shows them, and reads say with it what they
 * must see (docs/decisions/0108-reads-from-replicas.md). A caller who can write and sends nothing reads from the primary, so nobody
 * misses an own write for not knowing the header. Positions are sealed, because they show how much the installation writes.
 */
import { anyPosition, isPosition, laterPosition, type WalPosition } from '../database/wal-position.ts';
import type { Actor } from '../identity/actor.ts';
import { Sealer } from '../lib/sealer.ts';

export const readAfterHeader = 'trellis-read-after';

/** The values of the header that are no positions. */
const readAfterWords = {
  /** Everything that was committed before: the primary serves the read. Of a write whose position is not known, too. */
  now: 'now',
  /** Nothing in particular: rows may be two seconds old. */
  none: 'none',
} as const;

/** Maximum number of positions in a request: those of writes at the same time, whose order the caller does not know. */
const mostPositions = 8;
/** Characters of a sealed position. */
const sealedLength = 72;
const maxLength = mostPositions * (sealedLength + 2);

export class ReadAfter {
  private readonly sealer: Sealer;

  /** @param key 32 bytes, the same on all nodes */
  constructor(key: Buffer) {
    this.sealer = new Sealer(key);
  }

  /** The value for the response of a write. @param position null if it is not known */
  write(organizationId: string, position: WalPosition | null): string {
    return position === null ? readAfterWords.now : this.sealer.seal(position, organizationId);
  }

  /**
   * What a read has to have seen; undefined if the primary must serve it, which is also what any value means that was not made here for
   * this organization.
   */
  read(header: string | readonly string[] | undefined, actor: Actor): WalPosition | undefined {
    if (header === undefined) return canWrite(actor) ? undefined : anyPosition;
    const text = typeof header === 'string' ? header : header.join();
    if (text.length > maxLength) return undefined;
    const values = text.split(',').map((value) => value.trim());
    if (values.length > mostPositions) return undefined;
    let latest = anyPosition;
    for (const value of values) {
      const position = value === readAfterWords.none ? anyPosition : this.open(actor.organizationId, value);
      if (position === undefined) return undefined;
      latest = laterPosition(latest, position);
    }
    return latest;
  }

  private open(organizationId: string, value: string): WalPosition | undefined {
    if (value.length !== sealedLength) return undefined;
    try {
      const position = this.sealer.open(value, organizationId);
      return isPosition(position) ? position : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Whether a token has any scope to change something; then it may have done so on another node. */
function canWrite({ scopes }: Actor): boolean {
  for (const scope of scopes) if (!scope.endsWith(':read')) return true;
  return false;
}
