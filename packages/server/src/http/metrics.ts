/** What a node counts, in the text format of Prometheus. */
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
import type { PoolState } from '../database/database.ts';
import type { OutboxState } from '../events/outbox.ts';
import type { ExtractionOutcome } from '../resources/knowledge-files/extraction-service.ts';
import type { DeliveryOutcome } from '../webhooks/delivery.ts';

/** The metrics of one process, as they travel to another one. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/** What a node counts. */
export interface Metrics {
  /** One answered request. */
  countRequest(route: string, method: string, status: number, seconds: number): void;
  /** One write answered from its stored response. */
  countReplay(): void;
  /** One visitor identified, by what it was recognized. */
  countIdentification(outcome: string): void;
  countDelivery(outcome: DeliveryOutcome): void;
  countExtraction(outcome: ExtractionOutcome): void;
  /** Gauges are read when they are asked for; one that cannot be read is left out. */
  watchPool(read: () => PoolState): void;
  watchEventLoop(lagSeconds: () => number): void;
  watchOutbox(read: () => Promise<OutboxState>): void;
  /** As Prometheus reads them. */
  render(): Promise<string>;
  snapshot(): Promise<MetricsSnapshot>;
}

/** The content type of what `render` gives. */
export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** One text of what several processes count: sums, and for lag and outbox the largest. */
export function renderTogether(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** Metrics of this process, all at nothing. */
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
  const replays = new Counter({
    name: 'trellis_idempotent_replays_total',
    help: 'Writes answered from the response stored under their Idempotency-Key.',
    registers: [registry],
  });
  const countOutcomes = <T extends string>(name: string, help: string, outcomes: readonly T[]) => {
    const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
    // A rate can be told of the first one too if there was a zero before it.
    for (const outcome of outcomes) counter.labels(outcome).inc(0);
    return (outcome: T) => counter.labels(outcome).inc();
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
    countReplay: () => replays.inc(),
    countIdentification: countOutcomes(
      'trellis_visitor_identifications_total',
      'Identify calls answered: recognized by token or signals, new, or refused to be recognized.',
      [],
    ),
    countDelivery: countOutcomes<DeliveryOutcome>(
      'trellis_webhook_deliveries_total',
      'Attempts to deliver: succeeded; retried and failed, which the receiver did not take, with another attempt to come and without; postponed, by a fault on our side.',
      ['succeeded', 'retried', 'failed', 'postponed'],
    ),
    countExtraction: countOutcomes<ExtractionOutcome>(
      'trellis_extractions_total',
      'Attempts to read the text of a file: ready, failed for good, or postponed by a fault on our side.',
      ['ready', 'failed', 'postponed'],
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
    watchEventLoop(lagSeconds) {
      gauge('trellis_event_loop_lag_seconds', 'How late the last timer fired.', 'max', lagSeconds);
    },
    watchOutbox(read) {
      const state = share(read);
      const depth = async () => (await state()).events;
      const ageSeconds = async () => (await state()).oldestSeconds;
      gauge('trellis_outbox_events', 'Events that wait to be logged, at most 100000.', 'max', depth);
      gauge(
        'trellis_outbox_oldest_age_seconds',
        'How long the oldest of them has waited; 0 when none does.',
        'max',
        ageSeconds,
      );
    },
    render: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/** Statuses that are told apart: those of the interfaces. Any other counts as its class, such as `5xx`. */
const knownStatuses: ReadonlySet<number> = new Set([
  200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 415, 416, 422, 428, 429,
  431, 500, 501, 503,
]);

function statusLabel(status: number): string {
  return knownStatuses.has(status) ? String(status) : `${Math.trunc(status / 100)}xx`;
}

/** Lets those who ask at the same time have one answer. */
function share<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
