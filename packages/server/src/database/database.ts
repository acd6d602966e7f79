/**
 * The connection pool of a role, and all ways to run SQL. None of those for tenant data can be called without an organization
 * and a user (or a presented token's hash). That, row-level security and the role's grants keep organizations apart. `query…`
 * only reads, which PostgreSQL enforces; `execute…` and transactions change data.
 */

import { Problem } from '@trellis/schema/problem.ts';
import pg from 'pg';
import { FairQueue } from '../lib/fair-queue.ts';
import {
  Batch,
  type DatabaseFailure,
  type Row,
  type Statement,
  type Step,
  type StepResult,
  step,
} from './batch.ts';
import { mostTelling, readOnlyState, WritableClient } from './connection.ts';
import { ConnectionShares } from './connection-shares.ts';
import { DatabaseHosts } from './hosts.ts';

/** How to reach a database and how much to ask of it. */
export interface DatabaseOptions {
  /** PostgreSQL URL; several hosts separated by commas: the writable one is used. */
  readonly url: string;
  /** Most connections of this process. */
  readonly poolSize: number;
  /** False behind a pooler that cannot keep prepared statements. */
  readonly prepare: boolean;
  /** How long a call may wait for a free connection, in ms, before it is answered 503. */
  readonly acquireTimeoutMs: number;
  readonly applicationName: string;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
}

/** Whose rows are meant, and on whose behalf: what a user may not see is not there. */
export interface Scope {
  readonly organizationId: string;
  /** Null for work on nobody's behalf, which sees only what every member may see. */
  readonly userId: string | null;
}

/** A transaction that has begun: further batches, then exactly one commit or rollback. */
export interface Transaction {
  /** Sends steps in one round trip and waits for their rows. */
  send(steps: readonly Step[]): Promise<StepResult[]>;
  /** Sends the last steps and COMMIT in one round trip. */
  commit(steps: readonly Step[]): Promise<StepResult[]>;
}

const begin: Statement = { name: 'trellis_begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
const commit: Statement = { name: 'trellis_commit', text: 'COMMIT' };
const rollback: Statement = { name: 'trellis_rollback', text: 'ROLLBACK' };
const nameScope: Statement = {
  name: 'trellis_scope',
  text: `SELECT set_config('trellis.organization', $1, true), set_config('trellis.user', $2, true)`,
};
/** PostgreSQL refuses every change from here to the end of the transaction. */
const onlyRead = `set_config('transaction_read_only', 'on', true)`;
const nameScopeToRead: Statement = { name: 'trellis_scope_read', text: `${nameScope.text}, ${onlyRead}` };
const beginToRead: Statement = { name: 'trellis_read', text: `SELECT ${onlyRead}` };
/** What somebody may present before an organization is named: a policy shows them the row that is theirs. */
const present = {
  /** SHA-256 of a token, hexadecimal. */
  token_hash: presentStatement('token_hash'),
  publishable_key: presentStatement('publishable_key'),
  /** Of a page, as its browser sends it. */
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

/** Those whose organization is not known yet share connections as one organization would. */
const unknownCaller = 'unknown caller';

/** The connection pool of one role. */
export class Database {
  /** Turns of the process's time: what comes of an answer waits for one, so that large answers leave time to others. */
  readonly turns = new FairQueue();
  private readonly options: DatabaseOptions;
  private readonly hosts: DatabaseHosts;
  private readonly shares: ConnectionShares;
  private readonly pool: pg.Pool;
  /** Connections that have failed below PostgreSQL's own errors, or to a server that no longer takes writes. */
  private readonly broken = new WeakSet<pg.PoolClient>();

  constructor(options: DatabaseOptions) {
    this.options = options;
    this.hosts = new DatabaseHosts(options.url);
    this.shares = new ConnectionShares({
      connections: options.poolSize,
      maxWaitMs: options.acquireTimeoutMs,
    });
    this.pool = this.createPool();
  }

  /**
   * Reads rows of one organization: one implicit transaction, one round trip.
   * @throws DatabaseFailure 25006 for a statement that changes something
   */
  async query(scope: Scope, steps: readonly Step[]): Promise<StepResult[]> {
    const { organizationId } = scope;
    const results = await this.withClient(organizationId, async (client) => {
      const all = await this.send(client, [step(nameScopeToRead, scopeValues(scope)), ...steps]);
      // With the connection in hand: whoever has to wait for turns does not fetch further answers meanwhile.
      const turn = this.turns.enter(organizationId);
      if (turn !== undefined) await turn;
      return all;
    });
    return results.slice(1);
  }

  /**
   * Changes rows of one organization without the pipeline, in one round trip: for what is no tenant data, such as when a token
   * was last used. Tenant data changes by `write` of the pipeline.
   */
  async execute(scope: Scope, steps: readonly Step[]): Promise<StepResult[]> {
    const results = await this.withClient(scope.organizationId, (client) =>
      this.send(client, [scopeStep(scope), ...steps]),
    );
    return results.slice(1);
  }

  /** Looks up what something presented opens, before an organization is known. */
  async queryPresented(
    what: keyof typeof present,
    value: string,
    steps: readonly Step[],
  ): Promise<StepResult[]> {
    const results = await this.withClient(unknownCaller, (client) =>
      this.send(client, [step(present[what], [value]), ...steps]),
    );
    return results.slice(1);
  }

  /**
   * Runs a transaction of one organization. `first` flies together with BEGIN; `work` decides on the rows and must end
   * with `commit`. Any error, and returning without a commit, rolls back.
   */
  async transaction<T>(
    scope: Scope,
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.transact(scope.organizationId, [step(begin), scopeStep(scope)], first, work);
  }

  /** As `transaction`, but as the role itself, naming no organization; see `queryInBackground`. */
  async backgroundTransaction<T>(
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.transact(null, [step(begin)], first, work);
  }

  /**
   * Reads as the role itself, naming no organization: for the background role, whose policies and grants say what it may
   * touch, and for questions about the installation. The serving role sees no tenant rows this way.
   * @throws DatabaseFailure 25006 for a statement that changes something
   */
  async queryInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    const results = await this.withClient(null, (client) => this.send(client, [step(beginToRead), ...steps]));
    return results.slice(1);
  }

  /** Changes rows as the role itself, naming no organization: leases, queues, what is swept. */
  async executeInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return this.withClient(null, (client) => this.send(client, steps));
  }

  /** Runs one text with parameters, as the role itself; for the command line and checks, where speed does not matter. */
  async run(text: string, values: readonly (string | Buffer | null)[] = []): Promise<Row[]> {
    const results = await this.withClient(null, (client) =>
      this.send(client, [step({ name: '', text }, values)], false),
    );
    return results[0]?.rows ?? [];
  }

  poolState(): PoolState {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.shares.waitingCount() };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private transact<T>(
    organizationId: string | null,
    opening: readonly Step[],
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.withClient(organizationId, async (client) => {
      let open = true;
      // A transaction holds locks: it is counted, and does not wait for a turn.
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
    prepare = this.options.prepare,
  ): Promise<StepResult[]> {
    try {
      return await sendBatch(client, steps, prepare);
    } catch (error) {
      // Noted here: what the caller makes of the error may be a problem that no longer tells.
      if (isConnectionLost(error as DatabaseFailure)) this.broken.add(client);
      throw error;
    }
  }

  private async rollBack(client: pg.PoolClient): Promise<void> {
    try {
      await this.send(client, [step(rollback)]);
    } catch {
      // The connection is gone, and the transaction with it; withClient sees to the connection.
    }
  }

  /** Runs work on a connection of the organization's share; null: on behalf of the server itself. */
  private async withClient<T>(
    organizationId: string | null,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const turn = this.shares.take(organizationId);
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
   * A connection to the server that takes writes. Each host is tried once, as far as the time allows; whoever comes next
   * goes on with the host that follows.
   */
  private async acquire(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + this.options.acquireTimeoutMs;
    const failures: DatabaseFailure[] = [];
    for (;;) {
      try {
        const client = await this.pool.connect();
        if (this.isUsable(client)) return client;
        // Opened before the server became a standby, or before another one took over.
        client.release(true);
      } catch (error) {
        const failure = error as DatabaseFailure;
        this.refuseWhenBusy(failure);
        failures.push(failure);
        if (failures.length >= this.hosts.count || performance.now() >= giveUpAt) throw mostTelling(failures);
      }
    }
  }

  /** @throws Problem overloaded when the failure is that all connections are in use */
  private refuseWhenBusy(failure: DatabaseFailure): void {
    // node-postgres has no code for this one; the text is the only sign.
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
    // An idle connection that breaks reports here; without a listener it would end the process.
    pool.on('error', (error) => this.options.log('database connection lost', { reason: error.message }));
    pool.on('connect', (client) => {
      client.on('error', (error) => this.options.log('database connection lost', { reason: error.message }));
      if (client instanceof WritableClient && hosts.settle(client.url)) {
        this.options.log('database host changed', { host: `${client.host}:${client.port}` });
      }
    });
    return pool;
  }
}

function scopeStep(scope: Scope): Step {
  return step(nameScope, scopeValues(scope));
}

function scopeValues({ organizationId, userId }: Scope): [string, string] {
  return [organizationId, userId ?? ''];
}

/** Sends one batch over a connection. With `prepare` false each statement is parsed anew. */
export function sendBatch(
  client: pg.Client | pg.PoolClient,
  steps: readonly Step[],
  prepare: boolean,
): Promise<StepResult[]> {
  const batch = new Batch(steps, prepare);
  client.query(batch);
  return batch.results;
}

/** Whether the error means that the connection is unusable, as opposed to an error of a statement. */
export function isConnectionLost(error: DatabaseFailure): boolean {
  const code = error.code ?? '';
  // Class 57P: the server is stopping; 08: connection exceptions; no five-character code: the socket's own error. A change in
  // a transaction that only reads: no query of ours makes one, so the server has stopped taking writes.
  return (
    !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || code.startsWith('08') || code === readOnlyState
  );
}
