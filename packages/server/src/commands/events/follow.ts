/**
 * Follows the events of an organization over HTTP: each event once and in order, however often the connection breaks. It
 * keeps one cursor, that of the last event returned, and every connection starts by reading pages from it, which also
 * moves the cursor past events that the filters skip. The ids that a stream sends without an event are ignored: streams are
 * short compared with the retention of events, and such an id may overtake events that have arrived but were not returned.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError, readRetryAfter } from '@trellis/client/api-client.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Connection } from '../connection.ts';

/** An event as the API returns it (CloudEvents 1.0). */
export type EventRecord = Readonly<Record<string, unknown>>;

export interface FollowOptions {
  readonly connection: Connection;
  /** `earliest`, `latest`, or a cursor. */
  readonly from: string;
  /** Type or pattern, and id of a record; undefined for all. */
  readonly type: string | undefined;
  readonly subject: string | undefined;
  /** Whether to wait for further events when all have been read. */
  readonly follow: boolean;
  readonly stop: AbortSignal;
  /** Shows a sentence to the user. */
  readonly notify: (sentence: string) => void;
}

/** The server cannot be reached or cannot answer now; a retry makes sense. */
class Outage extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'Outage';
    this.retryAfterMs = retryAfterMs;
  }
}

const pageLimit = 100;
const pageTimeoutMs = 60_000;
/** The server sends a sign of life on a stream every 15 s. */
const longestSilenceMs = 45_000;
/** Far more than any event has: events name fields and contain no content. */
const longestEvent = 1_048_576;
/** Attempts in a row before giving up, while the address is unconfirmed or when not following. */
const fewAttempts = 5;
const firstDelayMs = 200;
const longestDelayMs = 5_000;

/** A reader of the events of an organization over HTTP. */
export class EventFollower {
  private readonly options: FollowOptions;
  private lastCursor: string | null = null;
  /** When the current stream was opened, in ms; null without a stream. */
  private streamSince: number | null = null;

  constructor(options: FollowOptions) {
    this.options = options;
  }

  /** The cursor after the last event returned; null before the first answer of the server. */
  get cursor(): string | null {
    return this.lastCursor;
  }

  /** The events, until the end of the log or, when following, until `stop`. @throws RefusedError, Error */
  async *events(): AsyncGenerator<EventRecord> {
    const { stop, follow, notify } = this.options;
    for (let failures = 0; !stop.aborted; ) {
      try {
        for await (const event of this.connectOnce()) {
          failures = 0;
          yield event;
        }
        failures = 0;
        if (!follow) return;
        // A server that ends streams immediately must not be called without a delay.
        await sleep(firstDelayMs, undefined, { signal: stop });
      } catch (error) {
        if (stop.aborted) return;
        if (!(error instanceof Outage)) throw error;
        failures = this.hasLasted() ? 1 : failures + 1;
        const isPatient = follow && this.lastCursor !== null;
        if (!isPatient && failures >= fewAttempts) throw error;
        if (isPatient && failures === 1) notify(`${error.message} Retrying until it answers.`);
        await this.pause(failures, error.retryAfterMs);
      }
    }
  }

  /** Whether the last stream lasted a while, so that its end is a new outage and not another failed attempt. */
  private hasLasted(): boolean {
    const since = this.streamSince;
    this.streamSince = null;
    return since !== null && performance.now() - since > longestDelayMs;
  }

  /** Reads from one connection: pages until the end of the log, then, when following, one stream. */
  private async *connectOnce(): AsyncGenerator<EventRecord> {
    yield* this.readPages();
    if (this.options.follow) yield* this.readStream();
  }

  private async *readPages(): AsyncGenerator<EventRecord> {
    for (let hasMore = true; hasMore; ) {
      const signal = AbortSignal.any([this.options.stop, AbortSignal.timeout(pageTimeoutMs)]);
      const response = await this.open(`/events?${this.pageQuery()}`, 'application/json', signal);
      const body = parseObject(await this.orOutage(response.text()));
      const pageInfo = isPlainObject(body?.pageInfo) ? body.pageInfo : {};
      if (!Array.isArray(body?.items) || typeof pageInfo.nextCursor !== 'string') throw this.notTheApi();
      // A page is returned completely, so the cursor after it is that of its last event.
      yield* body.items.filter(isPlainObject);
      this.lastCursor = pageInfo.nextCursor;
      hasMore = pageInfo.hasNextPage === true;
    }
  }

  private async *readStream(): AsyncGenerator<EventRecord> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error('nothing was received')), longestSilenceMs);
    try {
      const signal = AbortSignal.any([this.options.stop, silence.signal]);
      const path = `/events/stream?${this.filters()}`;
      const response = await this.open(path, 'text/event-stream', signal);
      if (response.body === null) throw this.notTheApi();
      this.streamSince = performance.now();
      const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
        new EventSourceParserStream({
          maxBufferSize: longestEvent,
          onComment: () => void timer.refresh(),
        }),
      );
      for await (const { id, data } of this.orOutages(messages)) {
        timer.refresh();
        const event = parseObject(data);
        if (id === undefined || event === undefined) throw this.notTheApi();
        yield event;
        this.lastCursor = id;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private pageQuery(): URLSearchParams {
    const { from } = this.options;
    const query = this.filters();
    query.set('limit', String(pageLimit));
    const cursor = this.lastCursor ?? (from === 'earliest' || from === 'latest' ? null : from);
    if (cursor === null) query.set('from', from);
    else query.set('cursor', cursor);
    return query;
  }

  private filters(): URLSearchParams {
    const { type, subject } = this.options;
    const filters = Object.entries({ type, subject }).filter(([, value]) => value !== undefined);
    return new URLSearchParams(filters as [string, string][]);
  }

  /** A successful response whose body has not been read. @throws Outage, RefusedError */
  private async open(path: string, accept: string, signal: AbortSignal): Promise<Response> {
    const { baseUrl, token } = this.options.connection;
    const headers = {
      accept,
      authorization: `Bearer ${token}`,
      ...(accept === 'text/event-stream' && this.lastCursor !== null
        ? { 'last-event-id': this.lastCursor }
        : {}),
    };
    const response = await this.orOutage(
      fetch(`${baseUrl}/v1${path}`, { headers, redirect: 'manual', signal }),
    );
    if (response.ok) return response;
    const { status } = response;
    const problem = parseObject(await this.orOutage(response.text())) ?? {};
    const refusal = new RefusedError(status, problem);
    if (status < 500 && status !== 408 && status !== 429) throw refusal;
    throw new Outage(
      `${baseUrl} is not available (${status}): ${refusal.message}`,
      readRetryAfter(response.headers.get('retry-after')),
    );
  }

  /** Turns network failures into outages. */
  private async orOutage<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.toOutage(error);
    }
  }

  private async *orOutages<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    const items = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.orOutage(items.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await items.return?.();
    }
  }

  private toOutage(error: unknown): Outage {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const detail = cause instanceof Error ? cause.message || cause.name : String(cause);
    return new Outage(`${this.options.connection.baseUrl} cannot be reached (${detail}).`, 0, {
      cause: error,
    });
  }

  private notTheApi(): Error {
    const { baseUrl } = this.options.connection;
    return new Error(
      `${baseUrl}/v1 answered in an unexpected form. Check that it is the address of a Trellis server.`,
    );
  }

  private async pause(failures: number, retryAfterMs: number): Promise<void> {
    const backoff = Math.min(firstDelayMs * 2 ** Math.min(failures - 1, 10), longestDelayMs);
    const delay = Math.max(retryAfterMs, backoff * (0.75 + Math.random() / 2));
    // The caller checks `stop` next.
    await sleep(delay, undefined, { signal: this.options.stop }).catch(() => undefined);
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
