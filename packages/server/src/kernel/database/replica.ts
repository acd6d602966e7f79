/**
 * One standby that serves reads: its connections, and what the last check has found. It is checked on a connection of its own, so that a
 * standby that is frozen is noticed while reads wait for it.
 */
import pg from 'pg';
import { type DatabaseFailure, type Row, type Statement, step } from './batch.ts';
import type { Target } from './connection.ts';
import { type ConnectionOptions, Connections } from './connections.ts';
import { positionOf, sourceList, timelineOf, type WalPosition } from './wal-position.ts';

/**
 * - `usable`: it serves reads
 * - `behind`: it has not replayed what the primary had a while ago
 * - `unreachable`: it does not respond, or its check failed
 * - `promoted`: it is no standby
 * - `other_timeline`: the primary was replaced, and the standby's last checkpoint is from before
 * - `other_source`: it is a standby of another cluster, or the URL names another database or role than that of the primary
 */
export type ReplicaCondition =
  | 'usable'
  | 'behind'
  | 'unreachable'
  | 'promoted'
  | 'other_timeline'
  | 'other_source';

/** What is known of the primary. */
export interface PrimaryState {
  readonly position: WalPosition;
  /** Its cluster and database, and the role that reads there. */
  readonly source: string;
}

/**
 * The timeline is the latest of which the standby has noted on disk that it has replayed it, at the latest with its next restartpoint. Where
 * it receives from at the moment, serving roles may not see.
 */
const readReplica: Statement = {
  name: 'replica_state',
  text: `SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn(), 
    (SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) FROM pg_control_checkpoint() c, pg_control_recovery() r), ${sourceList}`,
};

export class Replica {
  /** Host and port. */
  readonly host: string;
  readonly connections: Connections;
  /** Reads that are under way. */
  inFlight = 0;
  private readonly checker: Connections;
  private readonly log: ConnectionOptions['log'];
  /** Null before the first check. */
  private found: ReplicaCondition | null = null;
  private isChecking = false;

  /** @param deadlineMs how long a check may take */
  constructor(url: string, options: ConnectionOptions, deadlineMs: number) {
    const target = targetStandby(url);
    const { host, port } = new target.Client();
    this.host = `${host}:${port}`;
    this.log = options.log;
    this.connections = new Connections(
      { ...options, acquireTimeoutMs: Math.min(options.acquireTimeoutMs, deadlineMs) },
      target,
    );
    const limits = { poolSize: 1, acquireTimeoutMs: deadlineMs, silenceMs: deadlineMs };
    this.checker = new Connections({ ...options, ...limits }, target);
  }

  get condition(): ReplicaCondition {
    return this.found ?? 'unreachable';
  }

  /**
   * Finds out whether it can serve reads.
   * @param floor what it must have replayed; null if that is not known
   */
  async check(primary: PrimaryState | null, floor: WalPosition | null): Promise<void> {
    if (this.isChecking || primary === null) return;
    this.isChecking = true;
    try {
      const [result] = await this.checker.use(null, (client) =>
        this.checker.send(client, [step(readReplica)]),
      );
      this.note(judge(result?.rows[0], primary, floor));
    } catch (error) {
      this.abandon((error as DatabaseFailure).message);
    } finally {
      this.isChecking = false;
    }
  }

  /** Uses it no more until a check succeeds, and ends what waits for it. */
  abandon(reason: string): void {
    this.note('unreachable', reason);
    this.connections.destroy();
  }

  async close(): Promise<void> {
    await this.connections.close();
    await this.checker.close();
  }

  private note(condition: ReplicaCondition, reason = ''): void {
    if (condition === this.found) return;
    this.found = condition;
    this.log('replica changed', { host: this.host, condition, ...(reason === '' ? {} : { reason }) });
  }
}

function judge(row: Row | undefined, primary: PrimaryState, floor: WalPosition | null): ReplicaCondition {
  const [isInRecovery, lsn, timeline, source] = row ?? [];
  if (isInRecovery !== 't' || lsn == null) return 'promoted';
  if (source !== primary.source) return 'other_source';
  const replayed = positionOf(Number(timeline).toString(16), lsn);
  if (timelineOf(replayed) !== timelineOf(primary.position)) return 'other_timeline';
  return floor !== null && replayed < floor ? 'behind' : 'usable';
}

/** A single host, which is a standby. */
function targetStandby(url: string): Target {
  return {
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: url });
      }
    },
    hostCount: 1,
    isUsable: () => true,
    noteOpened: () => undefined,
    noteSilent: () => undefined,
  };
}
