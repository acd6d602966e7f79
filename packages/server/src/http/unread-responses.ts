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

interface UnreadResponse {
  readonly response: ServerResponse;
  readonly sentAtMs: number;
}

/** The owner of responses to callers without a token. */
export const nobody = '';

/** Counts the unread responses of a server. */
export class UnreadResponses {
  private readonly limits: UnreadLimits;
  private readonly byOwner = new Map<string, number>();
  private readonly responses = new Set<UnreadResponse>();
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;

  constructor(limits: UnreadLimits) {
    this.limits = limits;
    this.timer = setInterval(() => this.endStalled(), limits.checkIntervalMs);
    this.timer.unref();
  }

  /**
   * Refuses a further response while too many bytes are unread.
   * @param owner organization id, or `nobody`
   * @param bytes of the response, or 0 while they are not known
   * @throws Problem overloaded
   */
  check(owner: string, bytes = 0): void {
    const held = this.byOwner.get(owner) ?? 0;
    const { unreadBytes, unreadBytesPerOrganization } = this.limits;
    if (held + bytes <= unreadBytesPerOrganization && this.bytes + bytes <= unreadBytes) return;
    // A response that is larger than the limit of its organization is sent if there is no other.
    if (held === 0 && this.bytes < unreadBytes) return;
    throw new Problem('overloaded', 'Clients have left too many responses unread.', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Counts a response until it has been handed to the network or its connection has ended. */
  add(owner: string, bytes: number, response: ServerResponse): void {
    if (response.closed) return;
    const unread = { response, sentAtMs: performance.now() };
    this.responses.add(unread);
    this.count(owner, bytes);
    response.once('close', () => {
      this.responses.delete(unread);
      this.count(owner, -bytes);
    });
  }

  close(): void {
    clearInterval(this.timer);
  }

  private count(owner: string, bytes: number): void {
    this.bytes += bytes;
    const held = (this.byOwner.get(owner) ?? 0) + bytes;
    if (held > 0) this.byOwner.set(owner, held);
    else this.byOwner.delete(owner);
  }

  /** Ends the connections of clients that do not read. Responses are in the order in which they were sent. */
  private endStalled(): void {
    const oldest = performance.now() - this.limits.responseTimeoutMs;
    for (const { response, sentAtMs } of this.responses) {
      if (sentAtMs > oldest) return;
      response.destroy();
    }
  }
}
