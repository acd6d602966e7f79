/**
 * Shares of a connection pool among organizations. Queries cannot be interrupted, so an organization whose requests held
 * all connections would make everybody else wait until one of them ends; and each connection at work takes its part of
 * the database's processors, so an organization with slow queries would make everybody else's queries slow.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** How much of the pool there is to share. */
export interface ConnectionShareOptions {
  /** Connections of the pool. */
  readonly connections: number;
  /** How long a request may wait for its turn, in ms. */
  readonly maxWaitMs: number;
  /** Monotonic clock in ms; the process's when absent. */
  readonly now?: () => number;
}

/** Requests of one organization that may wait at the same time; the pool serves that many within a second or so. */
const maxWaiting = 1_000;
/** Cost is forgotten gradually: after this many ms, all but a third. Who asked within it is active. */
const memoryMs = 1_000;
/** Part of the whole below which an organization's cost is never too much. */
const lightCost = 0.25;
/** Average cost of a connection's use, in ms, above which an organization is slow. */
const slowMs = 4;
/** Slow organizations get this part of the pool while others are active, but at least one connection. */
const slowPart = 1 / 8;
/** Organizations whose use is remembered. */
const rememberedOrganizations = 10_000;

/** The key of the server itself, whose work belongs to no organization. */
const serverKey = '';

/** A request that waits for its turn. */
interface Waiting {
  readonly start: () => void;
}

/**
 * How an organization has used connections lately. The cost of a use is the time for which a connection was held, divided
 * by how many were held meanwhile: where queries share processors, each takes the longer the more there are, and nobody's
 * queries are to be taken for slow because of others.
 */
interface Use {
  readonly key: string;
  /** Connections that it holds now. */
  held: number;
  /** What it has cost, in ms, and how many connections were taken for that; older ones count for less. */
  cost: number;
  taken: number;
  /** As of this instant, and of this sum of shared time. */
  atMs: number;
  atSharedMs: number;
}

/**
 * Counts connections by organization. An organization gets a further one as long as it has fewer than are free: alone it
 * gets half of the pool, two get about a third each, and something is left for the next one to come. A slow one gets an
 * eighth of the pool while others are active. The organization that holds the fewest is served next, in the order in
 * which its requests came.
 */
export class ConnectionShares {
  private readonly options: ConnectionShareOptions;
  private readonly now: () => number;
  private readonly slowShare: number;
  private readonly uses = new BoundedMap<string, Use>(rememberedOrganizations);
  /** Organizations that hold connections. */
  private readonly holding = new Map<string, Use>();
  /** Among organizations that hold as many connections, the first one is served next. */
  private readonly waiting = new Map<string, Set<Waiting>>();
  private free: number;
  /** Time that passed while connections were held, divided by how many there were, as of `sharedAtMs`. */
  private sharedMs = 0;
  private sharedAtMs: number;
  /** The two organizations that asked last, and when. */
  private latest = { key: serverKey, atMs: Number.NEGATIVE_INFINITY };
  private latestOther = { key: serverKey, atMs: Number.NEGATIVE_INFINITY };

  constructor(options: ConnectionShareOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.slowShare = Math.max(1, Math.floor(options.connections * slowPart));
    this.free = options.connections;
    this.sharedAtMs = this.now();
  }

  /** Requests that wait for their turn. */
  waitingCount(): number {
    let count = 0;
    for (const { size } of this.waiting.values()) count += size;
    return count;
  }

  /**
   * Takes a connection for an organization, which has to give it back.
   * @param organizationId null for work of the server itself, which may take any connection that is free
   * @returns a promise only when the request has to wait, so that the others lose no time
   * @throws Problem overloaded, when it waited too long or too many of this organization wait already
   */
  take(organizationId: string | null): Promise<void> | undefined {
    const key = organizationId ?? serverKey;
    if (key !== serverKey) this.noteAsking(key);
    // Who comes while others of the organization wait stands behind them.
    if (!this.waiting.has(key) && this.mayTake(key)) {
      this.grant(key);
      return undefined;
    }
    return this.wait(key);
  }

  /** Gives a connection back, and lets those begin whose turn it is. */
  giveBack(organizationId: string | null): void {
    const key = organizationId ?? serverKey;
    const use = this.useOf(key);
    this.free += 1;
    use.held -= 1;
    if (use.held === 0) this.holding.delete(key);
    while (this.startNext());
  }

  private mayTake(key: string): boolean {
    if (key === serverKey) return this.free > 0;
    const held = this.holding.get(key)?.held ?? 0;
    return held < this.free && (held < this.slowShare || !this.givesWay(key));
  }

  /** Whether the organization's queries are slow ones, and others are active. */
  private givesWay(key: string): boolean {
    const other = this.latest.key === key ? this.latestOther : this.latest;
    if (this.now() - other.atMs > memoryMs) return false;
    const { cost, taken } = this.useOf(key);
    return cost > lightCost * memoryMs && cost > slowMs * taken;
  }

  private noteAsking(key: string): void {
    const atMs = this.now();
    if (this.latest.key === key) {
      this.latest.atMs = atMs;
    } else {
      this.latestOther = this.latest;
      this.latest = { key, atMs };
    }
  }

  /** The use of an organization, as of now. */
  private useOf(key: string): Use {
    const now = this.passTime();
    let use = this.holding.get(key) ?? this.uses.get(key);
    if (use === undefined) {
      use = { key, held: 0, cost: 0, taken: 0, atMs: now, atSharedMs: this.sharedMs };
      this.uses.set(key, use);
    }
    const rest = Math.exp((use.atMs - now) / memoryMs);
    use.cost = use.cost * rest + use.held * (this.sharedMs - use.atSharedMs);
    use.taken *= rest;
    use.atMs = now;
    use.atSharedMs = this.sharedMs;
    return use;
  }

  /** Counts the time since the number of held connections was looked at last. @returns now */
  private passTime(): number {
    const now = this.now();
    const held = this.options.connections - this.free;
    if (held > 0) this.sharedMs += (now - this.sharedAtMs) / held;
    this.sharedAtMs = now;
    return now;
  }

  private grant(key: string): void {
    const use = this.useOf(key);
    this.free -= 1;
    use.held += 1;
    use.taken += 1;
    this.holding.set(key, use);
  }

  private wait(key: string): Promise<void> {
    const queue = this.waiting.get(key) ?? new Set<Waiting>();
    if (queue.size >= maxWaiting) return Promise.reject(busy());
    this.waiting.set(key, queue);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.leaveQueue(key, queue, one);
      reject(busy());
    }, this.options.maxWaitMs);
    const one: Waiting = {
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    queue.add(one);
    return promise;
  }

  /** Starts the first request of the organization that holds the fewest connections and may have a further one. */
  private startNext(): boolean {
    const key = this.nextKey();
    const queue = key === undefined ? undefined : this.waiting.get(key);
    const [first] = queue ?? [];
    if (key === undefined || queue === undefined || first === undefined) return false;
    this.leaveQueue(key, queue, first);
    // Of those that hold as many, the others come first next time.
    if (queue.size > 0) {
      this.waiting.delete(key);
      this.waiting.set(key, queue);
    }
    this.grant(key);
    first.start();
    return true;
  }

  private nextKey(): string | undefined {
    let next: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const key of this.waiting.keys()) {
      const held = key === serverKey ? -1 : (this.holding.get(key)?.held ?? 0);
      if (held >= fewest || !this.mayTake(key)) continue;
      next = key;
      fewest = held;
    }
    return next;
  }

  private leaveQueue(key: string, queue: Set<Waiting>, one: Waiting): void {
    queue.delete(one);
    if (queue.size === 0) this.waiting.delete(key);
  }
}

function busy(): Problem {
  return new Problem('overloaded', 'All database connections are busy.', { headers: { 'retry-after': '1' } });
}
