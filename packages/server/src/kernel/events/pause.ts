/** A pause of a loop that can be ended early. A wake-up shortly before the pause ends the pause as well. */

/** The pauses of one loop. */
export class Pause {
  private called = false;
  private end: () => void = () => undefined;

  /** Ends the current pause, or else the next one before it begins. */
  wake(): void {
    this.called = true;
    this.end();
  }

  /** Waits for a number of ms, or until woken. */
  async wait(ms: number): Promise<void> {
    if (!this.called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.called = false;
  }
}
