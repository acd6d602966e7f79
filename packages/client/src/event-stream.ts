/**
 * Follows the events of an organization: each event once and in order, however often the connection breaks. It keeps one
 * cursor, that of the last event returned or of the last sign of life, and every connection continues after it.
 */

import { operations } from './generated/operations.ts';
import type { Event } from './generated/types.ts';
import { ProblemError, parseObject } from './problem.ts';
import { readResponse } from './response.ts';
import { delayAfter, wait } from './retry.ts';
import { readServerSentEvents } from './server-sent-events.ts';
import type { Transport } from './transport.ts';

export interface EventStreamOptions {
  /** Where to begin: with the oldest event that is kept, with the next one, or after this cursor; `latest` when absent. */
  readonly from?: 'earliest' | 'latest' | { readonly cursor: string };
  /** Only events of this type, or of all types of a resource: `article.*`. */
  readonly type?: string | undefined;
  /** Only events about the record with this id. */
  readonly subject?: string | undefined;
  /** Ends the stream without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a connection is open and its position is known: later events are not missed. */
  readonly onConnect?: () => void;
  /** Called once for each outage, with its first failure. */
  readonly onOutage?: (error: ProblemError) => void;
  /** Attempts to connect for the first time; 5 when absent. After that, it tries until the signal is aborted. */
  readonly attempts?: number | undefined;
  /** Silence after which a connection counts as broken, in milliseconds; 45,000 when absent. The server speaks every 15 s. */
  readonly silenceMs?: number | undefined;
}

const defaultAttempts = 5;
const defaultSilenceMs = 45_000;
/** A stream that ended sooner than this has failed, and the next connection waits longer. */
const shortStreamMs = 1_000;
/** Attempts after which the delay no longer grows: some three seconds. */
const longestBackoff = 5;

/** The events from one place on. It can be iterated once. */
export class EventStream implements AsyncIterable<Event> {
  private readonly transport: Transport;
  private readonly options: EventStreamOptions;
  private lastCursor: string | null;
  /** Whether any connection has reported its position. */
  private isConnected = false;
  /** Whether the caller knows of the outage that lasts. */
  private isOutageReported = false;
  /** Whether the present connection has reported its position. */
  private isOpen = false;

  /** Use `ApiClient.events`. */
  constructor(transport: Transport, options: EventStreamOptions) {
    this.transport = transport;
    this.options = options;
    const { from } = options;
    this.lastCursor = typeof from === 'object' ? from.cursor : null;
  }

  /**
   * Where to continue after the last event returned, in this run or a later one. Null before the server has reported it. It
   * belongs to the same `type` and `subject`.
   */
  get cursor(): string | null {
    return this.lastCursor;
  }

  /**
   * The events, until the signal is aborted.
   * @throws ProblemError when the server refuses, such as `cursor_invalid` for a cursor that is older than events are kept,
   *   or cannot be reached at first
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    const { signal, attempts = defaultAttempts, onOutage } = this.options;
    for (let failures = 0; !signal?.aborted; ) {
      const openedAt = performance.now();
      let error: ProblemError | null = null;
      try {
        for await (const event of this.connect()) {
          failures = 0;
          yield event;
        }
      } catch (thrown) {
        if (signal?.aborted) return;
        if (!(thrown instanceof ProblemError) || this.isFinal(thrown)) throw thrown;
        error = thrown;
      }
      // The server ends streams from time to time, which is no failure unless it does at once.
      const hasLasted = performance.now() - openedAt > shortStreamMs;
      if (error === null && hasLasted) failures = 0;
      else failures = hasLasted ? 1 : failures + 1;
      if (error !== null) {
        if (!this.isConnected && failures >= attempts) throw error;
        if (this.isConnected && !this.isOutageReported) onOutage?.(error);
        this.isOutageReported = this.isConnected;
      }
      const delay =
        failures === 0 ? 0 : delayAfter(Math.min(failures, longestBackoff), error?.retryAfterMs ?? 0);
      await wait(delay, signal).catch(() => undefined);
    }
  }

  /** Whether connecting again would not help. After a connection was open, other responses come from intermediaries and are temporary. */
  private isFinal({ code, isTemporary }: ProblemError): boolean {
    return !isTemporary && !(this.isConnected && code === 'unexpected_response');
  }

  /** The events of one connection. @throws ProblemError */
  private async *connect(): AsyncGenerator<Event> {
    const { signal, silenceMs = defaultSilenceMs } = this.options;
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silenceMs);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    };
    try {
      const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
      const body = await this.open(either);
      for await (const { id, data } of readServerSentEvents(body, restart)) {
        if (id !== '') this.lastCursor = id;
        if (id !== '' && !this.isOpen) this.reportOpen();
        if (data === null) continue;
        // Whoever receives the event may read the record at once.
        this.transport.readAfter.noteChange();
        yield this.readEvent(data);
      }
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw this.describeBreak(silence.signal.aborted ? new Error('nothing was received') : error);
    } finally {
      this.isOpen = false;
      clearTimeout(timer);
    }
  }

  private reportOpen(): void {
    this.isOpen = true;
    this.isOutageReported = false;
    this.isConnected = true;
    this.options.onConnect?.();
  }

  private async open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { from = 'latest', type, subject } = this.options;
    const query = new URLSearchParams();
    if (this.lastCursor === null && typeof from === 'string') query.set('from', from);
    if (type !== undefined) query.set('type', type);
    if (subject !== undefined) query.set('subject', subject);
    const incoming = await this.transport.send({
      method: 'GET',
      target: `${operations.streamEvents.path}?${query}`,
      headers: {
        accept: 'text/event-stream',
        ...(this.lastCursor === null ? {} : { 'last-event-id': this.lastCursor }),
      },
      body: null,
      isRepeatable: true,
      isStreamed: true,
      attempts: 1,
      signal,
    });
    const { body } = readResponse(incoming, 'bytes');
    const isEventStream =
      incoming.response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (isEventStream && body instanceof ReadableStream) return body;
    throw this.unexpected();
  }

  private readEvent(data: string): Event {
    const event = parseObject(data);
    if (typeof event?.type !== 'string' || typeof event.subject !== 'string') throw this.unexpected();
    return event as Event;
  }

  private describeBreak(cause: unknown): ProblemError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const detail = `${this.transport.baseUrl || 'The server'} cannot be reached (${reason}).`;
    return new ProblemError({ code: 'unreachable', status: null, detail, cause });
  }

  private unexpected(): ProblemError {
    const detail = 'The server sent something else than events. Check that it is a Trellis server.';
    return new ProblemError({ code: 'unexpected_response', status: 200, detail });
  }
}
