/**
 * Limits on responses that clients have not read yet. They are held in memory until then, so their bytes are limited, in total
 * and for each organization, and so is the time to read each.
 */
import type { ServerResponse } from 'node:http';
import { Problem } from '@trellis/schema/problem.ts';
import type { ConnectionLimits } from './connection-limits.ts';

type UnreadLimits = Pick<
  ConnectionLimits,
  'unreadBytes' | 'unreadBytesPerOrganization' | 'responseTimeoutMs' | 'checkIntervalMs'
>;

/**
 * Who reads a response: the clients of an organization, which have a share of the bytes, and each of its tokens a part of that; or the callers of a
 * network without a token, all of whom have the share of one organization together, and each network a part of that. A network has one form.
 */
export type Reader =
  | { readonly organizationId: string; readonly tokenHash: string | null }
  | { readonly network: string };

interface UnreadResponse {
  readonly response: ServerResponse;
  readonly owners: readonly string[];
  readonly bytes: number;
  readonly sentAtMs: number;
}

/** All callers without a token, as the owner of responses. */
const unauthenticated = 'unauthenticated';
/** The number of networks whose parts are the share of all callers without a token. */
const networksOfUnauthenticated = 8;
/** The number of tokens whose parts are the share of an organization. */
const tokensOfOrganization = 2;
/** How long a caller without a token may take for a response before it makes room for others, in ms. */
const patienceMs = 1_000;

/** Counts the unread responses of a server. */
export class UnreadResponses {
  private readonly limits: UnreadLimits;
  private readonly byOwner = new Map<string, number>();
  /** In the order in which they were sent. */
  private readonly responses = new Set<UnreadResponse>();
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;

  constructor(limits: UnreadLimits) {
    this.limits = limits;
    this.timer = setInterval(() => this.endStalled(), limits.checkIntervalMs);
    this.timer.unref();
  }

  /**
   * Refuses a further response while too many bytes are unread. For a caller without a token, slower readers without a token are disconnected to make room.
   * @param bytes of the response, or 0 while they are not known
   * @throws Problem overloaded
   */
  check(reader: Reader, bytes = 0): void {
    while (!this.hasRoom(reader, bytes)) {
      const slow = 'network' in reader ? this.findSlow(reader.network, bytes) : undefined;
      if (slow === undefined) {
        throw new Problem('overloaded', 'Clients have left too many responses unread.', {
          headers: { 'retry-after': '1' },
        });
      }
      this.end(slow);
    }
  }

  /** Counts a response until it has been handed to the network or its connection has ended. @param bytes 0 for a shared content */
  add(reader: Reader, bytes: number, response: ServerResponse): void {
    if (response.closed) return;
    const owners = [...this.sharesOf(reader).keys()];
    const unread = { response, owners, bytes, sentAtMs: performance.now() };
    this.responses.add(unread);
    this.count(unread, bytes);
    response.once('close', () => this.forget(unread));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private hasRoom(reader: Reader, bytes: number): boolean {
    const { unreadBytes } = this.limits;
    const shares = [...this.sharesOf(reader)];
    const held = shares.map(([owner]) => this.heldBy(owner));
    // A response that is larger than a share is sent if its owner has no other.
    const isWithinShares = shares.every(([, most], index) => {
      const other = held[index] ?? 0;
      return other === 0 || other + bytes <= most;
    });
    if (!isWithinShares) return false;
    return (
      this.bytes + bytes <= unreadBytes || (held.every((other) => other === 0) && this.bytes < unreadBytes)
    );
  }

  /** The share in bytes of each owner that the responses of a reader are counted for. */
  private sharesOf(reader: Reader): ReadonlyMap<string, number> {
    const { unreadBytesPerOrganization: share } = this.limits;
    if ('organizationId' in reader) {
      const { organizationId, tokenHash } = reader;
      const shares = new Map([[organizationId, share]]);
      return tokenHash === null ? shares : shares.set(tokenHash, share / tokensOfOrganization);
    }
    return new Map([
      [unauthenticated, share],
      [nameOf(reader.network), share / networksOfUnauthenticated],
    ]);
  }

  /** The first response that has been read slowly, of the network of a reader if that has used its part up, or else of the one that has most. */
  private findSlow(network: string, bytes: number): UnreadResponse | undefined {
    const own = nameOf(network);
    const part = this.limits.unreadBytesPerOrganization / networksOfUnauthenticated;
    const owner = this.heldBy(own) > 0 && this.heldBy(own) + bytes > part ? own : this.largestNetwork();
    const latest = performance.now() - patienceMs;
    for (const unread of this.responses) {
      if (unread.sentAtMs > latest) return undefined;
      if (unread.bytes > 0 && unread.owners.includes(owner)) return unread;
    }
    return undefined;
  }

  private largestNetwork(): string {
    let largest = { owner: '', bytes: 0 };
    for (const [owner, bytes] of this.byOwner) {
      if (owner.startsWith(networkPrefix) && bytes > largest.bytes) largest = { owner, bytes };
    }
    return largest.owner;
  }

  private heldBy(owner: string): number {
    return this.byOwner.get(owner) ?? 0;
  }

  private count({ owners }: UnreadResponse, bytes: number): void {
    this.bytes += bytes;
    for (const owner of owners) {
      const held = this.heldBy(owner) + bytes;
      if (held > 0) this.byOwner.set(owner, held);
      else this.byOwner.delete(owner);
    }
  }

  private end(unread: UnreadResponse): void {
    unread.response.destroy();
    this.forget(unread);
  }

  private forget(unread: UnreadResponse): void {
    if (this.responses.delete(unread)) this.count(unread, -unread.bytes);
  }

  /** Ends the connections of clients that do not read. */
  private endStalled(): void {
    const oldest = performance.now() - this.limits.responseTimeoutMs;
    for (const unread of this.responses) {
      if (unread.sentAtMs > oldest) return;
      this.end(unread);
    }
  }
}

const networkPrefix = 'network ';

function nameOf(network: string): string {
  return networkPrefix + network;
}
