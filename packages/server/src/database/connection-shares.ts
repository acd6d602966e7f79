/**
 * Shares of a connection pool among organizations. Queries cannot be interrupted, so an organization whose requests held
 * all connections would make everybody else wait until one of them ends.
 */
import { Problem } from '@trellis/schema/problem.ts';

/** How much of the pool there is to share. */
export interface ConnectionShareOptions {
  /** Connections of the pool. */
  readonly connections: number;
  /** How long a request may wait for its turn, in ms. */
  readonly maxWaitMs: number;
}

/** Requests of one organization that may wait at the same time; the pool serves that many within a second or so. */
const maxWaiting = 1_000;

/** A request that waits for its turn. */
interface Waiting {
  readonly start: () => void;
}

/**
 * Counts connections by organization. An organization gets a further one as long as it has fewer than are free: alone it
 * gets half of the pool, two get about a third each, and something is left for the next one to come. The
 * organization that holds the fewest is served next, in the order in which its requests came.
 */
export class ConnectionShares {
  private readonly options: ConnectionShareOptions;
  private readonly held = new Map<string, number>();
  /** Among organizations that hold as many connections, the first one is served next. */
  private readonly waiting = new Map<string, Set<Waiting>>();
  private free: number;

  constructor(options: ConnectionShareOptions) {
    this.options = options;
    this.free = options.connections;
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
    const key = organizationId ?? '';
    // Who comes while others of the organization wait stands behind them.
    if (!this.waiting.has(key) && this.mayTake(key)) {
      this.grant(key);
      return undefined;
    }
    return this.wait(key);
  }

  /** Gives a connection back, and lets those begin whose turn it is. */
  giveBack(organizationId: string | null): void {
    const key = organizationId ?? '';
    this.free += 1;
    const left = (this.held.get(key) ?? 0) - 1;
    if (left > 0) this.held.set(key, left);
    else this.held.delete(key);
    while (this.startNext());
  }

  private mayTake(key: string): boolean {
    const held = this.held.get(key) ?? 0;
    return key === '' ? this.free > 0 : held < this.free;
  }

  private grant(key: string): void {
    this.free -= 1;
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
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

  /** Starts the first request of the organization that holds the fewest connections, if it may have a further one. */
  private startNext(): boolean {
    const key = this.nextKey();
    const queue = key === undefined ? undefined : this.waiting.get(key);
    const [first] = queue ?? [];
    if (key === undefined || queue === undefined || first === undefined || !this.mayTake(key)) return false;
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
      const held = key === '' ? -1 : (this.held.get(key) ?? 0);
      if (held >= fewest) continue;
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
