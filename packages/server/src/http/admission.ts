/**
 * Admission of requests to the event loop, and whom their costs are charged to: the organization of the caller or, as long as the
 * caller is not known, all strangers together.
 */
import { Problem } from '@trellis/schema/problem.ts';
import type { FastifyRequest } from 'fastify';
import { type FairQueue, strangers } from '../lib/fair-queue.ts';
import { hostPrefix } from '../visitors/address.ts';
import type { OverloadGuard } from './overload.ts';

/** Requests that wait for a turn. */
interface Amount {
  readonly requests: number;
  /** Of their targets and headers. */
  readonly bytes: number;
}

/** The maximum for one organization, or for strangers of one network. */
const mostOfOne: Amount = { requests: 250, bytes: 1_048_576 };
/** The maximum for all strangers together. */
const mostOfStrangers: Amount = { requests: 1_000, bytes: 4_194_304 };
const nothing: Amount = { requests: 0, bytes: 0 };

/** Admits requests of one server. */
export class Admission {
  private readonly turns: FairQueue;
  private readonly guard: OverloadGuard;
  /** What waits, by organization or network, and for all strangers under their own key. */
  private readonly waiting = new Map<string, Amount>();

  constructor(turns: FairQueue, guard: OverloadGuard) {
    this.turns = turns;
    this.guard = guard;
  }

  /**
   * Admits a request to the checks before its body. It waits for its turn before the guard may refuse it: while it waits, its
   * connection has no other one handled, and refusals too are sent in the order of turns. So many may wait; the connection of
   * a further one ends, because whoever has that many open would only send it again.
   * @param organizationId of the caller; null when it is not known
   * @throws Problem overloaded
   */
  async admit(organizationId: string | null, request: FastifyRequest): Promise<void> {
    const key = organizationId ?? strangers;
    const bytes = sizeOf(request);
    const owner = organizationId ?? `network ${hostPrefix(request.ip) ?? 'unknown'}`;
    const isFull =
      isAbove(this.waiting.get(owner), bytes, mostOfOne) ||
      (organizationId === null && isAbove(this.waiting.get(strangers), bytes, mostOfStrangers));
    if (isFull) {
      throw new Problem('overloaded', undefined, { headers: { 'retry-after': '1', connection: 'close' } });
    }
    const turn = this.turns.enter(key);
    if (turn !== undefined) {
      const owners = organizationId === null ? [owner, strangers] : [owner];
      for (const one of owners) this.count(one, 1, bytes);
      await turn;
      for (const one of owners) this.count(one, -1, -bytes);
    }
    this.guard.checkFor(key);
  }

  /** Lets an admitted request go on with work that blocks others. @returns a promise only when it has to wait for a turn */
  continue(organizationId: string): Promise<void> | undefined {
    return this.turns.enter(organizationId);
  }

  /**
   * Charges a refusal to the caller: otherwise those who only send what is refused would use the process
   * without using any of their share.
   * @param organizationId of the caller; null when it is not known
   */
  chargeRefusal(organizationId: string | null): void {
    this.turns.charge(organizationId ?? strangers);
  }

  private count(owner: string, requests: number, bytes: number): void {
    const before = this.waiting.get(owner) ?? nothing;
    const now = { requests: before.requests + requests, bytes: before.bytes + bytes };
    if (now.requests > 0) this.waiting.set(owner, now);
    else this.waiting.delete(owner);
  }
}

/** Whether one more request does not fit beside those that wait. */
function isAbove(waiting: Amount | undefined, bytes: number, most: Amount): boolean {
  return waiting !== undefined && (waiting.requests >= most.requests || waiting.bytes + bytes > most.bytes);
}

/** Bytes of the target and the headers of a request. */
function sizeOf({ raw: { url = '', rawHeaders } }: FastifyRequest): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, url.length);
}
