/**
 * Admission of requests to the event loop, and whom their costs are charged to: the organization of the caller or, as long as the
 * caller is not known, all unauthenticated requests together.
 */
import { Problem } from '@trellis/schema/problem.ts';
import type { FastifyRequest } from 'fastify';
import { type FairQueue, unauthenticated } from '../lib/fair-queue.ts';
import { hostPrefix } from '../lib/network-address.ts';
import type { OverloadGuard } from './overload.ts';

/** Requests that wait for a turn. */
interface Amount {
  readonly requests: number;
  /** Of their targets, headers and bodies. */
  readonly bytes: number;
}

const mebibyte = 1_048_576;
/**
 * The maximum for one organization: an event makes every open page of it ask again at once, and an importer sends a body on each
 * of its connections.
 */
const mostOfOrganization: Amount = { requests: 2_000, bytes: 64 * mebibyte };
/** The maximum for unauthenticated requests of one network, which may be a whole office, or a proxy that is not trusted. */
const mostOfNetwork: Amount = { requests: 1_000, bytes: 2 * mebibyte };
/** The maximum for all unauthenticated requests together. */
const mostUnauthenticated: Amount = { requests: 2_000, bytes: 4 * mebibyte };
const nothing: Amount = { requests: 0, bytes: 0 };

/** Somebody whose waiting requests are counted together. */
interface Owner {
  readonly name: string;
  readonly most: Amount;
}

/** Admits requests of one server. */
export class Admission {
  private readonly turns: FairQueue;
  private readonly guard: OverloadGuard;
  /** Waiting requests, by organization or network; unauthenticated requests together have a key of their own. */
  private readonly waiting = new Map<string, Amount>();

  constructor(turns: FairQueue, guard: OverloadGuard) {
    this.turns = turns;
    this.guard = guard;
  }

  /**
   * Admits a request to the checks before its body. It waits for its turn before the guard may refuse it: while it waits, its
   * connection handles no other request, and refusals are sent in the order of turns, too. The number of waiting requests is limited;
   * the connection of a further one is closed, because a client with that many open requests would only repeat it.
   * @param organizationId of the caller; null when it is not known
   * @throws Problem overloaded
   */
  async admit(organizationId: string | null, request: FastifyRequest): Promise<void> {
    const key = organizationId ?? unauthenticated;
    const turn = this.enter(key, request, sizeOf(request));
    if (turn !== undefined) await turn;
    this.guard.checkFor(key);
  }

  /**
   * Lets an admitted request continue with its body, which blocks others.
   * @param key whose turn it is: an organization, a person or unauthenticated requests
   * @returns a promise only when it has to wait for a turn
   * @throws Problem overloaded
   */
  continue(key: string, request: FastifyRequest): Promise<void> | undefined {
    const { body } = request;
    return this.enter(key, request, sizeOf(request) + (Buffer.isBuffer(body) ? body.length : 0));
  }

  /**
   * Charges a refusal to the caller: otherwise those who only send what is refused would use the process
   * without using any of their share.
   * @param organizationId of the caller; null when it is not known
   */
  chargeRefusal(organizationId: string | null): void {
    this.turns.charge(organizationId ?? unauthenticated);
  }

  /** Waits for a turn, with the other requests of its owners. */
  private enter(key: string, request: FastifyRequest, bytes: number): Promise<void> | undefined {
    const owners = ownersOf(key, request);
    if (owners.some((owner) => this.isFull(owner, bytes))) {
      throw new Problem('overloaded', undefined, { headers: { 'retry-after': '1', connection: 'close' } });
    }
    const turn = this.turns.enter(key);
    if (turn === undefined) return undefined;
    for (const { name } of owners) this.count(name, 1, bytes);
    return turn.then(() => {
      for (const { name } of owners) this.count(name, -1, -bytes);
    });
  }

  /** Whether one more request does not fit beside those that wait. */
  private isFull({ name, most }: Owner, bytes: number): boolean {
    const waiting = this.waiting.get(name);
    return waiting !== undefined && (waiting.requests >= most.requests || waiting.bytes + bytes > most.bytes);
  }

  private count(owner: string, requests: number, bytes: number): void {
    const before = this.waiting.get(owner) ?? nothing;
    const now = { requests: before.requests + requests, bytes: before.bytes + bytes };
    if (now.requests > 0) this.waiting.set(owner, now);
    else this.waiting.delete(owner);
  }
}

function ownersOf(key: string, { ip }: FastifyRequest): readonly Owner[] {
  if (key !== unauthenticated) return [{ name: key, most: mostOfOrganization }];
  return [
    { name: `network ${hostPrefix(ip) ?? 'unknown'}`, most: mostOfNetwork },
    { name: unauthenticated, most: mostUnauthenticated },
  ];
}

/** Bytes of the target and the headers of a request. */
function sizeOf({ raw: { url = '', rawHeaders } }: FastifyRequest): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, url.length);
}
