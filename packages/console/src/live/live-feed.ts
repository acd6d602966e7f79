/**
 * What others change while a page is open: which record, by whom and when, from the event stream. Records that are shown are
 * read again, several at once, and only those that have changed.
 */
import type { EventStreamOptions } from '@trellis/client/event-stream.ts';
import type { Event } from '@trellis/client/generated/types.ts';
import { ProblemError } from '@trellis/client/problem.ts';

/** The last change of a record. */
export interface LiveChange {
  readonly recordId: string;
  /** Singular name of the resource, and what happened: `article.updated`. */
  readonly type: string;
  readonly version: number;
  /** Id of the user; null when the system did it. */
  readonly by: string | null;
  /** When it happened, as the server says (RFC 3339). */
  readonly at: string;
  /** Dotted names of the fields that changed. */
  readonly fields: readonly string[];
}

export interface LiveOptions {
  readonly client: {
    events(options: EventStreamOptions): AsyncIterable<Event> & { readonly cursor: string | null };
  };
  /**
   * Called with the changes since the last call, the last one of each record. While it works, further changes are
   * collected for the next call.
   */
  readonly refetch: (changes: readonly LiveChange[]) => Promise<void>;
  /** Called when events were missed, after an absence longer than they are kept: everything may have changed. */
  readonly onMissed: () => void;
  /** Called when the connection is interrupted or restored. */
  readonly onConnection?: (isConnected: boolean) => void;
  /** How long changes are collected, in milliseconds; 300 when absent. */
  readonly collectMs?: number;
}

const defaultCollectMs = 300;
/** Records whose last change is remembered; the oldest are forgotten first. */
const mostRemembered = 10_000;

export class Live {
  private readonly options: LiveOptions;
  private readonly stopping = new AbortController();
  /** By id of the record, the most recently changed last. */
  private readonly last = new Map<string, LiveChange>();
  /** Versions that this page has made or read itself. */
  private readonly known = new Map<string, number>();
  private collected = new Map<string, LiveChange>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isRefetching = false;
  private running: Promise<void> | null = null;

  constructor(options: LiveOptions) {
    this.options = options;
  }

  /** Begins with the next event. @returns what ends when the stream does: rejects for a refusal, such as a missing scope */
  start(): Promise<void> {
    this.running ??= this.run();
    return this.running;
  }

  /** Ends the stream. */
  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running?.catch(() => undefined);
  }

  /** The last change of a record since the page was opened: "changed by Ana 3 s ago". */
  lastChange(recordId: string): LiveChange | null {
    return this.last.get(recordId) ?? null;
  }

  /** Notes a version that the page already has, so that its event causes no further read. */
  noteVersion(recordId: string, version: number): void {
    remember(this.known, recordId, Math.max(version, this.known.get(recordId) ?? 0));
  }

  private async run(): Promise<void> {
    const { client, onMissed, onConnection } = this.options;
    const { signal } = this.stopping;
    let cursor: string | null = null;
    while (!signal.aborted) {
      const stream = client.events({
        from: cursor === null ? 'latest' : { cursor },
        signal,
        onConnect: () => onConnection?.(true),
        onOutage: () => onConnection?.(false),
      });
      try {
        for await (const event of stream) this.take(event);
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== 'cursor_invalid') throw error;
        cursor = null;
        onMissed();
        continue;
      }
      cursor = stream.cursor;
    }
  }

  private take({ type, subject, time, data }: Event): void {
    const { version, changedFields, actor } = data;
    const change = { recordId: subject, type, version, by: actor.user, at: time, fields: changedFields };
    if (version < (this.last.get(subject)?.version ?? 0)) return;
    remember(this.last, subject, change);
    if (version <= (this.known.get(subject) ?? 0) && !type.endsWith('.deleted')) return;
    this.collected.set(subject, change);
    this.schedule();
  }

  /** The delay starts with the first change, so that a steady stream of changes does not postpone the read forever. */
  private schedule(): void {
    if (this.timer !== null || this.isRefetching || this.collected.size === 0 || this.stopping.signal.aborted)
      return;
    this.timer = setTimeout(() => void this.refetch(), this.options.collectMs ?? defaultCollectMs);
  }

  private async refetch(): Promise<void> {
    this.timer = null;
    const changes = [...this.collected.values()];
    this.collected = new Map();
    this.isRefetching = true;
    try {
      await this.options.refetch(changes);
      for (const { recordId, version } of changes) this.noteVersion(recordId, version);
    } catch {
      // They are still due, unless something newer has come.
      for (const change of changes) {
        if (!this.collected.has(change.recordId)) this.collected.set(change.recordId, change);
      }
    } finally {
      this.isRefetching = false;
      this.schedule();
    }
  }
}

/** Puts an entry at the end of a map, and drops the first one of a full map. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
}
