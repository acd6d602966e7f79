/**
 * Closes connections on which PostgreSQL sends nothing although statements are running. A stopped server, or a network that
 * drops packets, closes no connection, and TCP keepalive would take hours. PostgreSQL itself ends slow statements
 * (`statement_timeout`) a little earlier.
 */
import { Socket } from 'node:net';
import type pg from 'pg';

/** Interval of the check, in ms. */
const maxTickMs = 500;

/** The server was silent for too long; whether the statements took effect is unknown. */
export class SilentServerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`Connection terminated: PostgreSQL has said nothing for ${milliseconds / 1_000} s`);
    this.name = 'SilentServerError';
  }
}

interface Running {
  /** Bytes transferred in either direction at the last check. */
  moved: number;
  /** Number of consecutive checks without a transfer. */
  quiet: number;
}

export class SilenceWatch {
  private readonly limitMs: number;
  private readonly tickMs: number;
  private readonly running = new Map<Socket, Running>();
  private timer: NodeJS.Timeout | null = null;

  /** @param limitMs how long the server may say nothing */
  constructor(limitMs: number) {
    this.limitMs = limitMs;
    this.tickMs = Math.min(maxTickMs, limitMs / 4);
  }

  /** Waits for the results of statements sent over a connection, which is destroyed when the server is silent for too long. */
  async follow<T>({ connection: { stream } }: pg.Client | pg.PoolClient, results: Promise<T>): Promise<T> {
    if (!(stream instanceof Socket)) return results;
    this.running.set(stream, { moved: movedOver(stream), quiet: 0 });
    // The timer keeps running for a tick after the last batch, so that most batches start no timer.
    this.timer ??= setInterval(() => this.check(), this.tickMs).unref();
    try {
      return await results;
    } finally {
      this.running.delete(stream);
    }
  }

  /**
   * Counts checks, not time: while the process is blocked nothing is read, and arrived data is read between two checks.
   */
  private check(): void {
    if (this.running.size === 0 && this.timer !== null) {
      clearInterval(this.timer);
      this.timer = null;
    }
    for (const [stream, running] of this.running) {
      const moved = movedOver(stream);
      running.quiet = moved === running.moved ? running.quiet + 1 : 0;
      running.moved = moved;
      // The first check may come immediately.
      if ((running.quiet - 1) * this.tickMs < this.limitMs) continue;
      stream.destroy(new SilentServerError(this.limitMs));
    }
  }
}

/** Bytes received, and bytes sent to the network. */
function movedOver(stream: Socket): number {
  return stream.bytesRead + stream.bytesWritten - stream.writableLength;
}
