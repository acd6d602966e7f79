/** Work that is done after the response was sent, such as mail, so that neither its duration nor its failure reveals anything to the caller. */
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';

export class LaterWork {
  private readonly log: Logger;
  private readonly running = new Set<Promise<void>>();

  constructor(log: Logger) {
    this.log = log;
  }

  /** Begins the work in another turn of the event loop. A failure is logged with what is given about its request. */
  run(about: { readonly requestId: string; readonly route: string }, work: () => Promise<void>): void {
    const run = setImmediate()
      .then(work)
      .catch((error: unknown) => this.log.error({ ...about, err: error }, 'work after a response failed'));
    this.running.add(run);
    run.finally(() => this.running.delete(run));
  }

  /** Waits until nothing of it is left. */
  async finish(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}
