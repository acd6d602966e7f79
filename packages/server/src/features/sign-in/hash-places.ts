/**
 * Limits concurrent password hashes: two at once, and a short fair queue. Known browsers go first, then networks in turn,
 * however many attempts each of them sends.
 */
import { Problem } from '@trellis/schema/problem.ts';

/** Whose hash it is. */
export interface HashOwner {
  /** A network, or a person or browser that is known. */
  readonly name: string;
  /** Whether the browser has signed in before. */
  readonly isKnown: boolean;
}

/** How many wait, and for how long. */
export interface HashPlaceLimits {
  /** Attempts processed at once: one is hashed while the account of the next one is read. */
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitingOfOne: number;
  readonly longestWaitMs: number;
}

const defaultLimits: HashPlaceLimits = { atOnce: 2, waiting: 40, waitingOfOne: 4, longestWaitMs: 4_000 };

interface Waiter {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Waiting attempts, by the name of their browser or network; the first in the map is next. */
type Lane = Map<string, Set<Waiter>>;

export class HashPlaces {
  private readonly limits: HashPlaceLimits;
  private running = 0;
  private waiting = 0;
  private most = 0;
  private readonly known: Lane = new Map();
  private readonly unknown: Lane = new Map();

  constructor(limits = defaultLimits) {
    this.limits = limits;
  }

  /** The largest number of places in use at once. */
  mostAtOnce(): number {
    return this.most;
  }

  /** Does work in a place. @throws Problem overloaded, with Retry-After, when too many wait, or one has waited for too long */
  async run<T>(owner: HashOwner, work: () => Promise<T>): Promise<T> {
    if (this.running < this.limits.atOnce) this.running += 1;
    else await this.wait(owner);
    this.most = Math.max(this.most, this.running);
    try {
      return await work();
    } finally {
      // Passes the place to a waiting attempt directly, so that a new arrival cannot overtake.
      if (!this.startNext(this.known) && !this.startNext(this.unknown)) this.running -= 1;
    }
  }

  private wait({ name, isKnown }: HashOwner): Promise<void> {
    const lane = isKnown ? this.known : this.unknown;
    const own = lane.get(name)?.size ?? 0;
    if (own >= this.limits.waitingOfOne) throw tooMany();
    if (this.waiting >= this.limits.waiting && !this.makeRoom(isKnown ? 0 : own + 1)) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => waiter.refuse(), this.limits.longestWaitMs);
    const leave = () => {
      clearTimeout(timer);
      this.remove(lane, name, waiter);
    };
    const waiter: Waiter = {
      start: () => {
        leave();
        resolve();
      },
      refuse: () => {
        leave();
        reject(tooMany());
      },
    };
    const waiters = lane.get(name) ?? new Set();
    lane.set(name, waiters.add(waiter));
    this.waiting += 1;
    return promise;
  }

  /**
   * Refuses the most recent waiting attempt of the network with the most attempts from unknown browsers, if their number exceeds
   * `moreThan`.
   */
  private makeRoom(moreThan: number): boolean {
    let largest: Set<Waiter> = new Set();
    for (const waiters of this.unknown.values()) if (waiters.size >= largest.size) largest = waiters;
    if (largest.size <= moreThan) return false;
    [...largest].at(-1)?.refuse();
    return true;
  }

  private startNext(lane: Lane): boolean {
    for (const [name, waiters] of lane) {
      const [first] = waiters;
      first?.start();
      // To the end: the others come first.
      if (lane.delete(name) && waiters.size > 0) lane.set(name, waiters);
      return true;
    }
    return false;
  }

  private remove(lane: Lane, name: string, waiter: Waiter): void {
    const waiters = lane.get(name);
    if (!waiters?.delete(waiter)) return;
    this.waiting -= 1;
    if (waiters.size === 0) lane.delete(name);
  }
}

function tooMany(): Problem {
  return new Problem('overloaded', 'Too many sign-ins at the moment.', {
    headers: { 'retry-after': '2' },
  });
}
