/**
 * Fair shares of a connection pool. Queries cannot be interrupted, so an organization whose requests held all
 * connections would make all others wait until a query ends. And each active connection uses the database's processors,
 * so an organization with slow queries would slow down all others.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** The shared pool. */
export interface ConnectionShareOptions {
  /** Number of connections of the pool. */
  readonly connections: number;
  /** How long a request may wait for a connection, in ms. */
  readonly maxWaitMs: number;
  /** Monotonic clock in ms; by default the process's. */
  readonly now?: () => number;
}

/** Maximum number of waiting requests of one organization; the pool serves that many within a second or so. */
const maxWaiting = 1_000;
/**
 * Time constant of the exponential decay of costs, in ms. An organization that made a request within this time is
 * active.
 */
const memoryMs = 1_000;
/** Part of the time below which an organization's cost is never too much. */
const lightCost = 0.25;
/** Average cost of a read or transaction above which an organization is slow, in ms. */
const slowMs = 4;
/** The part of the pool for an organization that gives way to others; at least one connection. */
const slowPart = 1 / 8;
/** Maximum number of organizations whose use is recorded. */
const rememberedOrganizations = 10_000;

/** The key of the server's own work, which belongs to no organization. */
const serverKey = '';

/** A request that waits for a connection. */
interface Waiting {
  readonly start: () => void;
  readonly reads: number;
}

/**
 * An organization's recent use of connections. The cost of a use is the time for which a connection was held, divided
 * by the number of connections held meanwhile: where queries share processors, each takes longer the more there are,
 * and no organization's queries should look slow because of others.
 */
interface Use {
  readonly key: string;
  /** Connections held now. */
  held: number;
  /** Total cost in ms and number of reads and transactions, both decayed to `atMs`. */
  cost: number;
  taken: number;
  /** The time, and the sum of shared time, up to which `cost` is counted. */
  atMs: number;
  atSharedMs: number;
}

/**
 * Counts connections by organization. An organization gets a further one only while it holds fewer than are free: alone
 * it gets half of the pool, two get about a third each, so some are free for the next organization. While others are active, a
 * slow organization that costs more than its equal share gets an eighth of the pool. The organization that holds the fewest is
 * served next; its requests are served in order of arrival.
 */
export class ConnectionShares {
  private readonly options: ConnectionShareOptions;
  private readonly now: () => number;
  private readonly slowShare: number;
  private readonly uses = new BoundedMap<string, Use>(rememberedOrganizations);
  /** Organizations that hold connections. */
  private readonly holding = new Map<string, Use>();
  /**
   * Waiting requests by organization. Among organizations that hold equally many connections, the first one is served
   * next.
   */
  private readonly waiting = new Map<string, Set<Waiting>>();
  private free: number;
  /** The integral of 1 / (held connections) over the time in which connections were held, up to `sharedAtMs`. */
  private sharedMs = 0;
  private sharedAtMs: number;
  /** Total cost and number of reads and transactions, of all together, both decayed to `sharedAtMs`. */
  private totalCost = 0;
  private totalTaken = 0;
  /** When each active organization made its last request, the oldest first. */
  private readonly requestedAtMs = new Map<string, number>();

  constructor(options: ConnectionShareOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
    this.slowShare = Math.max(1, Math.floor(options.connections * slowPart));
    this.free = options.connections;
    this.sharedAtMs = this.now();
  }

  /** The number of waiting requests. */
  waitingCount(): number {
    let count = 0;
    for (const { size } of this.waiting.values()) count += size;
    return count;
  }

  /**
   * Takes a connection for an organization. The caller must give it back.
   * @param organizationId null for work of the server itself, which may take any free connection
   * @param reads the number of requests that use the connection together
   * @returns a promise only if the request has to wait, so that others lose no time
   * @throws Problem overloaded, if it waited too long or too many of this organization wait already
   */
  take(organizationId: string | null, reads = 1): Promise<void> | undefined {
    const key = organizationId ?? serverKey;
    if (key !== serverKey) this.noteAsking(key);
    // If other requests of the organization wait, this one waits behind them.
    if (!this.waiting.has(key) && this.mayTake(key)) {
      this.grant(key, reads);
      return undefined;
    }
    return this.wait(key, reads);
  }

  /** Gives a connection back and starts the next waiting requests. */
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

  /**
   * Whether the organization is slow and costs more than its equal share while others are active. How slow queries are depends on
   * the machine and on others, so organizations are compared: one whose queries are quicker than the average may cost as
   * much more than its share.
   */
  private givesWay(key: string): boolean {
    const active = this.countActive(key);
    if (active < 2) return false;
    const { cost, taken } = this.useOf(key);
    const share = Math.max(lightCost * memoryMs, this.totalCost / active);
    if (cost <= share || cost <= slowMs * taken) return false;
    const average = cost / taken;
    return cost * average > (share * this.totalCost) / this.totalTaken;
  }

  /** The number of active organizations, this one included. */
  private countActive(key: string): number {
    this.forgetInactive();
    return this.requestedAtMs.size + (this.requestedAtMs.has(key) ? 0 : 1);
  }

  private noteAsking(key: string): void {
    // Deleted first, so that the key moves to the end of the iteration order.
    this.requestedAtMs.delete(key);
    this.requestedAtMs.set(key, this.now());
    this.forgetInactive();
  }

  private forgetInactive(): void {
    const oldestMs = this.now() - memoryMs;
    for (const [organization, atMs] of this.requestedAtMs) {
      if (atMs >= oldestMs) return;
      this.requestedAtMs.delete(organization);
    }
  }

  /** The use of an organization, decayed to now. */
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

  /**
   * Adds the time since the last change of the number of held connections.
   * @returns now
   */
  private passTime(): number {
    const now = this.now();
    const passedMs = now - this.sharedAtMs;
    const held = this.options.connections - this.free;
    const rest = Math.exp(-passedMs / memoryMs);
    this.totalCost *= rest;
    this.totalTaken *= rest;
    if (held > 0) {
      this.sharedMs += passedMs / held;
      this.totalCost += passedMs;
    }
    this.sharedAtMs = now;
    return now;
  }

  private grant(key: string, reads: number): void {
    const use = this.useOf(key);
    this.free -= 1;
    use.held += 1;
    use.taken += reads;
    this.totalTaken += reads;
    this.holding.set(key, use);
  }

  private wait(key: string, reads: number): Promise<void> {
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
      reads,
    };
    queue.add(one);
    return promise;
  }

  /** Starts the first request of the organization that holds the fewest connections and may take another one. */
  private startNext(): boolean {
    const key = this.nextKey();
    const queue = key === undefined ? undefined : this.waiting.get(key);
    const [first] = queue ?? [];
    if (key === undefined || queue === undefined || first === undefined) return false;
    this.leaveQueue(key, queue, first);
    // Moves the organization behind others that hold equally many connections.
    if (queue.size > 0) {
      this.waiting.delete(key);
      this.waiting.set(key, queue);
    }
    this.grant(key, first.reads);
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
