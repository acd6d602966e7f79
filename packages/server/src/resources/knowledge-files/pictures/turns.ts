/**
 * Who may make a rendition next: a few at a time, since each takes a processor and some hundred megabytes. The organization that is
 * making the fewest goes first, and one that has many waiting is refused before others are.
 */

/** How many renditions are made, and how many wait. */
export interface RenditionTurnLimits {
  readonly slots: number;
  readonly waiting: number;
  readonly waitingOfOrganization: number;
}

interface Waiting {
  readonly organizationId: string;
  begin(): void;
}

/** Turns of one process. */
export class RenditionTurns {
  private readonly limits: RenditionTurnLimits;
  private readonly running: string[] = [];
  private waiting: Waiting[] = [];

  constructor(limits: RenditionTurnLimits) {
    this.limits = limits;
  }

  /**
   * Waits for a turn and does the work.
   * @returns null if too many wait
   */
  take<T>(organizationId: string, work: () => Promise<T>): Promise<T> | null {
    const { waiting, waitingOfOrganization } = this.limits;
    const own = countOf(
      this.waiting.map((entry) => entry.organizationId),
      organizationId,
    );
    // Whoever has nothing waiting is let in up to twice the number: others must not fill the queue against them.
    const most = own === 0 ? 2 * waiting : waiting;
    if (own >= waitingOfOrganization || this.waiting.length >= most) return null;
    const turn = Promise.withResolvers<void>();
    this.waiting.push({ organizationId, begin: turn.resolve });
    this.beginNext();
    return turn.promise.then(work).finally(() => {
      this.running.splice(this.running.indexOf(organizationId), 1);
      this.beginNext();
    });
  }

  private beginNext(): void {
    if (this.running.length >= this.limits.slots) return;
    const order = this.waiting.toSorted(
      (left, right) =>
        countOf(this.running, left.organizationId) - countOf(this.running, right.organizationId),
    );
    const [next] = order;
    if (next === undefined) return;
    this.waiting = this.waiting.filter((entry) => entry !== next);
    this.running.push(next.organizationId);
    next.begin();
  }
}

function countOf(ids: readonly string[], id: string): number {
  return ids.filter((other) => other === id).length;
}
