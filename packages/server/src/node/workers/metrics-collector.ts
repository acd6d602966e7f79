/** Collects the metrics of all processes of a node. */
import type { Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { type MetricsSnapshot, renderTogether } from '../../kernel/http/metrics.ts';
import type { Order } from './messages.ts';

/**
 * How long a process may take to respond, in ms. One that hangs is left out, so that the others' metrics are still
 * seen.
 */
const timeoutMs = 2_000;

/** Gathers the metrics in the first process. */
export class MetricsCollector {
  private readonly open = new Map<number, (snapshot: MetricsSnapshot) => void>();
  private lastRequest = 0;

  private readonly log: Logger;

  constructor(log: Logger) {
    this.log = log;
  }

  /**
   * Asks all processes that can be reached. Never rejects: the other processes depend on this one.
   * @returns the metrics in Prometheus text format; empty when they cannot be rendered
   */
  async collect(workers: readonly Worker[], send: (worker: Worker, order: Order) => void): Promise<string> {
    try {
      return await this.gather(workers, send);
    } catch (error) {
      this.log.error({ err: error }, 'The metrics of the processes could not be combined');
      return '';
    }
  }

  private async gather(
    workers: readonly Worker[],
    send: (worker: Worker, order: Order) => void,
  ): Promise<string> {
    const connected = workers.filter((worker) => worker.isConnected());
    this.lastRequest += 1;
    const request = this.lastRequest;
    const snapshots: MetricsSnapshot[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.open.set(request, (snapshot) => {
        snapshots.push(snapshot);
        if (snapshots.length < connected.length) return;
        clearTimeout(timer);
        resolve();
      });
      for (const worker of connected) send(worker, { type: 'count', request });
    });
    this.open.delete(request);
    return renderTogether(snapshots);
  }

  /** Adds the metrics of one process. */
  add(request: number, snapshot: MetricsSnapshot): void {
    this.open.get(request)?.(snapshot);
  }
}
