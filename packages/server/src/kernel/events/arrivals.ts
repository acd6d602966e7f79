/** Wakes the requests that wait for events of an organization: at once for events logged through this node. */

/**
 * Waiting requests by organization. Events of other nodes are found when the wait times out and the log is read
 * again.
 */
export class Arrivals {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Wakes everyone who waits for one of these organizations. */
  notify(organizationIds: Iterable<string>): void {
    for (const organizationId of organizationIds) {
      for (const wake of [...(this.waiting.get(organizationId) ?? [])]) wake();
    }
  }

  /** Wakes everyone who waits. */
  notifyAll(): void {
    this.notify([...this.waiting.keys()]);
  }

  /** Resolves when the organization is notified, or after the timeout. */
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
