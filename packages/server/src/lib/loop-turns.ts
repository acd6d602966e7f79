/**
 * Turns on the event loop, by organization. JavaScript cannot be interrupted: while the process works for one request,
 * all others wait. So the work for requests is done in turns, their time is counted by organization, and whoever used the
 * least comes next.
 */
import { BoundedMap } from './bounded-map.ts';

/** The world around: another one in tests. */
export interface LoopClock {
  /** Monotonic, in ms. */
  now(): number;
  /** Calls back when what was begun in this turn has come to its end: its promises have run on as far as they can. */
  afterTurn(callback: () => void): void;
  /** Calls back after the loop has looked for input and output. */
  nextIteration(callback: () => void): void;
  /** Calls back after so many ms. */
  later(callback: () => void, milliseconds: number): void;
}

/** Turns that are begun between two looks for input and output may take so long together, in ms. */
const sliceMs = 5;
/** Use is forgotten by and by: after this many ms, all but a third. In ms, it is the part of a second that is used. */
const memoryMs = 1_000;
/** Use above which an organization may be made to wait for others: a quarter of the process's time. */
const heavyMs = 250;
/** Organizations whose use is remembered. */
const rememberedOrganizations = 10_000;

interface Use {
  readonly organizationId: string;
  /** Milliseconds, as of `atMs`. */
  spentMs: number;
  atMs: number;
  /** Before this, no further turn begins while others ask for any. */
  restsUntilMs: number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly start: () => void;
}

interface Asking {
  readonly organizationId: string;
  atMs: number;
}

/** Where work for requests has to pass. */
export class LoopTurns {
  private readonly clock: LoopClock;
  private readonly uses = new BoundedMap<string, Use>(rememberedOrganizations);
  /** By organization, in the order in which they came. */
  private readonly queues = new Map<string, Set<Waiting>>();
  /** Whose turn it is, since when; null between turns. */
  private current: Use | null = null;
  private beganAtMs = 0;
  /** Time of the turns since the loop looked for input and output, in ms. */
  private spentMs = 0;
  private isIterationAwaited = false;
  private isRestAwaited = false;
  /** The two organizations that asked last. */
  private latest: Asking | null = null;
  private latestOther: Asking | null = null;
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
   * Begins a turn: all that is done from now until another turn begins or the loop comes round.
   * @returns a promise only when it is not the organization's turn yet, so that the others lose no time
   */
  take(organizationId: string): Promise<void> | undefined {
    const now = this.clock.now();
    this.end(now);
    this.noteAsking(organizationId, now);
    // Each iteration begins with a turn of those who wait: they are not overtaken for ever.
    const isFree = this.spentMs < sliceMs && !this.queues.has(organizationId);
    if (isFree && this.restsUntil(organizationId, now) <= now) {
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

  /** Counts what follows as a turn of the organization, without waiting: for work that must be finished. */
  account(organizationId: string): void {
    const now = this.clock.now();
    this.end(now);
    this.noteAsking(organizationId, now);
    this.begin(organizationId, now);
  }

  /** How long the organization has waited for its next turn, in ms. */
  waitedMs(organizationId: string): number {
    const [first] = this.queues.get(organizationId) ?? [];
    return first === undefined ? 0 : this.clock.now() - first.sinceMs;
  }

  /** Whether the organization uses much time, and no other one more than twice as much. */
  isHeavy(organizationId: string): boolean {
    const now = this.clock.now();
    const spent = spentBy(this.uses.get(organizationId), now);
    return spent > heavyMs && spent * 2 > spentBy(this.heaviest ?? undefined, now);
  }

  /** Whether some other organization uses so much time that it, and not this one, has to give way. */
  isOtherHeavy(organizationId: string): boolean {
    const { heaviest } = this;
    if (heaviest === null || heaviest.organizationId === organizationId) return false;
    return spentBy(heaviest, this.clock.now()) > heavyMs && !this.isHeavy(organizationId);
  }

  /** When the next turn of the organization may begin, by the clock. */
  private restsUntil(organizationId: string, now: number): number {
    const other = this.latest?.organizationId === organizationId ? this.latestOther : this.latest;
    const isAlone = other === null || now - other.atMs > memoryMs;
    if (isAlone || !this.isHeavy(organizationId)) return now;
    return this.uses.get(organizationId)?.restsUntilMs ?? now;
  }

  private noteAsking(organizationId: string, atMs: number): void {
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
      use = { organizationId, spentMs: 0, atMs: now, restsUntilMs: 0 };
      this.uses.set(organizationId, use);
    }
    this.current = use;
    this.beganAtMs = now;
    this.awaitIteration();
  }

  /** Counts the turn that was made: it lasts until the next one begins, or until the loop comes round. */
  private end(now: number): void {
    const use = this.current;
    if (use === null) return;
    this.current = null;
    const spentMs = now - this.beganAtMs;
    this.spentMs += spentMs;
    use.spentMs = spentBy(use, now) + spentMs;
    use.atMs = now;
    // As long as it worked: beside others it gets half of the time.
    use.restsUntilMs = now + spentMs;
    if (this.heaviest === null || use.spentMs >= spentBy(this.heaviest, now)) this.heaviest = use;
  }

  private awaitIteration(): void {
    if (this.isIterationAwaited) return;
    this.isIterationAwaited = true;
    this.clock.nextIteration(this.beginIteration);
  }

  /** Begins a turn of the organization that used the least, or comes back when those that rest have rested. */
  private startNext(): void {
    const now = this.clock.now();
    let next: string | null = null;
    let least = Number.POSITIVE_INFINITY;
    let restedAt = Number.POSITIVE_INFINITY;
    for (const organizationId of this.queues.keys()) {
      const until = this.restsUntil(organizationId, now);
      const spent = spentBy(this.uses.get(organizationId), now);
      if (until > now) restedAt = Math.min(restedAt, until);
      else if (spent < least) {
        next = organizationId;
        least = spent;
      }
    }
    if (next !== null) this.start(next, now);
    else this.awaitRest(restedAt - now);
  }

  private awaitRest(milliseconds: number): void {
    if (this.isRestAwaited) return;
    this.isRestAwaited = true;
    this.clock.later(() => {
      this.isRestAwaited = false;
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

/** What is left of a use by now, in ms. */
function spentBy(use: Use | undefined, now: number): number {
  return use === undefined ? 0 : use.spentMs * Math.exp((use.atMs - now) / memoryMs);
}

const processClock: LoopClock = {
  now: () => performance.now(),
  // From within the promises of the present callback: Node runs the tick when they have run on as far as they can.
  afterTurn: (callback) => queueMicrotask(() => process.nextTick(callback)),
  nextIteration: (callback) => void setImmediate(callback),
  later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
};
