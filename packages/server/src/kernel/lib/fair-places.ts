/**
 * Who may do some costly work next: a few at a time, and of one owner fewer, so that a place is left for others. The owner that does the least goes
 * first, then the one whose turn is longest ago, and one that has many waiting is refused before others are.
 */

/** How many do the work at a time, and how many wait. */
export interface PlaceLimits {
  readonly slots: number;
  readonly slotsOfOwner: number;
  readonly waiting: number;
  readonly waitingOfOwner: number;
}

interface Waiting {
  readonly owner: string;
  begin(): void;
}

interface Use {
  waiting: number;
  running: number;
  /** The number of the turn that began last; 0: none. */
  latest: number;
}

/** Places of one process. */
export class FairPlaces {
  private readonly limits: PlaceLimits;
  /** By owner, as long as it has any. */
  private readonly uses = new Map<string, Use>();
  /** In order of arrival. */
  private readonly waiting = new Set<Waiting>();
  private running = 0;
  private turns = 0;

  constructor(limits: PlaceLimits) {
    this.limits = limits;
  }

  /**
   * Waits for a turn and does the work.
   * @returns null if too many wait
   */
  take<T>(owner: string, work: () => Promise<T>): Promise<T> | null {
    const { waiting, waitingOfOwner } = this.limits;
    const use = this.uses.get(owner) ?? { waiting: 0, running: 0, latest: 0 };
    // Whoever has nothing waiting is let in up to twice the number: others must not fill the queue against them.
    const most = use.waiting === 0 ? 2 * waiting : waiting;
    if (use.waiting >= waitingOfOwner || this.waiting.size >= most) return null;
    const turn = Promise.withResolvers<void>();
    this.uses.set(owner, use);
    use.waiting += 1;
    this.waiting.add({ owner, begin: turn.resolve });
    this.beginNext();
    return turn.promise.then(work).finally(() => {
      this.running -= 1;
      use.running -= 1;
      if (use.running + use.waiting === 0) this.uses.delete(owner);
      this.beginNext();
    });
  }

  private beginNext(): void {
    if (this.running >= this.limits.slots) return;
    const next = this.findNext();
    if (next === null) return;
    const { entry, use } = next;
    this.waiting.delete(entry);
    this.running += 1;
    this.turns += 1;
    use.waiting -= 1;
    use.running += 1;
    use.latest = this.turns;
    entry.begin();
  }

  private findNext(): { readonly entry: Waiting; readonly use: Use } | null {
    let next: { readonly entry: Waiting; readonly use: Use } | null = null;
    for (const entry of this.waiting) {
      const use = this.uses.get(entry.owner);
      if (use === undefined || use.running >= this.limits.slotsOfOwner) continue;
      if (next === null || goesBefore(use, next.use)) next = { entry, use };
    }
    return next;
  }
}

function goesBefore(one: Use, other: Use): boolean {
  return one.running === other.running ? one.latest < other.latest : one.running < other.running;
}
