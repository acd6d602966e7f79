/** Why: whoever waits for events should hear of those of this node at once, and of others' by asking again. */

/** Lets many wait until something is told of their organization, or a time is over. */
export class Arrivals {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Wakes everybody who waits for one of these organizations: the others have nothing to look for. */
  tell(organizationIds: Iterable<string>): void {
    for (const organizationId of organizationIds) {
      for (const wake of [...(this.waiting.get(organizationId) ?? [])]) wake();
    }
  }

  /** Wakes everybody who waits. */
  tellAll(): void {
    this.tell([...this.waiting.keys()]);
  }

  /** Resolves when something is told of the organization, or after so many ms. */
  wait(organizationId: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const others = this.waiting.get(organizationId) ?? new Set();
      this.waiting.set(organizationId, others);
      const wake = () => {
        clearTimeout(timer);
        others.delete(wake);
        if (others.size === 0) this.waiting.delete(organizationId);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      others.add(wake);
    });
  }
}
