/**
 * The log of refused and failed requests. Anybody can cause refusals, as many as they like: they are counted, and logged in
 * sum, as one line in ten seconds. Failures are logged with their details, so many in the same time and the others in sum.
 */
import type { Problem } from '@trellis/schema/problem.ts';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import type { ConnectionAbuse } from './pipelining.ts';

/** Time between two sums, in ms. */
const intervalMs = 10_000;
/** Maximum number of failures with details, and of kinds of refusals in a sum, in that time. */
const mostDetailed = 10;
const mostKinds = 20;

/** Where a request was refused or failed. */
export interface RefusedRequest {
  readonly requestId: string;
  /** If the request is traced. */
  readonly traceId?: string | undefined;
  /** The path as it is declared; undefined when there is no such route. */
  readonly route: string | undefined;
}

/** Counts and logs refusals. */
export class RefusalLog {
  private readonly log: Logger;
  private readonly metrics: Pick<Metrics, 'countRefusal'>;
  private readonly timer: NodeJS.Timeout;
  /** Refusals since the last sum, by code and route. */
  private readonly counts = new Map<string, number>();
  private detailed = 0;

  constructor(log: Logger, metrics: Pick<Metrics, 'countRefusal'>) {
    this.log = log;
    this.metrics = metrics;
    this.timer = setInterval(() => this.writeSum(), intervalMs);
    this.timer.unref();
  }

  /** Records a problem that a request got. */
  note(problem: Problem, { requestId, traceId, route }: RefusedRequest): void {
    this.metrics.countRefusal(problem.code);
    const isFailure = problem.status === 500 || (problem.status > 500 && problem.cause !== undefined);
    if (isFailure && this.detailed < mostDetailed) {
      this.detailed += 1;
      const level = problem.status === 500 ? 'error' : 'warn';
      this.log[level]({ requestId, traceId, route, err: problem.cause ?? problem }, problem.code);
    } else {
      this.count(`${problem.code} ${route ?? 'unknown'}`);
    }
  }

  /** Records a connection that was ended for the work that its client makes for the parser. */
  noteEndedConnection(abuse: ConnectionAbuse): void {
    this.metrics.countRefusal(abuse);
    this.count(abuse);
  }

  /** Logs the refusals counted since the last total. */
  writeSum(): void {
    this.detailed = 0;
    if (this.counts.size === 0) return;
    const all = [...this.counts].sort(([, one], [, other]) => other - one);
    this.counts.clear();
    const sum = all.reduce((total, [, count]) => total + count, 0);
    const most = all.slice(0, mostKinds);
    this.log.info({ refused: sum, most: Object.fromEntries(most) }, 'requests were refused');
  }

  close(): void {
    clearInterval(this.timer);
    this.writeSum();
  }

  private count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }
}
