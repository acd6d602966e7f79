/**
 * The connection pool of a role, and all ways to run SQL. Methods for tenant data need an organization and a user (or
 * the hash of a presented token). Together with row-level security and the role's grants, this isolates organizations.
 * `query…` only reads, which PostgreSQL enforces; `execute…` and transactions change data.
 */

import { Problem } from '@trellis/schema/problem.ts';
import pg from 'pg';
import { FairQueue, unauthenticated } from '../lib/fair-queue.ts';
import {
  Batch,
  type DatabaseFailure,
  type Row,
  type Statement,
  type Step,
  type StepResult,
  step,
} from './batch.ts';
import { chooseFailure, readOnlyState, WritableClient } from './connection.ts';
import { ConnectionShares } from './connection-shares.ts';
import { DatabaseHosts } from './hosts.ts';
import { ReadGroups } from './read-groups.ts';
import { namesScope, type Scope, scopeList, scopeStep, scopeValues } from './scope.ts';
import { SilenceWatch, SilentServerError } from './silence-watch.ts';

export type { Scope } from './scope.ts';

/** How to connect to a database, and limits. */
export interface DatabaseOptions {
  /** PostgreSQL URL. It may name several hosts separated by commas, of which the writable one is used. */
  readonly url: string;
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

/** A transaction that has begun: further batches, then exactly one commit or rollback. */
export interface Transaction {
  /** Sends steps in one round trip and waits for their rows. */
  send(steps: readonly Step[]): Promise<StepResult[]>;
  /** Sends the last steps and COMMIT in one round trip. */
  commit(steps: readonly Step[]): Promise<StepResult[]>;
}

/** Of the background role, whose statements may take a minute; in ms. */
const defaultSilenceMs = 65_000;
/** How long the ends of connections may take, in ms: a server that is stopped closes none. */
const closeTimeoutMs = 3_000;

const begin: Statement = { name: 'trellis_begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
const commit: Statement = { name: 'trellis_commit', text: 'COMMIT' };
const rollback: Statement = { name: 'trellis_rollback', text: 'ROLLBACK' };
/** After this statement PostgreSQL refuses every change until the end of the transaction. */
const onlyRead = `set_config('transaction_read_only', 'on', true)`;
const nameScopeToRead: Statement = { name: 'trellis_scope_read', text: `SELECT ${scopeList}, ${onlyRead}` };
const beginToRead: Statement = { name: 'trellis_read', text: `SELECT ${onlyRead}` };
/** Credentials that are presented before the organization is known. A policy shows the row that they belong to. */
const present = {
  /** SHA-256 of a token, hexadecimal. */
  token_hash: presentStatement('token_hash'),
  publishable_key: presentStatement('publishable_key'),
  /** The origin of a page, as its browser sends it. */
  origin: presentStatement('origin'),
} as const;

function presentStatement(what: string): Statement {
  return { name: `trellis_${what}`, text: `SELECT set_config('trellis.${what}', $1, true), ${onlyRead}` };
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The connection pool of one role. */
export class Database {
  /**
   * Turns of the event loop. A result waits for one before it is processed, so that large responses leave time to
   * others.
   */
  readonly turns = new FairQueue();
  private readonly options: DatabaseOptions;
  private readonly hosts: DatabaseHosts;
  private readonly shares: ConnectionShares;
  private readonly silence: SilenceWatch;
  private readonly pool: pg.Pool;
  private readonly groups = new ReadGroups(
    (scope, steps) => this.read(scope, steps, steps.length),
    (error) => !(error instanceof Problem) && !isConnectionLost(error as DatabaseFailure),
  );
  /** Connections that have not ended. */
  private readonly open = new Set<pg.PoolClient>();
  /** Connections that failed with a connection error, or whose server no longer accepts writes. */
  private readonly broken = new WeakSet<pg.PoolClient>();

  constructor(options: DatabaseOptions) {
    this.options = options;
    this.hosts = new DatabaseHosts(options.url);
    this.shares = new ConnectionShares({
      connections: options.poolSize,
      maxWaitMs: options.acquireTimeoutMs,
    });
    this.silence = new SilenceWatch(options.silenceMs ?? defaultSilenceMs);
    this.pool = this.createPool();
  }

  /**
   * Reads rows of one organization: one implicit transaction, one round trip.
   * @throws DatabaseFailure 25006 for a statement that changes data
   */
  query(scope: Scope, steps: readonly Step[]): Promise<StepResult[]> {
    return this.read(scope, steps, 1);
  }

  /**
   * The same for a single statement that takes little time. If a member asks for the same statement several times in one turn of the
   * event loop, they are sent together, as one transaction.
   */
  queryTogether(scope: Scope, read: Step): Promise<StepResult> {
    return this.groups.join(scope, read);
  }

  /** Reads rows of an organization for somebody who belongs to none: it costs the share of unauthenticated requests, not that organization's. */
  async queryUnauthenticated(organizationId: string, read: Step): Promise<StepResult> {
    const [result] = await this.read({ organizationId, userId: null }, [read], 1, unauthenticated);
    if (result === undefined) throw new Error('a read returned no result');
    return result;
  }

  /**
   * Changes rows of one organization without the pipeline, in one round trip. It is only for data that no tenant edits,
   * such as when a token was last used; all other tenant data is changed by `write` of the pipeline.
   */
  async execute(scope: Scope, steps: readonly Step[]): Promise<StepResult[]> {
    const results = await this.withClient(scope.organizationId, (client) =>
      this.change(client, [scopeStep(scope), ...steps]),
    );
    return results.slice(1);
  }

  /** Looks up the row that presented credentials belong to, before the organization is known. */
  async queryPresented(
    what: keyof typeof present,
    value: string,
    steps: readonly Step[],
  ): Promise<StepResult[]> {
    const results = await this.withClient(unauthenticated, (client) =>
      this.send(client, [step(present[what], [value]), ...steps]),
    );
    return results.slice(1);
  }

  /**
   * Runs a transaction of one organization. `first` is sent together with BEGIN; `work` decides on the results and must
   * end with `commit`. Any error, and returning without a commit, rolls back. The first step may name the organization and the user
   * itself, which saves a statement.
   */
  async transaction<T>(
    scope: Scope,
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const named = namesScope(first[0], scope) ? [] : [scopeStep(scope)];
    return this.transact(scope.organizationId, [step(begin), ...named], first, work);
  }

  /** The same as `transaction`, but as the role itself, without an organization; see `queryInBackground`. */
  async backgroundTransaction<T>(
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.transact(null, [step(begin)], first, work);
  }

  /**
   * Reads as the role itself, without an organization: for the background role, whose policies and grants say what it
   * may access, and for queries about the installation. The serving role sees no tenant rows this way.
   * @throws DatabaseFailure 25006 for a statement that changes data
   */
  async queryInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    const results = await this.withClient(null, (client) => this.send(client, [step(beginToRead), ...steps]));
    return results.slice(1);
  }

  /** Changes rows as the role itself, without an organization: leases, queues, sweeps. */
  async executeInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return this.withClient(null, (client) => this.change(client, steps));
  }

  /** Runs one text with parameters as the role itself; for the command line and checks, where speed does not matter. */
  async run(text: string, values: readonly (string | Buffer | null)[] = []): Promise<Row[]> {
    const results = await this.withClient(null, (client) =>
      this.send(client, [step({ name: '', text }, values)], { prepare: false }),
    );
    return results[0]?.rows ?? [];
  }

  poolState(): PoolState {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.shares.waitingCount() };
  }

  /** Waits for the work on connections, and ends all of them. */
  async close(): Promise<void> {
    await this.pool.end();
    // Whatever still waits for the server's farewell keeps the process alive.
    setTimeout(() => {
      for (const client of this.open) client.connection.stream.destroy();
    }, closeTimeoutMs).unref();
  }

  /**
   * @param reads the number of requests that the steps are for
   * @param share whose share of connections and turns it costs
   */
  private async read(
    scope: Scope,
    steps: readonly Step[],
    reads: number,
    share = scope.organizationId,
  ): Promise<StepResult[]> {
    const results = await this.withClient(
      share,
      async (client) => {
        // Lists and searches may take as long as one statement may, several times in a batch. Reads that were joined take little.
        const all = await this.send(client, [step(nameScopeToRead, scopeValues(scope)), ...steps], {
          flushes: reads === 1,
        });
        // Before the connection is given back: a request that has to wait for a turn must not fetch further results
        // meanwhile.
        const turn = this.turns.enter(share);
        if (turn !== undefined) await turn;
        return all;
      },
      reads,
    );
    return results.slice(1);
  }

  /**
   * Sends statements that change data, in one round trip: several of them between BEGIN and COMMIT, because a distributed database
   * (Citus) does not treat statements before one Sync as a transaction.
   */
  private async change(client: pg.PoolClient, steps: readonly Step[]): Promise<StepResult[]> {
    if (steps.length < 2) return this.send(client, steps);
    try {
      return (await this.send(client, [step(begin), ...steps, step(commit)])).slice(1, -1);
    } catch (error) {
      await this.rollBack(client);
      throw error;
    }
  }

  private transact<T>(
    organizationId: string | null,
    opening: readonly Step[],
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.withClient(organizationId, async (client) => {
      let open = true;
      // A transaction holds locks, so its time is counted, but it does not wait for a turn.
      const send = async (steps: readonly Step[]) => {
        const results = await this.send(client, steps);
        if (organizationId !== null) this.turns.charge(organizationId);
        return results;
      };
      try {
        const opened = await send([...opening, ...first]);
        return await work(opened.slice(opening.length), {
          send,
          commit: async (steps) => {
            const results = await send([...steps, step(commit)]);
            open = false;
            return results.slice(0, -1);
          },
        });
      } finally {
        if (open) await this.rollBack(client);
      }
    });
  }

  private async send(
    client: pg.PoolClient,
    steps: readonly Step[],
    { prepare = this.options.prepare, flushes = false } = {},
  ): Promise<StepResult[]> {
    try {
      return await this.silence.follow(client, sendBatch(client, steps, prepare, flushes));
    } catch (error) {
      // Recorded here, because the caller may turn the error into a problem that no longer shows it.
      if (isConnectionLost(error as DatabaseFailure)) this.broken.add(client);
      // A former primary whose standbys follow another one accepts connections, and acknowledges no write.
      if (error instanceof SilentServerError && client instanceof WritableClient)
        this.hosts.leave(client.url);
      throw error;
    }
  }

  private async rollBack(client: pg.PoolClient): Promise<void> {
    try {
      await this.send(client, [step(rollback)]);
    } catch {
      // The connection is broken, and the transaction ended with it; withClient removes the connection.
    }
  }

  /** Runs work on a connection of the organization's share; null: on behalf of the server itself. */
  private async withClient<T>(
    organizationId: string | null,
    work: (client: pg.PoolClient) => Promise<T>,
    reads = 1,
  ): Promise<T> {
    const turn = this.shares.take(organizationId, reads);
    if (turn !== undefined) await turn;
    try {
      return await this.withConnection(work);
    } finally {
      this.shares.giveBack(organizationId);
    }
  }

  private async withConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.acquire();
    try {
      return await work(client);
    } finally {
      client.release(!this.isUsable(client));
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
        if (failures.length >= this.hosts.count || performance.now() >= giveUpAt)
          throw chooseFailure(failures);
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
    if (this.broken.has(client)) return false;
    if (!(client instanceof WritableClient)) return true;
    return !client.isReadOnly && !this.hosts.isReplaced(client.url);
  }

  private createPool(): pg.Pool {
    const { hosts } = this;
    const pool = new pg.Pool({
      Client: class extends WritableClient {
        constructor(config?: pg.ClientConfig) {
          super(hosts, config ?? {});
        }
      },
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
      if (client instanceof WritableClient && hosts.settle(client.url)) {
        this.options.log('database host changed', { host: `${client.host}:${client.port}` });
      }
    });
    return pool;
  }
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
