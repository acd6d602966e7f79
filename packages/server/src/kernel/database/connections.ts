/**
 * The connections of a process to one database server, or to the writable one of several: the pool, its fair shares, and the
 * removal of connections that can no longer be used.
 */

import { Problem } from '@trellis/schema/problem.ts';
import pg from 'pg';
import { type SpanDescription, traceStep } from '../lib/tracing.ts';
import {
  Batch,
  type DatabaseFailure,
  FailureAfterCommit,
  type Step,
  type StepResult,
  step,
} from './batch.ts';
import { rollback } from './block.ts';
import { chooseFailure, readOnlyState, type Target } from './connection.ts';
import { ConnectionShares } from './connection-shares.ts';
import { SilenceWatch, SilentServerError } from './silence-watch.ts';

/** Limits of a pool. */
export interface ConnectionOptions {
  /** Maximum number of connections of this process. */
  readonly poolSize: number;
  /** False behind a pooler that does not support prepared statements. */
  readonly prepare: boolean;
  /** How long a call may wait for a free connection before it gets 503, in ms. */
  readonly acquireTimeoutMs: number;
  /**
   * How long PostgreSQL may say nothing while statements run, in ms, before the connection counts as lost: a little more than the
   * `statement_timeout` of the role. 65 s when absent, which is for the background role.
   */
  readonly silenceMs?: number;
  readonly applicationName: string;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Errors of connections and statements. Errors of other sockets and streams look like them. */
const failuresOfDatabase = new WeakSet<object>();

/** Whether an error was thrown by a connection to the database, or by a statement on it. */
export function isOfDatabase(error: object): boolean {
  return failuresOfDatabase.has(error);
}

/** Of the background role, whose statements may take a minute; in ms. */
const defaultSilenceMs = 65_000;
/** How long the ends of connections may take, in ms: a server that is stopped closes none. */
const closeTimeoutMs = 3_000;

/** The connections of a process to one target. */
export class Connections {
  private readonly options: ConnectionOptions;
  private readonly target: Target;
  private readonly shares: ConnectionShares;
  private readonly silence: SilenceWatch;
  private readonly pool: pg.Pool;
  /** Connections that have not ended. */
  private readonly open = new Set<pg.PoolClient>();
  /** Connections that failed with a connection error, or whose server no longer accepts writes. */
  private readonly broken = new WeakSet<pg.PoolClient>();

  constructor(options: ConnectionOptions, target: Target) {
    this.options = options;
    this.target = target;
    this.shares = new ConnectionShares({
      connections: options.poolSize,
      maxWaitMs: options.acquireTimeoutMs,
    });
    this.silence = new SilenceWatch(options.silenceMs ?? defaultSilenceMs);
    this.pool = this.createPool();
  }

  state(): PoolState {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.shares.waitingCount() };
  }

  /** Waits for the work on connections, and ends all of them. */
  async close(): Promise<void> {
    await this.pool.end();
    // Open sockets keep the process alive, so the timer itself need not.
    setTimeout(() => this.destroy(), closeTimeoutMs).unref();
  }

  /** Destroys all connections, so that pending statements fail immediately. */
  destroy(): void {
    for (const client of this.open) client.connection.stream.destroy();
  }

  /**
   * Runs work on a connection of the organization's share; null: on behalf of the server itself.
   * @param reads the number of requests that the work is for
   */
  async use<T>(
    organizationId: string | null,
    work: (client: pg.PoolClient) => Promise<T>,
    reads = 1,
  ): Promise<T> {
    const turn = this.shares.take(organizationId, reads);
    if (turn !== undefined) await turn;
    try {
      const client = await this.acquire();
      try {
        return await work(client);
      } finally {
        client.release(!this.isUsable(client));
      }
    } finally {
      this.shares.giveBack(organizationId);
    }
  }

  /** Sends steps over a connection as one batch. If a statement after a COMMIT fails, the results end there, because the commit stands. */
  async send(
    client: pg.PoolClient,
    steps: readonly Step[],
    { prepare = this.options.prepare, flushes = false } = {},
  ): Promise<StepResult[]> {
    try {
      return await traceStep(
        () => describeBatch(steps),
        () => this.silence.follow(client, sendBatch(client, steps, prepare, flushes)),
      );
    } catch (thrown) {
      const error = thrown instanceof FailureAfterCommit ? thrown.cause : thrown;
      this.noteFailure(client, error);
      if (!(thrown instanceof FailureAfterCommit)) throw error;
      this.options.log(thrown.message, { reason: (error as Error).message });
      return [...thrown.results];
    }
  }

  /** Records a failure of a connection here, because the caller may turn it into a problem that no longer shows it. */
  private noteFailure(client: pg.PoolClient, error: unknown): void {
    mark(error);
    if (isConnectionLost(error as DatabaseFailure)) this.broken.add(client);
    if (error instanceof SilentServerError) this.target.noteSilent(client);
  }

  /** Ends a transaction that failed. */
  async rollBack(client: pg.PoolClient): Promise<void> {
    try {
      await this.send(client, [step(rollback)]);
    } catch {
      // The connection is broken, and the transaction ended with it; `use` removes the connection.
    }
  }

  /**
   * A connection to the server that accepts writes. Each host is tried once, as far as the time allows; the next call
   * continues with the next host.
   */
  private async acquire(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + this.options.acquireTimeoutMs;
    const failures: DatabaseFailure[] = [];
    for (;;) {
      try {
        const client = await this.pool.connect();
        if (this.isUsable(client)) return client;
        // Opened before the server became a standby, or before another server took over.
        client.release(true);
      } catch (error) {
        const failure = error as DatabaseFailure;
        this.refuseWhenBusy(failure);
        failures.push(failure);
        if (failures.length >= this.target.hostCount || performance.now() >= giveUpAt)
          throw mark(chooseFailure(failures));
      }
    }
  }

  /** @throws Problem overloaded if all connections are in use */
  private refuseWhenBusy(failure: DatabaseFailure): void {
    // node-postgres has no code for this error, only its message.
    if (
      failure.message === 'timeout exceeded when trying to connect' &&
      this.pool.totalCount >= this.options.poolSize
    ) {
      throw new Problem('overloaded', 'All database connections are busy.', {
        headers: { 'retry-after': '1' },
        cause: failure,
      });
    }
  }

  private isUsable(client: pg.PoolClient): boolean {
    return !this.broken.has(client) && this.target.isUsable(client);
  }

  private createPool(): pg.Pool {
    const pool = new pg.Pool({
      Client: this.target.Client,
      max: this.options.poolSize,
      connectionTimeoutMillis: this.options.acquireTimeoutMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: this.options.applicationName,
    });
    // An idle connection that breaks emits an error here; without a listener the process would end.
    pool.on('error', (error) => this.options.log('database connection lost', { reason: error.message }));
    pool.on('remove', (client) => this.open.delete(client));
    pool.on('connect', (client) => {
      this.open.add(client);
      client.on('error', (error) => this.options.log('database connection lost', { reason: error.message }));
      this.target.noteOpened(client);
    });
    return pool;
  }
}

function mark<E>(error: E): E {
  if (error instanceof Error) failuresOfDatabase.add(error);
  return error;
}

/** The span of a batch, named by its first statement of a feature. Parameters are not in it. */
function describeBatch(steps: readonly Step[]): SpanDescription {
  const names = steps.map(({ statement: { name } }) => name || 'unnamed');
  return {
    name: names.find((name) => !name.startsWith('trellis_')) ?? names[0] ?? 'unnamed',
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.batch.size': steps.length,
      'db.query.summary': names.join(' '),
    },
  };
}

/**
 * Sends one batch over a connection.
 * @param prepare if false, each statement is parsed again
 * @param flushes whether PostgreSQL sends what it has after each statement, not only at the end: several slow statements would be a
 *   long silence. Each costs PostgreSQL a system call.
 */
export function sendBatch(
  client: pg.Client | pg.PoolClient,
  steps: readonly Step[],
  prepare: boolean,
  flushes = false,
): Promise<StepResult[]> {
  const batch = new Batch(steps, prepare, flushes);
  client.query(batch);
  return batch.results;
}

/** Whether the error means that the connection is unusable, as opposed to an error of a statement. */
export function isConnectionLost(error: DatabaseFailure): boolean {
  const code = error.code ?? '';
  // Class 57P: the server is stopping; 08: connection exceptions; no five-character code: an error of the socket.
  // 25006: none of our statements changes data in a read-only transaction, so the server has stopped accepting writes.
  return !isSqlState(code) || code.startsWith('57P') || code.startsWith('08') || code === readOnlyState;
}

/** Whether a code is one of PostgreSQL's (SQLSTATE). Names of system errors begin with E and two more letters, and some have five. */
export function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]/.test(code);
}
