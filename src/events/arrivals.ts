/** Why: whoever waits for events should hear of those of this process at once, and of others' by asking again. */

/** Lets many wait until something is told, or a time is over. */
export class Arrivals {
  private readonly waiting = new Set<() => void>();

  /** Wakes everybody who waits. */
  tell(): void {
    const all = [...this.waiting];
    this.waiting.clear();
    for (const wake of all) wake();
  }

  /** Resolves when something is told, or after so many ms. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.waiting.add(wake);
    });
  }
}
