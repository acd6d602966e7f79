/**
 * The events of an organization for all tabs of a browser over one connection: browsers allow six connections to a server, and a
 * stream occupies one. The tab that holds a lock of the browser has the connection, and passes each event on with its cursor. When
 * that tab is closed, another one continues after the last cursor.
 */
import type { EventStreamOptions } from '@trellis/client/event-stream.ts';
import type { Event } from '@trellis/client/generated/types.ts';
import { Wakeup } from '../outbox/send/wakeup.ts';

/** A stream of one connection. */
interface Stream extends AsyncIterable<Event> {
  readonly cursor: string | null;
}

export interface SharedEventsOptions {
  /** Opens the connection of the tab that has it. */
  readonly events: (options: EventStreamOptions) => Stream;
  /** Organization and user; tabs of other users have their own streams. */
  readonly owner: string;
  /** `navigator.locks` of the page. */
  readonly locks: LockManager;
}

/** What the tab with the connection tells the others. */
interface Message {
  readonly cursor: string | null;
  readonly event: Event | null;
}

/** Events from the one connection of the browser. */
export class SharedEvents {
  private readonly options: SharedEventsOptions;

  constructor(options: SharedEventsOptions) {
    this.options = options;
  }

  /** The events, until the signal is aborted. Can be iterated once. @throws what the stream of this tab throws */
  events(options: EventStreamOptions): Stream {
    return new SharedStream(this.options, options);
  }
}

class SharedStream implements Stream {
  private readonly shared: SharedEventsOptions;
  private readonly options: EventStreamOptions;
  private readonly wakeup = new Wakeup();
  private readonly buffer: Event[] = [];
  private known: string | null;

  constructor(shared: SharedEventsOptions, options: EventStreamOptions) {
    this.shared = shared;
    this.options = options;
    this.known = typeof options.from === 'object' ? options.from.cursor : null;
  }

  get cursor(): string | null {
    return this.known;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    const { owner, locks } = this.shared;
    const over = new AbortController();
    const signals = this.options.signal === undefined ? [] : [this.options.signal];
    const signal = AbortSignal.any([over.signal, ...signals]);
    const channel = new BroadcastChannel(`trellis-events ${owner}`);
    channel.onmessage = ({ data }: MessageEvent<Message>) => this.take(data);
    const state: { failure: unknown; hasEnded: boolean } = { failure: null, hasEnded: false };
    const end = (failure: unknown) => {
      state.failure = failure;
      state.hasEnded = true;
      this.wakeup.wake();
    };
    locks
      .request(`trellis-events ${owner}`, { signal }, () => this.lead(channel, signal))
      .then(() => end(null), end);
    try {
      for (;;) {
        const woken = this.wakeup.next();
        for (let event = this.buffer.shift(); event !== undefined; event = this.buffer.shift()) yield event;
        if (signal.aborted) return;
        if (state.hasEnded && this.buffer.length === 0) break;
        await woken;
      }
    } finally {
      over.abort();
      channel.close();
    }
    if (state.failure !== null) throw state.failure;
  }

  /** Reads from the connection, for all tabs. */
  private async lead(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
    const { from, onConnect } = this.options;
    const publish = (event: Event | null) => {
      const message: Message = { cursor: stream.cursor, event };
      channel.postMessage(message);
      this.take(message);
    };
    const stream = this.shared.events({
      ...this.options,
      from: this.known === null ? (from ?? 'latest') : { cursor: this.known },
      signal,
      onConnect: () => {
        onConnect?.();
        publish(null);
      },
    });
    for await (const event of stream) publish(event);
  }

  private take({ cursor, event }: Message): void {
    this.known = cursor ?? this.known;
    if (event !== null) this.buffer.push(event);
    this.wakeup.wake();
  }
}
