/**
 * The standbys that serve reads (docs/decisions/0108-reads-from-replicas.md). A read is sent to one of them only with a position that it
 * must have replayed: the caller's, or the one that the primary had `graceMs` ago, whichever is later. The standby itself checks that, in
 * the same batch. Whatever goes wrong, the primary serves the read.
 */
import { Problem } from '@trellis/schema/problem.ts';
import { type DatabaseFailure, type Statement, type Step, type StepResult, step } from './batch.ts';
import { type ConnectionOptions, type Connections, isConnectionLost } from './connections.ts';
import { splitHosts } from './hosts.ts';
import { type PrimaryState, Replica, type ReplicaCondition } from './replica.ts';
import { onlyRead, type Scope, scopeList, scopeValues } from './scope.ts';
import {
  anyPosition,
  laterPosition,
  lsnOf,
  readPosition,
  timelineOf,
  type WalPosition,
} from './wal-position.ts';

export interface ReplicaOptions {
  /** PostgreSQL URL of the serving role; each of its hosts is a standby. */
  readonly url: string;
  /** Times that differ from the defaults. */
  readonly timing?: Partial<ReplicaTiming>;
}

/** Times in ms. */
export interface ReplicaTiming {
  /** How often the primary's position is read, and the replicas are checked. */
  readonly checkMs: number;
  /** How long a replica may take to replay what the primary has, before it is behind. */
  readonly graceMs: number;
  /** How old the rows of a replica are at most. If nothing is known of a primary of that time, no replica is used. */
  readonly maxAgeMs: number;
  /** How long a check may take, and a read may wait for a connection. */
  readonly deadlineMs: number;
}

const defaultTiming: ReplicaTiming = { checkMs: 500, graceMs: 1_000, maxAgeMs: 2_000, deadlineMs: 1_000 };

/**
 * How a read was served: by a `replica`; otherwise by the primary, because the caller needs the `current` state, no replica was
 * `unavailable`, or the replica that was asked was `behind` the caller's position, cancelled it because of a `conflict` with what it
 * replays, was `busy`, or `failed`.
 */
const replicaReads = ['replica', 'current', 'unavailable', 'behind', 'conflict', 'busy', 'failed'] as const;
export type ReplicaRead = (typeof replicaReads)[number];

export interface ReplicasState {
  readonly replicas: readonly { readonly host: string; readonly condition: ReplicaCondition }[];
  /** Numbers of reads since the start. */
  readonly reads: Readonly<Record<ReplicaRead, number>>;
}

/** Names the scope, and raises `behindState` on a server that has not replayed the position. */
const nameScopeOnReplica: Statement = {
  name: 'trellis_scope_replica',
  text: `SELECT trellis.require_replayed($3), ${scopeList}, ${onlyRead}`,
  setsScope: true,
};
/** SQLSTATE that `trellis.require_replayed` raises. */
const behindState = 'TR001';
/** serialization_failure, deadlock_detected: how a standby cancels what is in the way of replay. */
const conflictStates: ReadonlySet<string> = new Set(['40001', '40P01']);
/** Number of samples of the primary's position to keep, which cover at least the last two seconds. */
const keptSamples = 16;

interface Sample extends PrimaryState {
  /** Before the position was read, by the monotonic clock in ms. */
  readonly atMs: number;
}

export class Replicas {
  private readonly timing: ReplicaTiming;
  private readonly replicas: readonly Replica[];
  private readonly readPrimary: () => Promise<StepResult[]>;
  private readonly reads = Object.fromEntries(replicaReads.map((read) => [read, 0])) as Record<
    ReplicaRead,
    number
  >;
  /** Positions of the primary on its present timeline, the newest first. */
  private samples: Sample[] = [];
  private isSampling = false;
  private turn = 0;
  private readonly timer: NodeJS.Timeout;

  /** @param readPrimary sends `positionStep` to the primary */
  constructor(
    { url, timing }: ReplicaOptions,
    connections: ConnectionOptions,
    readPrimary: () => Promise<StepResult[]>,
  ) {
    this.timing = { ...defaultTiming, ...timing };
    this.replicas = splitHosts(url).map((host) => new Replica(host, connections, this.timing.deadlineMs));
    this.readPrimary = readPrimary;
    this.timer = setInterval(() => void this.checkAll(), this.timing.checkMs).unref();
    void this.checkAll();
  }

  state(): ReplicasState {
    return {
      replicas: this.replicas.map(({ host, condition }) => ({ host, condition })),
      reads: { ...this.reads },
    };
  }

  /**
   * Reads on a replica.
   * @param send sends the read over one of the connections, after a first step that names the scope
   * @returns null if the primary has to serve it
   */
  async read(
    scope: Scope,
    send: (connections: Connections, first: Step) => Promise<StepResult[]>,
  ): Promise<StepResult[] | null> {
    const { readAfter } = scope;
    if (readAfter === undefined) return this.leave('current');
    const floor = this.floor();
    const replica = this.choose();
    if (floor === null || replica === undefined) return this.leave('unavailable');
    // What a position of another timeline stands for may be lost, or not be known here yet.
    if (readAfter !== anyPosition && timelineOf(readAfter) !== timelineOf(floor))
      return this.leave('current');
    const required = laterPosition(floor, readAfter);
    replica.inFlight += 1;
    try {
      const values = [...scopeValues(scope), lsnOf(required)];
      const results = await send(replica.connections, step(nameScopeOnReplica, values));
      this.reads.replica += 1;
      return results;
    } catch (error) {
      return this.leave(this.explain(replica, error));
    } finally {
      replica.inFlight -= 1;
    }
  }

  /** Checks all replicas now; for a command, which does not run for long. */
  async examine(): Promise<ReplicasState> {
    await this.sample();
    await new Promise((resolve) => setTimeout(resolve, this.timing.graceMs));
    await Promise.all(this.replicas.map((replica) => this.check(replica)));
    return this.state();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** The minimum position that every replica must have replayed; null if unknown, such as while the primary is unreachable. */
  private floor(): WalPosition | null {
    const now = performance.now();
    const sample = this.samples.find(({ atMs }) => atMs <= now - this.timing.graceMs);
    return sample === undefined || sample.atMs < now - this.timing.maxAgeMs ? null : sample.position;
  }

  /** Of the usable ones that with the fewest reads under way, in turn. */
  private choose(): Replica | undefined {
    const usable = this.replicas.filter(({ condition }) => condition === 'usable');
    const fewest = Math.min(...usable.map(({ inFlight }) => inFlight));
    const least = usable.filter(({ inFlight }) => inFlight === fewest);
    this.turn += 1;
    return least[this.turn % least.length];
  }

  private leave(read: Exclude<ReplicaRead, 'replica'>): null {
    this.reads[read] += 1;
    return null;
  }

  private explain(replica: Replica, error: unknown): 'behind' | 'conflict' | 'busy' | 'failed' {
    if (error instanceof Problem) return 'busy';
    const failure = error as DatabaseFailure;
    if (failure.code === behindState) return 'behind';
    if (conflictStates.has(failure.code ?? '')) return 'conflict';
    if (isConnectionLost(failure)) replica.abandon(failure.message);
    return 'failed';
  }

  private async checkAll(): Promise<void> {
    await this.sample();
    for (const replica of this.replicas) void this.check(replica);
  }

  private check(replica: Replica): Promise<void> {
    return replica.check(this.samples[0] ?? null, this.floor());
  }

  /** Reads the position of the primary. A failure is not reported: the primary is used by everything else, too. */
  private async sample(): Promise<void> {
    if (this.isSampling) return;
    this.isSampling = true;
    const atMs = performance.now();
    try {
      const [result] = await this.readPrimary();
      const position = readPosition(result?.rows[0]);
      const source = result?.rows[0]?.[2] ?? '';
      const sameTimeline = this.samples.filter(
        (sample) => timelineOf(sample.position) === timelineOf(position),
      );
      this.samples = [{ position, source, atMs }, ...sameTimeline].slice(0, keptSamples);
    } catch {
      // The samples grow old, and then no replica is used.
    } finally {
      this.isSampling = false;
    }
  }
}
