/** Lets a loop sleep until there may be something to do. */
export class Wakeup {
  private waiting = Promise.withResolvers<void>();

  /** Resolves at the next `wake` after this call. Ask before looking for work, so that no wake is missed. */
  next(): Promise<void> {
    return this.waiting.promise;
  }

  wake(): void {
    const { resolve } = this.waiting;
    this.waiting = Promise.withResolvers<void>();
    resolve();
  }
}
