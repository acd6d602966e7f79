/** Why: an operator must see what the server does without reading logs (Prometheus text format). */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolState } from '../database/database.ts';

/** What the server counts. */
export interface Metrics {
  readonly registry: Registry;
  /** One answered request. */
  countRequest(route: string, method: string, status: number, seconds: number): void;
  /** One write answered from its stored response. */
  countReplay(): void;
  /** One visitor identified, by what it was recognized. */
  countIdentification(outcome: string): void;
}

/** Registers the metrics; gauges are read when they are asked for. */
export function createMetrics(sources: {
  pool: () => PoolState;
  eventLoopLagSeconds: () => number;
}): Metrics {
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
  const identifications = new Counter({
    name: 'trellis_visitor_identifications_total',
    help: 'Identify calls answered: recognized by token or signals, new, or refused to be recognized.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('trellis_database_connections', 'Connections of the pool.', () => sources.pool().total);
  gauge('trellis_database_connections_idle', 'Connections that are not in use.', () => sources.pool().idle);
  gauge('trellis_database_waiting', 'Calls that wait for a connection.', () => sources.pool().waiting);
  gauge('trellis_event_loop_lag_seconds', 'How late the last timer fired.', sources.eventLoopLagSeconds);
  return {
    registry,
    countRequest: (route, method, status, seconds) =>
      duration.labels(route, method, String(status)).observe(seconds),
    countReplay: () => replays.inc(),
    countIdentification: (outcome) => identifications.labels(outcome).inc(),
  };
}
