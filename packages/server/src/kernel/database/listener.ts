/**
 * A connection that receives notifications (LISTEN). Notifications are lost while it is disconnected, and behind a pooler in
 * transaction mode, so they may only make something happen sooner.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectToWritable } from './connection.ts';

/** Times in ms. */
export interface ListenerTiming {
  readonly firstBackoffMs: number;
  readonly lastBackoffMs: number;
  /** Interval of the liveness check: a dead connection may stay open. */
  readonly checkMs: number;
  /** Timeout of the check. */
  readonly silenceMs: number;
}

const defaultTiming: ListenerTiming = {
  firstBackoffMs: 500,
  lastBackoffMs: 30_000,
  checkMs: 20_000,
  silenceMs: 5_000,
};

export class Listener {
  private readonly url: string;
  private readonly channel: string;
  private readonly receive: (payload: string) => void;
  private readonly timing: ListenerTiming;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  /** Starts listening, and reconnects after every failure until it is closed. */
  constructor(url: string, channel: string, receive: (payload: string) => void, timing = defaultTiming) {
    this.url = url;
    this.channel = channel;
    this.receive = receive;
    this.timing = timing;
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { firstBackoffMs, lastBackoffMs } = this.timing;
    let backoffMs = firstBackoffMs;
    while (!signal.aborted) {
      const hasListened = await this.listen();
      backoffMs = hasListened ? firstBackoffMs : Math.min(backoffMs * 2, lastBackoffMs);
      await sleep(backoffMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Listens until the connection ends. @returns whether listening had started */
  private async listen(): Promise<boolean> {
    const { signal } = this.stopping;
    const client = await connectToWritable(this.url).catch(() => null);
    if (client === null) return false;
    const ended = Promise.withResolvers<void>();
    client.on('error', () => undefined);
    client.on('end', () => ended.resolve());
    client.on('notification', ({ payload }) => this.receive(payload ?? ''));
    // No Terminate message: a stopped server would not acknowledge it.
    const destroy = () => client.connection.stream.destroy();
    signal.addEventListener('abort', destroy, { once: true });
    let check: NodeJS.Timeout | undefined;
    try {
      if (signal.aborted) return false;
      await this.query(client, `LISTEN ${pg.escapeIdentifier(this.channel)}`);
      check = setInterval(
        () => void this.query(client, 'SELECT 1').catch(destroy),
        this.timing.checkMs,
      ).unref();
      await ended.promise;
      return true;
    } catch {
      return false;
    } finally {
      clearInterval(check);
      signal.removeEventListener('abort', destroy);
      destroy();
    }
  }

  /** Runs a statement; the connection is destroyed when no response comes. */
  private async query(client: pg.Client, text: string): Promise<void> {
    const late = setTimeout(() => client.connection.stream.destroy(), this.timing.silenceMs).unref();
    try {
      await client.query(text);
    } finally {
      clearTimeout(late);
    }
  }
}
