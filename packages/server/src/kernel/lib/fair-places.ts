/**
 * Who may do some costly work next: a few at a time, and of one owner fewer, so that a place is left for others. The owner that does the least goes
 * first, then the one whose turn is longest ago, and those that have the most waiting make room for others.
 */

/** How many do the work at a time, how many wait, and for how long. */
export interface PlaceLimits {
  readonly slots: number;
  readonly slotsOfOwner: number;
  readonly waiting: number;
  readonly waitingOfOwner: number;
  /** As long as it takes if absent. */
  readonly longestWaitMs?: number;
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

interface Use {
  /** Whether the owner goes before all that are not, and never makes room for others. */
  readonly isPreferred: boolean;
  /** In order of arrival. */
  readonly waiting: Set<Waiting>;
  running: number;
  /** The number of the turn that began last; 0: none. */
  latest: number;
}

/** Places of one process. */
export class FairPlaces {
  private readonly limits: PlaceLimits;
  private readonly refusal: () => Error;
  /** By owner, as long as it has any. */
  private readonly uses = new Map<string, Use>();
  private waiting = 0;
  private running = 0;
  private turns = 0;
  /** The largest number that did the work at once. */
  mostAtOnce = 0;

  /** @param refusal the error of whoever gets no place */
  constructor(limits: PlaceLimits, refusal: () => Error) {
    this.limits = limits;
    this.refusal = refusal;
  }

  /**
   * Waits for a turn and does the work.
   * @throws the refusal if too many wait, or it has waited for too long
   */
  async take<T>(owner: string, work: () => Promise<T>, isPreferred = false): Promise<T> {
    const use = this.uses.get(owner) ?? { isPreferred, waiting: new Set(), running: 0, latest: 0 };
    if (this.mayBegin(use)) this.begin(owner, use);
    else await this.wait(owner, use);
    try {
      return await work();
    } finally {
      this.running -= 1;
      use.running -= 1;
      this.forgetUnused(owner, use);
      this.beginNext();
    }
  }

  private mayBegin({ running }: Use): boolean {
    return this.running < this.limits.slots && running < this.limits.slotsOfOwner;
  }

  private begin(owner: string, use: Use): void {
    this.uses.set(owner, use);
    this.running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
    this.turns += 1;
    use.running += 1;
    use.latest = this.turns;
  }

  private async wait(owner: string, use: Use): Promise<void> {
    const { waiting, waitingOfOwner, longestWaitMs } = this.limits;
    const isFull = use.waiting.size >= waitingOfOwner || (this.waiting >= waiting && !this.makeRoom(use));
    if (isFull) throw this.refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      clearTimeout(timer);
      use.waiting.delete(one);
      this.waiting -= 1;
    };
    const one: Waiting = {
      begin: () => {
        leave();
        this.begin(owner, use);
        resolve();
      },
      refuse: () => {
        leave();
        this.forgetUnused(owner, use);
        reject(this.refusal());
      },
    };
    const timer = longestWaitMs === undefined ? undefined : setTimeout(one.refuse, longestWaitMs);
    this.uses.set(owner, use);
    use.waiting.add(one);
    this.waiting += 1;
    await promise;
  }

  /** Refuses the newest that waits of the owner that has the most waiting, if that is more than another one would have then. */
  private makeRoom(use: Use): boolean {
    const moreThan = use.isPreferred ? 0 : use.waiting.size + 1;
    let most: readonly Waiting[] = [];
    for (const { isPreferred, waiting } of this.uses.values())
      if (!isPreferred && waiting.size >= Math.max(most.length, 1)) most = [...waiting];
    if (most.length <= moreThan) return false;
    most.at(-1)?.refuse();
    return true;
  }

  /** Passes a place that has become free to one that waits. */
  private beginNext(): void {
    let next: Use | null = null;
    for (const use of this.uses.values()) {
      if (use.waiting.size === 0 || !this.mayBegin(use)) continue;
      if (next === null || goesBefore(use, next)) next = use;
    }
    const [first] = next?.waiting ?? [];
    first?.begin();
  }

  private forgetUnused(owner: string, use: Use): void {
    if (use.running + use.waiting.size === 0) this.uses.delete(owner);
  }
}

function goesBefore(one: Use, other: Use): boolean {
  if (one.isPreferred !== other.isPreferred) return one.isPreferred;
  return one.running === other.running ? one.latest < other.latest : one.running < other.running;
}
