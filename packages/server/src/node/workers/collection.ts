/** Why: whoever asks a node what it counts is answered by any of its processes, and means all of them. */
import type { Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { type MetricsSnapshot, renderTogether } from '../../http/metrics.ts';
import type { Order } from './messages.ts';

/** How long a process may take to tell, in ms. One that hangs is left out: what the others count matters all the more then. */
const patienceMs = 2_000;

/** What the processes of a node count, gathered by the first of them. */
export class Collection {
  private readonly open = new Map<number, (snapshot: MetricsSnapshot) => void>();
  private lastRequest = 0;

  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log;
  }

  /**
   * Asks all that can be reached. Never rejects: the process that gathers bears all the others.
   * @returns the text for Prometheus; empty when it cannot be made
   */
  async collect(workers: readonly Worker[], send: (worker: Worker, order: Order) => void): Promise<string> {
    try {
      return await this.gather(workers, send);
    } catch (error) {
      this.log.error({ err: error }, 'what the processes count could not be put together');
      return '';
    }
  }

  private async gather(
    workers: readonly Worker[],
    send: (worker: Worker, order: Order) => void,
  ): Promise<string> {
    const asked = workers.filter((worker) => worker.isConnected());
    this.lastRequest += 1;
    const request = this.lastRequest;
    const snapshots: MetricsSnapshot[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.open.set(request, (snapshot) => {
        snapshots.push(snapshot);
        if (snapshots.length < asked.length) return;
        clearTimeout(timer);
        resolve();
      });
      for (const worker of asked) send(worker, { type: 'count', request });
    });
    this.open.delete(request);
    return renderTogether(snapshots);
  }

  /** What one of them has told. */
  add(request: number, snapshot: MetricsSnapshot): void {
    this.open.get(request)?.(snapshot);
  }
}
