/** Suspends a loop until there may be work. */
export class Wakeup {
  private waiting = Promise.withResolvers<void>();

  /** Resolves at the next `wake` after this call. Call it before checking for work, so that no wake is missed. */
  next(): Promise<void> {
    return this.waiting.promise;
  }

  wake(): void {
    const { resolve } = this.waiting;
    this.waiting = Promise.withResolvers<void>();
    resolve();
  }
}
