/**
 * Counts of requests in Redis, which all nodes share. A request waits for Redis for a tenth of a second at most. When the connection fails,
 * or no response has been in time for half a second, no request waits for it again until a connection that is tried in the background has
 * counted.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type Counted, countedRequests, type RatePolicy } from '../../kernel/rate-limits/counts.ts';
import type { SharedCounts } from '../../kernel/rate-limits/rate-limiter.ts';
import { countScript } from './count-script.ts';

export interface SharedCountsOptions {
  /** `redis://` or `rediss://`, with user and password. */
  readonly url: string;
  /** 32 bytes, the same on all nodes: hashes whose requests are counted, so that Redis knows neither addresses nor tokens. */
  readonly key: Buffer;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** How long a request waits for Redis, in ms; as in production if absent. */
  readonly deadlineMs?: number;
  /** How long no response may be in time, in ms; as in production if absent. */
  readonly toleratedMs?: number;
}

/** How long a request waits for Redis, in ms. */
const defaultDeadlineMs = 100;
/**
 * How long no response may be in time until the connection counts as failed, in ms. Pauses of Redis are shorter (a fork, a slow command of
 * another client, a lost packet); requests that fall into one are counted in memory.
 */
const defaultToleratedMs = 500;
/** How long connecting, with the first count, may take, in ms. */
const connectMs = 2_000;
/** How many requests may wait for Redis; further ones are counted in memory. */
const maxWaiting = 1_000;
/**
 * The pause before the next attempt to connect, in ms. If a connection lasted for less than `stableMs`, the next pause is twice as long,
 * so that a Redis that is often slow does not delay requests every second.
 */
const pauseMs = { least: 1_000, most: 30_000 };
const stableMs = 60_000;

const scriptHash = createHash('sha1').update(countScript).digest('hex');
const probe: RatePolicy = { name: 'probe', key: '', quota: 1_000_000 };

type Client = Awaited<ReturnType<typeof createRedisClient>>;

/** Counts requests in one Redis. */
export class RedisCounts implements SharedCounts {
  private readonly options: SharedCountsOptions;
  private readonly place: string;
  private client: Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private waiting = 0;
  private closed = false;
  private pause = pauseMs.least;
  private connectedAtMs = 0;
  /** When the first of the requests was sent that had no response in time since the last one that had; null: there is none. */
  private lateSinceMs: number | null = null;

  private constructor(options: SharedCountsOptions) {
    this.options = options;
    this.place = new URL(options.url).host;
  }

  /** Connects. If that fails, the log says why, and it is tried again in the background. */
  static async open(options: SharedCountsOptions): Promise<RedisCounts> {
    const counts = new RedisCounts(options);
    try {
      await counts.connect();
    } catch (error) {
      counts.leave(error);
    }
    return counts;
  }

  /** Connects, counts once and disconnects. @throws Error with the reason, without the password */
  static async check(url: string): Promise<void> {
    const log = { info: () => undefined, warn: () => undefined };
    const counts = new RedisCounts({ url, key: randomBytes(32), log });
    try {
      await counts.connect();
    } catch (error) {
      throw new Error(describe(error), { cause: error });
    } finally {
      await counts.close();
    }
  }

  /** Whether requests are counted in Redis now. */
  isReachable(): boolean {
    return this.client !== null;
  }

  async count(scope: string, policies: readonly RatePolicy[], requests = 1): Promise<Counted | null> {
    const { client } = this;
    const { deadlineMs = defaultDeadlineMs } = this.options;
    if (client === null || this.waiting >= maxWaiting) return null;
    this.waiting += 1;
    const sentAtMs = performance.now();
    try {
      const counted = await before(deadlineMs, this.run(client, scope, policies, requests));
      if (this.client === client) this.lateSinceMs = null;
      return counted;
    } catch (error) {
      // Other requests that waited for the same connection have no more to say.
      if (this.client === client && this.isFailure(error, sentAtMs)) this.leave(error);
      return null;
    } finally {
      this.waiting -= 1;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    this.disconnect();
  }

  /** Whether the connection has failed: with anything but a late response at once. */
  private isFailure(error: unknown, sentAtMs: number): boolean {
    if (!(error instanceof LateResponseError)) return true;
    this.lateSinceMs ??= sentAtMs;
    return performance.now() - this.lateSinceMs >= (this.options.toleratedMs ?? defaultToleratedMs);
  }

  private async connect(): Promise<void> {
    const client = await createRedisClient(this.options.url);
    // An error while nothing waits; a call that waits is rejected as well.
    client.on('error', (error: unknown) => {
      if (this.client === client) this.leave(error);
    });
    const ready = client.connect().then(() => this.run(client, '', [probe], 1));
    try {
      await before(connectMs, ready);
    } catch (error) {
      destroy(client);
      throw error;
    }
    if (this.closed) return destroy(client);
    this.client = client;
    this.connectedAtMs = performance.now();
    this.lateSinceMs = null;
  }

  /** Counts in memory from now on, and tries to connect again after a pause. */
  private leave(error: unknown): void {
    const wasStable = this.client === null || performance.now() - this.connectedAtMs > stableMs;
    this.pause = wasStable ? pauseMs.least : Math.min(2 * this.pause, pauseMs.most);
    this.disconnect();
    this.options.log.warn(
      { redis: this.place, reason: describe(error) },
      'Redis cannot be used: rate limits apply per process until it can',
    );
    this.reconnectLater();
  }

  private reconnectLater(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.connect().then(
        () => this.options.log.info({ redis: this.place }, 'Rate limits are shared through Redis again'),
        () => this.reconnectLater(),
      );
    }, this.pause).unref();
  }

  private disconnect(): void {
    const { client } = this;
    this.client = null;
    if (client !== null) destroy(client);
  }

  private async run(
    client: Client,
    scope: string,
    policies: readonly RatePolicy[],
    requests: number,
  ): Promise<Counted> {
    const args = [
      String(policies.length),
      ...policies.map((policy) => this.nameOf(scope, policy)),
      ...policies.map(({ quota }) => String(quota)),
      ...policies.map(({ quota }) => String(countedRequests(quota, requests))),
    ];
    const result = await client.sendCommand(['EVALSHA', scriptHash, ...args]).catch((error: unknown) => {
      // Redis has been restarted or its scripts were flushed. EVAL stores the script again.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
        return client.sendCommand(['EVAL', countScript, ...args]);
      }
      throw error;
    });
    return readResult(result, policies.length);
  }

  private nameOf(scope: string, { name, key }: RatePolicy): string {
    const hash = createHmac('sha256', this.options.key)
      .update(`${scope}\n${name}\n${key}`)
      .digest('base64url');
    return `trellis:rate:${hash.slice(0, 22)}`;
  }
}

function readResult(result: unknown, policies: number): Counted {
  if (!Array.isArray(result) || result.length !== policies + 1) throw new Error('an unexpected response');
  const [accepted, ...full] = result.map(Number);
  return { accepted: accepted === 1, fullInMs: full.map((microseconds) => microseconds / 1_000) };
}

/** A client that neither reconnects nor queues commands without a connection. Loaded on demand. */
async function createRedisClient(url: string) {
  const { createClient } = await import('@redis/client');
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    // Keeps a connection that nobody uses from being closed on the way.
    pingInterval: 30_000,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
}

function destroy(client: Client): void {
  if (client.isOpen) client.destroy();
}

/** Redis may still respond later. */
class LateResponseError extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`);
    this.name = 'LateResponseError';
  }
}

/** @throws LateResponseError if the work takes longer */
function before<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // A process that was busy reads a response that has arrived before it decides.
    const timer = setTimeout(() => {
      setImmediate(() => reject(new LateResponseError(milliseconds)));
    }, milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** One sentence for an operator. The messages of the client contain no password. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return describe(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
