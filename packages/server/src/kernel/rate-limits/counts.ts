/**
 * Counts of requests in memory, by the generic cell rate algorithm (GCRA): of each limit it stores one instant, at which all of its
 * requests are available again. `shared-script.ts` is the same algorithm in Redis.
 *
 * https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
import { BoundedMap } from '../lib/bounded-map.ts';

/** The time in which a whole quota becomes available, in ms. */
export const windowMs = 60_000;

/** One limit that a request counts against. */
export interface RatePolicy {
  /** Name of the limit in headers and messages. */
  readonly name: string;
  /** Whose requests are counted together. */
  readonly key: string;
  /** Requests per minute, at least 1. */
  readonly quota: number;
}

/** How a request was counted. */
export interface Counted {
  /** Whether it was counted. Otherwise a limit is exhausted, and none of them has counted it. */
  readonly accepted: boolean;
  /** Of each limit: the time until all of its requests are available again, in ms. */
  readonly fullInMs: readonly number[];
}

/** Maximum number of limits, of which the half used last is never dropped; all requests of a new one are available. */
const maxLimits = 100_000;

/** What is stored of a limit. */
interface Limit {
  /** When all of its requests are available again, by the monotonic clock in ms. */
  fullAtMs: number;
}

/** All requests of it are available. */
const unused: Limit = { fullAtMs: 0 };

/** The time in which one request becomes available, in ms. */
export function intervalMs(quota: number): number {
  return windowMs / quota;
}

/** How many requests count: those of a call that does the work of more than a limit ever has beside the call itself count as these. */
export function countedRequests(quota: number, requests: number): number {
  return Math.min(requests, Math.max(1, quota - 1));
}

/** The time in which that many requests become available, in ms. */
export function costMs(quota: number, requests: number): number {
  return intervalMs(quota) * countedRequests(quota, requests);
}

/** Whether that many requests are available. A thousandth of a request is left to rounding. */
export function isAvailable(quota: number, fullInMs: number, requests = 1): boolean {
  return fullInMs + costMs(quota, requests) - intervalMs(quota) * 0.001 <= windowMs;
}

/** Counts requests in memory. */
export class Counts {
  private readonly limits = new BoundedMap<string, Limit>(maxLimits);

  /** Counts requests against all limits, or against none if one of them is exhausted. @param nowMs by the monotonic clock */
  count(policies: readonly RatePolicy[], nowMs: number, requests = 1): Counted {
    const limits = policies.map(({ key }) => this.find(key));
    const before = read(policies, limits, nowMs, requests);
    if (!before.accepted) return before;
    const fullInMs = policies.map(
      ({ quota }, index) => (before.fullInMs[index] ?? 0) + costMs(quota, requests),
    );
    learn(limits, fullInMs, nowMs);
    return { accepted: true, fullInMs };
  }

  /** As `count`, without counting. */
  read(policies: readonly RatePolicy[], nowMs: number, requests = 1): Counted {
    return read(
      policies,
      policies.map(({ key }) => this.limits.get(key) ?? unused),
      nowMs,
      requests,
    );
  }

  /** Stores what is known of the limits, unless more is known already: concurrent requests may be reported in any order. */
  learn(policies: readonly RatePolicy[], fullInMs: readonly number[], nowMs: number): void {
    learn(
      policies.map(({ key }) => this.find(key)),
      fullInMs,
      nowMs,
    );
  }

  private find(key: string): Limit {
    const known = this.limits.get(key);
    if (known !== undefined) return known;
    const limit = { fullAtMs: 0 };
    this.limits.set(key, limit);
    return limit;
  }
}

function read(
  policies: readonly RatePolicy[],
  limits: readonly Limit[],
  nowMs: number,
  requests: number,
): Counted {
  const fullInMs = limits.map(({ fullAtMs }) => Math.max(0, fullAtMs - nowMs));
  const accepted = policies.every(({ quota }, index) => isAvailable(quota, fullInMs[index] ?? 0, requests));
  return { accepted, fullInMs };
}

function learn(limits: readonly Limit[], fullInMs: readonly number[], nowMs: number): void {
  limits.forEach((limit, index) => {
    limit.fullAtMs = Math.max(limit.fullAtMs, nowMs + (fullInMs[index] ?? 0));
  });
}
