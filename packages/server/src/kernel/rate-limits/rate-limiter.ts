/**
 * Rate limits of requests (draft-ietf-httpapi-ratelimit-headers): counted in Redis if there is one, so that they apply to all nodes
 * together, and otherwise in the process.
 */
import { Problem } from '@trellis/schema/problem.ts';
import {
  type Counted,
  Counts,
  costMs,
  intervalMs,
  isAvailable,
  type RatePolicy,
  windowMs,
} from './counts.ts';

/** Counts that all nodes share. */
export interface SharedCounts {
  /** Whether requests can be counted there now. */
  isReachable(): boolean;
  /**
   * Counts requests against all limits, or against none if one of them is exhausted.
   * @param scope distinguishes limits of the same name
   * @returns null if they were not counted
   */
  count(scope: string, policies: readonly RatePolicy[], requests?: number): Promise<Counted | null>;
}

/** Where a request was counted. */
export type CountedWhere = 'shared' | 'local';

export interface RateLimiterOptions {
  /** Names the interface: limits of different interfaces are counted separately. */
  readonly scope: string;
  /** Null without Redis. */
  readonly shared: SharedCounts | null;
  readonly countCheck: (where: CountedWhere) => void;
  /** For tests: the monotonic clock, in ms. */
  readonly now?: () => number;
}

/** Requests per minute; 0 switches the limit off. */
export interface TenantLimits {
  readonly perToken: number;
  readonly perOrganization: number;
}

/** Counts a request of a token, or several at once. As `RateLimiter.take`. */
export type TakeTenant = (
  caller: { readonly tokenHash: string; readonly organizationId: string },
  requests?: number,
) => Promise<Record<string, string>>;

/** Counts requests and refuses those above a limit. */
export class RateLimiter {
  private readonly options: RateLimiterOptions;
  /** Without Redis the counts; with it what is known of them, so that they continue here when it fails. */
  private readonly counts = new Counts();
  private readonly now: () => number;

  constructor(options: RateLimiterOptions) {
    this.options = options;
    this.now = options.now ?? (() => performance.now());
  }

  /** Whether nodes share the limits, as long as Redis can be used. */
  get isShared(): boolean {
    return this.options.shared !== null;
  }

  /**
   * Counts requests against limits, all of them or none; limits with quota 0 are off. More than a limit ever has count as what it has.
   * @returns the headers to send; empty when all limits are off
   * @throws Problem rate_limited, carrying the same headers and Retry-After
   */
  async take(all: readonly RatePolicy[], requests = 1): Promise<Record<string, string>> {
    const policies = all.filter(({ quota }) => quota > 0);
    if (policies.length === 0) return {};
    const { accepted, fullInMs } = await this.count(policies, requests);
    const headers = describeLimits(policies, fullInMs);
    if (accepted) return headers;
    const index = policies.findIndex(({ quota }, at) => !isAvailable(quota, fullInMs[at] ?? 0, requests));
    const { name = '', quota = 1 } = policies[index] ?? {};
    const waitMs = (fullInMs[index] ?? 0) + costMs(quota, requests) - windowMs;
    throw new Problem('rate_limited', `The limit of the ${name} is ${quota} requests a minute.`, {
      headers: { ...headers, 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    });
  }

  private async count(policies: readonly RatePolicy[], requests: number): Promise<Counted> {
    const { scope, shared, countCheck } = this.options;
    const nowMs = this.now();
    if (shared?.isReachable()) {
      // An exhausted limit remains so until a request becomes available, so a flood costs Redis nothing.
      const known = this.counts.read(policies, nowMs, requests);
      const counted = known.accepted ? await shared.count(scope, policies, requests) : known;
      if (counted !== null) {
        // As of the time before the call: this process must not refuse what Redis would accept.
        this.counts.learn(policies, counted.fullInMs, nowMs);
        countCheck('shared');
        return counted;
      }
    }
    countCheck('local');
    return this.counts.count(policies, this.now(), requests);
  }
}

/** Counts requests of tokens against the limits of the token and of its organization. */
export function limitTenants(limiter: RateLimiter, { perToken, perOrganization }: TenantLimits): TakeTenant {
  return ({ tokenHash, organizationId }, requests) =>
    limiter.take(
      [
        { name: 'token', key: tokenHash, quota: perToken },
        { name: 'organization', key: organizationId, quota: perOrganization },
      ],
      requests,
    );
}

function describeLimits(
  policies: readonly RatePolicy[],
  fullInMs: readonly number[],
): Record<string, string> {
  const describe = (one: (policy: RatePolicy, fullInMs: number) => string) =>
    policies.map((policy, index) => `"${policy.name}";${one(policy, fullInMs[index] ?? 0)}`).join(', ');
  return {
    'ratelimit-policy': describe(({ quota }) => `q=${quota};w=${windowMs / 1_000}`),
    ratelimit: describe(({ quota }, full) => {
      // A thousandth of a request is left to rounding, as in `isAvailable`.
      const remaining = Math.max(0, Math.floor((windowMs - full) / intervalMs(quota) + 0.001));
      return `r=${remaining};t=${Math.ceil(full / 1_000)}`;
    }),
  };
}
