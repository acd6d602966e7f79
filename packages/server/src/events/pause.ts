/** Why: a loop that rests must be woken by what happens meanwhile, also by what happened just before it lay down. */

/** A pause of one loop that others can end. */
export class Pause {
  private called = false;
  private end: () => void = () => undefined;

  /** Ends the pause that is going on, or else the next one before it begins. */
  callUp(): void {
    this.called = true;
    this.end();
  }

  /** Rests for so many ms, or until called up. */
  async rest(ms: number): Promise<void> {
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
