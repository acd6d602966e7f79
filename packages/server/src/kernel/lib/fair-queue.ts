/**
 * Fair sharing of the event loop between organizations. JavaScript cannot be interrupted: while the process works for one
 * request, all others wait. So work is done in turns, the time of each turn is charged to its organization, and the
 * organization that used the least goes next.
 */
import { BoundedMap } from './bounded-map.ts';

/** The key that all unauthenticated requests share, in place of an organization. */
export const unauthenticated = 'unauthenticated';

/** The event loop and its clock; replaced in tests. */
export interface LoopClock {
  /** Monotonic time in ms. */
  now(): number;
  /** Calls back when the current turn has ended: its promises have run as far as they can. */
  afterTurn(callback: () => void): void;
  /** Calls back after the loop has polled for input and output. */
  nextIteration(callback: () => void): void;
  /** Calls back after a delay in ms. */
  later(callback: () => void, milliseconds: number): void;
}

/** The total time of turns that start between two polls for input and output, in ms. */
const sliceMs = 5;
/**
 * Time constant of the exponential decay of recorded use, in ms. As it is one second, use is the ms used per second.
 */
const decayMs = 1_000;
/** Use above which an organization may have to wait for others, in ms per second: a quarter of the process's time. */
const heavyMs = 250;
/** How many times as long as it worked for them the process pauses for unauthenticated requests while organizations make some. */
const pauseOfUnauthenticated = 3;
/** The number of organizations whose use is recorded. */
const rememberedOrganizations = 10_000;

interface Use {
  readonly organizationId: string;
  /** In ms, decayed to `atMs`. */
  spentMs: number;
  atMs: number;
  /** No further turn starts before this time while other organizations make requests. */
  pausedUntilMs: number;
}

interface Waiter {
  readonly sinceMs: number;
  readonly start: () => void;
}

interface Requester {
  readonly organizationId: string;
  atMs: number;
}

/** Admits the work of requests to the event loop. */
export class FairQueue {
  private readonly clock: LoopClock;
  private readonly uses = new BoundedMap<string, Use>(rememberedOrganizations);
  /** Waiting work by organization, in order of arrival. */
  private readonly queues = new Map<string, Set<Waiter>>();
  /** The organization whose turn it is; null between turns. */
  private current: Use | null = null;
  private beganAtMs = 0;
  /** Time of the turns since the last poll for input and output, in ms. */
  private spentMs = 0;
  private isIterationAwaited = false;
  private isPauseAwaited = false;
  /** The last two organizations that made requests. */
  private latest: Requester | null = null;
  private latestOther: Requester | null = null;
  private heaviest: Use | null = null;
  private readonly beginIteration = () => {
    this.end(this.clock.now());
    this.isIterationAwaited = false;
    this.spentMs = 0;
    if (this.queues.size > 0) this.startNext();
  };

  constructor(clock: LoopClock = processClock) {
    this.clock = clock;
  }

  /**
   * Starts a turn: everything done from now until another turn starts or the loop polls is charged to the organization.
   * @returns a promise only when the organization has to wait, so that the others lose no time
   */
  enter(organizationId: string): Promise<void> | undefined {
    const now = this.clock.now();
    this.end(now);
    this.recordRequest(organizationId, now);
    // Each iteration starts with a waiting turn, so waiting organizations are not overtaken forever.
    const isFree = this.spentMs < sliceMs && !this.queues.has(organizationId);
    if (isFree && this.pausedUntil(organizationId, now) <= now) {
      this.begin(organizationId, now);
      return undefined;
    }
    return new Promise((resolve) => {
      const queue = this.queues.get(organizationId) ?? new Set();
      this.queues.set(organizationId, queue);
      queue.add({ sinceMs: now, start: resolve });
      this.awaitIteration();
    });
  }

  /** Charges what follows to the organization without waiting: for work that must be finished. */
  charge(organizationId: string): void {
    const now = this.clock.now();
    this.end(now);
    this.recordRequest(organizationId, now);
    this.begin(organizationId, now);
  }

  /** How long the organization has waited for its next turn, in ms. */
  waitedMs(organizationId: string): number {
    const [first] = this.queues.get(organizationId) ?? [];
    return first === undefined ? 0 : this.clock.now() - first.sinceMs;
  }

  /** Whether the organization uses much time, and no other one uses more than twice as much. */
  isHeavy(organizationId: string): boolean {
    const now = this.clock.now();
    const spent = decayedUse(this.uses.get(organizationId), now);
    return spent > heavyMs && spent * 2 > decayedUse(this.heaviest ?? undefined, now);
  }

  /** Whether another organization uses so much time that it should wait instead of this one. */
  isOtherHeavy(organizationId: string): boolean {
    const { heaviest } = this;
    if (heaviest === null || heaviest.organizationId === organizationId) return false;
    return decayedUse(heaviest, this.clock.now()) > heavyMs && !this.isHeavy(organizationId);
  }

  /** Whether the organization uses much time, and others ask for some too. */
  givesWay(organizationId: string): boolean {
    const other = this.latest?.organizationId === organizationId ? this.latestOther : this.latest;
    const isAlone = other === null || this.clock.now() - other.atMs > decayMs;
    return !isAlone && this.isHeavy(organizationId);
  }

  /** When the next turn of the organization may start. */
  private pausedUntil(organizationId: string, now: number): number {
    return this.givesWay(organizationId) ? (this.uses.get(organizationId)?.pausedUntilMs ?? now) : now;
  }

  private recordRequest(organizationId: string, atMs: number): void {
    if (this.latest?.organizationId === organizationId) {
      this.latest.atMs = atMs;
    } else {
      this.latestOther = this.latest;
      this.latest = { organizationId, atMs };
    }
  }

  private begin(organizationId: string, now: number): void {
    let use = this.uses.get(organizationId);
    if (use === undefined) {
      use = { organizationId, spentMs: 0, atMs: now, pausedUntilMs: 0 };
      this.uses.set(organizationId, use);
    }
    this.current = use;
    this.beganAtMs = now;
    this.awaitIteration();
  }

  /** Ends and charges the current turn. */
  private end(now: number): void {
    const use = this.current;
    if (use === null) return;
    this.current = null;
    const spentMs = now - this.beganAtMs;
    this.spentMs += spentMs;
    use.spentMs = decayedUse(use, now) + spentMs;
    use.atMs = now;
    // Pauses for as long as it worked, which leaves half of the time to others; unauthenticated requests leave them three quarters.
    use.pausedUntilMs = now + spentMs * (use.organizationId === unauthenticated ? pauseOfUnauthenticated : 1);
    if (this.heaviest === null || use.spentMs >= decayedUse(this.heaviest, now)) this.heaviest = use;
  }

  private awaitIteration(): void {
    if (this.isIterationAwaited) return;
    this.isIterationAwaited = true;
    this.clock.nextIteration(this.beginIteration);
  }

  /** Starts a turn of the organization that used the least, or waits until one may start again. */
  private startNext(): void {
    const now = this.clock.now();
    let next: string | null = null;
    let least = Number.POSITIVE_INFINITY;
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const organizationId of this.queues.keys()) {
      const until = this.pausedUntil(organizationId, now);
      const spent = decayedUse(this.uses.get(organizationId), now);
      if (until > now) earliestMs = Math.min(earliestMs, until);
      else if (spent < least) {
        next = organizationId;
        least = spent;
      }
    }
    if (next !== null) this.start(next, now);
    else this.awaitPause(earliestMs - now);
  }

  private awaitPause(milliseconds: number): void {
    if (this.isPauseAwaited) return;
    this.isPauseAwaited = true;
    this.clock.later(() => {
      this.isPauseAwaited = false;
      this.awaitIteration();
    }, milliseconds);
  }

  private start(organizationId: string, now: number): void {
    const queue = this.queues.get(organizationId);
    const [first] = queue ?? [];
    if (queue === undefined || first === undefined) return;
    queue.delete(first);
    if (queue.size === 0) this.queues.delete(organizationId);
    this.begin(organizationId, now);
    first.start();
    this.clock.afterTurn(() => {
      this.end(this.clock.now());
      if (this.queues.size > 0 && this.spentMs < sliceMs) this.startNext();
    });
  }
}

/** The recorded use, decayed to now, in ms. */
function decayedUse(use: Use | undefined, now: number): number {
  return use === undefined ? 0 : use.spentMs * Math.exp((use.atMs - now) / decayMs);
}

const processClock: LoopClock = {
  now: () => performance.now(),
  // Queued from a microtask: Node runs the tick after all promises of the current callback.
  afterTurn: (callback) => queueMicrotask(() => process.nextTick(callback)),
  nextIteration: (callback) => void setImmediate(callback),
  later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
};
