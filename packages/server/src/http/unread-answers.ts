/**
 * Answers that their clients have not read yet. They stand in memory until then, so it is bounded how many bytes there are
 * of them, altogether and for each organization, and how long each may stay.
 */
import type { ServerResponse } from 'node:http';
import { Problem } from '@trellis/schema/problem.ts';
import type { ConnectionLimits } from './connection-limits.ts';

type UnreadLimits = Pick<
  ConnectionLimits,
  'unreadBytes' | 'unreadBytesPerOrganization' | 'answerTimeoutMs' | 'checkIntervalMs'
>;

interface UnreadAnswer {
  readonly response: ServerResponse;
  readonly sentAtMs: number;
}

/** The owner of answers to callers without a token. */
export const nobody = '';

/** Counts the answers of a server that are on their way. */
export class UnreadAnswers {
  private readonly limits: UnreadLimits;
  private readonly byOwner = new Map<string, number>();
  private readonly answers = new Set<UnreadAnswer>();
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;

  constructor(limits: UnreadLimits) {
    this.limits = limits;
    this.timer = setInterval(() => this.endStalled(), limits.checkIntervalMs);
    this.timer.unref();
  }

  /**
   * Refuses to add to what is unread.
   * @param owner organization id, or `nobody`
   * @param bytes of the answer, or 0 while it is not known
   * @throws Problem overloaded
   */
  check(owner: string, bytes = 0): void {
    const held = this.byOwner.get(owner) ?? 0;
    const { unreadBytes, unreadBytesPerOrganization } = this.limits;
    if (held + bytes <= unreadBytesPerOrganization && this.bytes + bytes <= unreadBytes) return;
    // An answer that is larger than its share is sent when there is no other.
    if (held === 0 && this.bytes < unreadBytes) return;
    throw new Problem('overloaded', 'Too many answers wait to be read by their clients.', {
      headers: { 'retry-after': '1' },
    });
  }

  /** Counts an answer until it has been handed to the network or its connection has ended. */
  add(owner: string, bytes: number, response: ServerResponse): void {
    if (response.closed) return;
    const answer = { response, sentAtMs: performance.now() };
    this.answers.add(answer);
    this.count(owner, bytes);
    response.once('close', () => {
      this.answers.delete(answer);
      this.count(owner, -bytes);
    });
  }

  /** Bytes that are unread now. */
  unreadBytes(): number {
    return this.bytes;
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

  /** Ends the connections of those who do not read. Answers stand in the order in which they were sent. */
  private endStalled(): void {
    const oldest = performance.now() - this.limits.answerTimeoutMs;
    for (const { response, sentAtMs } of this.answers) {
      if (sentAtMs > oldest) return;
      response.destroy();
    }
  }
}
