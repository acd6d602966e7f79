/**
 * The events of an organization for `trellis events tail`: the pages of the log up to its end, or the stream from a place on.
 */
import { ApiClient } from '@trellis/client/api-client.ts';
import type { EventStream } from '@trellis/client/event-stream.ts';
import type { Event } from '@trellis/client/generated/types.ts';
import type { Connection } from '../connection.ts';

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

/** Attempts to reach the server, while it has not responded yet, or when not following. Few, because a person is waiting. */
const attempts = 5;
const pageLimit = 100;

/** The events of an organization, from one place on. */
export class EventFollower {
  private readonly options: FollowOptions;
  private readonly client: ApiClient;
  private stream: EventStream | null = null;
  /** Where the last page that was read ends. */
  private pageCursor: string | null = null;

  constructor(options: FollowOptions) {
    this.options = options;
    this.client = new ApiClient({ ...options.connection, attempts });
  }

  /** The cursor after the last event returned; null before the first response of the server. */
  get cursor(): string | null {
    return this.stream === null ? this.pageCursor : this.stream.cursor;
  }

  /** The events, until the end of the log or, when following, until `stop`. @throws ProblemError */
  async *events(): AsyncGenerator<Event> {
    const { follow, stop } = this.options;
    try {
      yield* follow ? this.follow() : this.readPages();
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  }

  private async *follow(): AsyncGenerator<Event> {
    const { from, type, subject, stop, notify } = this.options;
    this.stream = this.client.events({
      from: from === 'earliest' || from === 'latest' ? from : { cursor: from },
      type,
      subject,
      signal: stop,
      attempts,
      onOutage: ({ message }) => notify(`${message} Retrying until it responds.`),
    });
    yield* this.stream;
  }

  private async *readPages(): AsyncGenerator<Event> {
    const { from, type, subject, stop } = this.options;
    const place = from === 'earliest' || from === 'latest' ? ({ from } as const) : { cursor: from };
    const query = { ...place, type, subject, limit: pageLimit };
    for await (const { items, pageInfo } of this.client.pages('listEvents', { query, signal: stop })) {
      yield* items;
      this.pageCursor = pageInfo.nextCursor;
    }
  }
}
