/**
 * Rate limits of requests: a token bucket for each token and one for each organization, refilled evenly
 * (draft-ietf-httpapi-ratelimit-headers).
 */

import { Problem } from '@trellis/schema/problem.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

/** Requests per minute; 0 switches the limit off. */
export interface RateLimits {
  readonly perToken: number;
  readonly perOrganization: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

const windowSeconds = 60;
/** Maximum number of buckets. The least recently used one is dropped first; a new bucket is full. */
const maxBuckets = 50_000;

/** One limit that a request counts against. */
export interface RatePolicy {
  /** Name of the limit in headers and messages. */
  readonly name: string;
  /** Key of its bucket in the limiter. */
  readonly key: string;
  /** Requests per minute; 0 is no limit. */
  readonly quota: number;
}

/** Counts requests and refuses those above a limit. */
export class RateLimiter {
  private readonly limits: RateLimits;
  private readonly buckets = new BoundedMap<string, Bucket>(maxBuckets);

  constructor(limits: RateLimits) {
    this.limits = limits;
  }

  /**
   * Counts one request against the limits of the token and of the organization.
   * @returns the headers to send; empty when limits are off
   * @throws Problem rate_limited, carrying the same headers and Retry-After
   */
  take(tokenHash: string, organizationId: string, nowMs: number): Record<string, string> {
    const { perToken, perOrganization } = this.limits;
    return this.takeFrom(
      [
        { name: 'token', key: tokenHash, quota: perToken },
        { name: 'organization', key: organizationId, quota: perOrganization },
      ],
      nowMs,
    );
  }

  /** As `take`, for any limits. */
  takeFrom(all: readonly RatePolicy[], nowMs: number): Record<string, string> {
    const policies = all.filter(({ quota }) => quota > 0);
    if (policies.length === 0) return {};
    const filled = policies.map((policy) => ({
      ...policy,
      bucket: this.fill(policy.key, policy.quota, nowMs),
    }));
    const empty = filled.find(({ bucket }) => bucket.tokens < 1);
    if (empty === undefined) for (const { bucket } of filled) bucket.tokens -= 1;
    const headers = {
      'ratelimit-policy': filled
        .map(({ name, quota }) => `"${name}";q=${quota};w=${windowSeconds}`)
        .join(', '),
      ratelimit: filled
        .map(
          ({ name, quota, bucket }) =>
            `"${name}";r=${Math.floor(bucket.tokens)};t=${secondsToFull(bucket, quota)}`,
        )
        .join(', '),
    };
    if (empty === undefined) return headers;
    const wait = Math.max(1, Math.ceil(((1 - empty.bucket.tokens) / empty.quota) * windowSeconds));
    throw new Problem('rate_limited', `The limit of the ${empty.name} is ${empty.quota} requests a minute.`, {
      headers: { ...headers, 'retry-after': String(wait) },
    });
  }

  private fill(key: string, quota: number, nowMs: number): Bucket {
    const known = this.buckets.get(key);
    if (known !== undefined) {
      known.tokens = Math.min(
        quota,
        known.tokens + ((nowMs - known.filledAtMs) / 1_000 / windowSeconds) * quota,
      );
      known.filledAtMs = nowMs;
      return known;
    }
    const bucket = { tokens: quota, filledAtMs: nowMs };
    this.buckets.set(key, bucket);
    return bucket;
  }
}

function secondsToFull(bucket: Bucket, quota: number): number {
  return Math.ceil(((quota - bucket.tokens) / quota) * windowSeconds);
}
