/** The metrics of a node, in the text format of Prometheus. */
import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { PoolState } from '../database/connections.ts';
import type { ReplicasState } from '../database/replicas.ts';
import type { OutboxState } from '../events/outbox.ts';
import type { CountedWhere } from '../rate-limits/rate-limiter.ts';

/** The metrics of one process, in the form in which they are sent to another process. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/** The counters and gauges of a process. */
export interface Metrics {
  /** Counts a completed request. */
  countRequest(route: string, method: string, status: number, seconds: number): void;
  /** Counts a refused or failed request by its code, and connections that were closed because they overworked the parser. */
  countRefusal(code: string): void;
  /** Counts a retry of a finished write. */
  countReplay(): void;
  /**
   * Registers a counter, with one series for each outcome.
   * @param outcomes those that are zero from the beginning
   * @returns counts one outcome
   */
  counter<T extends string>(name: string, help: string, outcomes: readonly T[]): (outcome: T) => void;
  /** Counts a request that was checked against rate limits. */
  countRateLimitCheck(where: CountedWhere): void;
  /** Registers gauges of a pool, which are read when metrics are rendered; one that cannot be read is left out. */
  watchPool(read: () => PoolState): void;
  /** Registers what is known of the replicas and the reads that they were asked for; nothing where there are none. */
  watchReplicas(read: () => ReplicasState | null): void;
  watchEventLoop(lagSeconds: () => number): void;
  watchSharedCounts(isReachable: () => boolean): void;
  watchOutbox(read: () => Promise<OutboxState>): void;
  /** The metrics as text. */
  render(): Promise<string>;
  snapshot(): Promise<MetricsSnapshot>;
}

/** The content type of the result of `render`. */
export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Renders the metrics of several processes as one: the sums, and the maximum of lag and outbox. */
export function renderTogether(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** Creates the metrics of this process, with all counters at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'trellis_' });
  const duration = new Histogram({
    name: 'trellis_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'trellis_refusals_total',
    help: 'Requests that were refused or failed, by the code of the error; `pipelining`, `small_chunks`: connections that were ended.',
    labelNames: ['code'],
    registers: [registry],
  });
  const replays = new Counter({
    name: 'trellis_idempotent_replays_total',
    help: 'Retries of finished writes, which got their response.',
    registers: [registry],
  });
  const countOutcomes = <T extends string>(
    name: string,
    help: string,
    outcomes: readonly T[],
    label = 'outcome',
  ) => {
    // Prometheus can only compute a rate for the first increment if there was a zero before it.
    const counts = new Map<T, number>(outcomes.map((outcome) => [outcome, 0]));
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      // The library composes a text of the labels for each increment, so it is given the numbers only when they are rendered.
      collect() {
        this.reset();
        for (const [outcome, count] of counts) this.labels(outcome).inc(count);
      },
    });
    return (outcome: T) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };
  const gauge = (name: string, help: string, aggregator: Aggregator, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.remove();
        }
      },
    });
  return {
    countRequest: (route, method, status, seconds) =>
      duration.labels(route, method, statusLabel(status)).observe(seconds),
    countRefusal: (code) => refusals.labels(code).inc(),
    countReplay: () => replays.inc(),
    counter: countOutcomes,
    countRateLimitCheck: countOutcomes<CountedWhere>(
      'trellis_rate_limit_checks_total',
      'Requests that were checked against rate limits, by where they were counted: shared by all nodes in Redis, or local to the process.',
      ['shared', 'local'],
      'counted',
    ),
    watchPool(read) {
      gauge('trellis_database_connections', 'Connections of the pool.', 'sum', () => read().total);
      gauge(
        'trellis_database_connections_idle',
        'Connections that are not in use.',
        'sum',
        () => read().idle,
      );
      gauge('trellis_database_waiting', 'Calls that wait for a connection.', 'sum', () => read().waiting);
    },
    watchReplicas(read) {
      const state = read();
      if (state === null) return;
      new Counter({
        name: 'trellis_replica_reads_total',
        help: 'Reads by how they were served: by a replica, or by the primary and why.',
        labelNames: ['outcome'],
        registers: [registry],
        collect() {
          this.reset();
          for (const [outcome, count] of Object.entries(read()?.reads ?? {})) this.labels(outcome).inc(count);
        },
      });
      new Gauge({
        name: 'trellis_replica_condition',
        help: 'The number of processes that find a replica in a condition.',
        labelNames: ['host', 'condition'],
        aggregator: 'sum',
        registers: [registry],
        collect() {
          this.reset();
          for (const { host, condition } of read()?.replicas ?? []) this.labels(host, condition).set(1);
        },
      });
    },
    watchEventLoop(lagSeconds) {
      gauge('trellis_event_loop_lag_seconds', 'Delay of the last timer.', 'max', lagSeconds);
    },
    watchSharedCounts(isReachable) {
      gauge(
        'trellis_rate_limit_shared',
        'Whether rate limits are shared through Redis: 1, or 0 while it cannot be used.',
        'min',
        () => (isReachable() ? 1 : 0),
      );
    },
    watchOutbox(read) {
      const state = share(read);
      const depth = async () => (await state()).events;
      const ageSeconds = async () => (await state()).oldestSeconds;
      gauge('trellis_outbox_events', 'Events in the outbox, counted up to 100000.', 'max', depth);
      gauge(
        'trellis_outbox_oldest_age_seconds',
        'Age of the oldest event in the outbox; 0 if it is empty.',
        'max',
        ageSeconds,
      );
    },
    render: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/** Statuses with their own label: those that the interfaces use. Any other is counted as its class, such as `5xx`. */
const knownStatuses: ReadonlySet<number> = new Set([
  200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 416, 417, 422, 428,
  429, 431, 500, 501, 503,
]);

function statusLabel(status: number): string {
  return knownStatuses.has(status) ? String(status) : `${Math.trunc(status / 100)}xx`;
}

/** Combines concurrent calls into one. */
function share<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
