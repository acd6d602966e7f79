/**
 * The connection pool of a role, and all ways to run SQL. Methods for tenant data need an organization and a user (or
 * the hash of a presented token). Together with row-level security and the role's grants, this isolates organizations.
 * `query…` only reads, which PostgreSQL enforces; `execute…` and transactions change data.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { FairQueue, unauthenticated } from '../lib/fair-queue.ts';
import { type DatabaseFailure, type Row, type Statement, type Step, type StepResult, step } from './batch.ts';
import { begin, beginToRead, commit } from './block.ts';
import { targetWritable } from './connection.ts';
import { type ConnectionOptions, Connections, isConnectionLost, type PoolState } from './connections.ts';
import { ReadGroups } from './read-groups.ts';
import { type ReplicaOptions, Replicas, type ReplicasState } from './replicas.ts';
import { namesScope, onlyRead, type Scope, scopeList, scopeStep, scopeValues, setLocal } from './scope.ts';
import { commitPositionStep, positionStep, readPosition, type WalPosition } from './wal-position.ts';

export type { Scope } from './scope.ts';

/** How to connect to a database, and limits. */
export interface DatabaseOptions extends ConnectionOptions {
  /** PostgreSQL URL. It may name several hosts separated by commas, of which the writable one is used. */
  readonly url: string;
  /** Standbys that serve reads whose scope says how current they have to be; none when absent or null. */
  readonly replicas?: ReplicaOptions | null;
}

/** A transaction that has begun: further batches, then exactly one commit or rollback. */
export interface Transaction {
  /** Sends steps in one round trip and waits for their rows. */
  send(steps: readonly Step[]): Promise<StepResult[]>;
  /** Sends the last steps and COMMIT in one round trip. */
  commit(steps: readonly Step[]): Promise<StepResult[]>;
  /** The position behind the commit, if replicas are configured and it could be read; otherwise null. */
  position(): WalPosition | null;
}

const nameScopeToRead: Statement = {
  name: 'trellis_scope_read',
  text: `SELECT ${scopeList}, ${onlyRead}`,
  setsScope: true,
};
/** Credentials that are presented before the organization is known. A policy shows the row that they belong to. */
const present = {
  /** SHA-256 of a token, hexadecimal. */
  token_hash: presentStatement('token_hash'),
  publishable_key: presentStatement('publishable_key'),
  /** The origin of a page, as its browser sends it. */
  origin: presentStatement('origin'),
} as const;

function presentStatement(what: string): Statement {
  return { name: `trellis_${what}`, text: `SELECT ${setLocal(`trellis.${what}`, '$1')}, ${onlyRead}` };
}

/** The connection pool of one role. */
export class Database {
  /**
   * Turns of the event loop. A result waits for one before it is processed, so that large responses leave time to
   * others.
   */
  readonly turns = new FairQueue();
  private readonly connections: Connections;
  private readonly replicas: Replicas | null;
  private readonly groups = new ReadGroups(
    (scope, steps) => this.read(scope, steps, steps.length),
    (error) => !(error instanceof Problem) && !isConnectionLost(error as DatabaseFailure),
  );

  constructor(options: DatabaseOptions) {
    this.connections = new Connections(options, targetWritable(options.url, options.log));
    this.replicas =
      options.replicas == null
        ? null
        : new Replicas(options.replicas, options, () => this.queryInBackground([positionStep]));
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

  /**
   * Reads rows of an organization for an unauthenticated request: the read is charged to the share of unauthenticated requests, not to that
   * organization's.
   */
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
    const results = await this.connections.use(scope.organizationId, (client) =>
      this.connections.send(client, [scopeStep(scope), ...steps]),
    );
    return results.slice(1);
  }

  /** Looks up the rows that presented credentials belong to. */
  async queryPresented(what: keyof typeof present, value: string, read: Step): Promise<Row[]> {
    const [, found] = await this.connections.use(unauthenticated, (client) =>
      this.connections.send(client, [step(present[what], [value]), read]),
    );
    return found?.rows ?? [];
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
    const results = await this.connections.use(null, (client) =>
      this.connections.send(client, [step(beginToRead), ...steps]),
    );
    return results.slice(1);
  }

  /** Changes rows as the role itself, without an organization: leases, queues, sweeps. */
  async executeInBackground(steps: readonly Step[]): Promise<StepResult[]> {
    return this.connections.use(null, (client) => this.connections.send(client, steps));
  }

  /** Runs one text with parameters as the role itself; for the command line and checks, where speed does not matter. */
  async run(text: string, values: readonly (string | Buffer | null)[] = []): Promise<Row[]> {
    const results = await this.connections.use(null, (client) =>
      this.connections.send(client, [step({ name: '', text }, values)], { prepare: false }),
    );
    return results[0]?.rows ?? [];
  }

  poolState(): PoolState {
    return this.connections.state();
  }

  /** The replicas and their read statistics; null without replicas. */
  replicasState(): ReplicasState | null {
    return this.replicas?.state() ?? null;
  }

  /** Checks the replicas once, which takes a second; null without replicas. */
  examineReplicas(): Promise<ReplicasState | null> {
    return this.replicas?.examine() ?? Promise.resolve(null);
  }

  /** Waits for the work on connections, and ends all of them. */
  async close(): Promise<void> {
    await this.replicas?.close();
    await this.connections.close();
  }

  /**
   * @param reads the number of requests that the steps serve
   * @param share the share that is charged for connections and turns
   */
  private async read(
    scope: Scope,
    steps: readonly Step[],
    reads: number,
    share = scope.organizationId,
  ): Promise<StepResult[]> {
    if (this.replicas !== null) {
      const results = await this.replicas.read(scope, (connections, first) =>
        this.readFrom(connections, [first, ...steps], reads, share),
      );
      if (results !== null) return results;
    }
    return this.readFrom(
      this.connections,
      [step(nameScopeToRead, scopeValues(scope)), ...steps],
      reads,
      share,
    );
  }

  /** Reads on a connection; the first step names the scope, and has no result. */
  private async readFrom(
    connections: Connections,
    steps: readonly Step[],
    reads: number,
    share: string,
  ): Promise<StepResult[]> {
    const results = await connections.use(
      share,
      async (client) => {
        // Each slow statement, such as a list or a search, may use the full statement timeout, so PostgreSQL flushes after each. Grouped
        // reads are fast.
        const all = await connections.send(client, steps, { flushes: reads === 1 });
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

  private transact<T>(
    organizationId: string | null,
    opening: readonly Step[],
    first: readonly Step[],
    work: (rows: StepResult[], transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.connections.use(organizationId, async (client) => {
      let open = true;
      let position: WalPosition | null = null;
      // A transaction holds locks, so its time is counted, but it does not wait for a turn.
      const send = async (steps: readonly Step[]) => {
        const results = await this.connections.send(client, steps);
        if (organizationId !== null) this.turns.charge(organizationId);
        return results;
      };
      try {
        const opened = await send([...opening, ...first]);
        return await work(opened.slice(opening.length), {
          send,
          commit: async (steps) => {
            const results = await send([
              ...steps,
              step(commit),
              ...(this.replicas === null ? [] : [commitPositionStep]),
            ]);
            open = false;
            const last = results[steps.length + 1];
            if (last !== undefined) position = readPosition(last.rows[0]);
            return results.slice(0, steps.length);
          },
          position: () => position,
        });
      } finally {
        if (open) await this.connections.rollBack(client);
      }
    });
  }
}
