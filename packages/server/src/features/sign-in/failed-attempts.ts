/**
 * Logs failed sign-ins: one line each, or one line a minute for all when there are many. Accounts are named by a keyed hash, so
 * that the log contains no addresses.
 */
import { createHmac } from 'node:crypto';
import { Problem, type ProblemCode } from '@trellis/schema/problem.ts';

/** The attempted method. */
export type AttemptedMethod =
  | 'PASSWORD'
  | 'SECOND_FACTOR'
  | 'PASSKEY'
  | 'EXTERNAL'
  | 'LINK'
  | 'RESET'
  | 'STEP_UP';

/** An attempt. */
export interface LoggedAttempt {
  readonly method: AttemptedMethod;
  /** A prefix of the address that it comes from. */
  readonly network: string;
  readonly requestId: string;
  /** As `accountKey` gives it; null as long as it is not known. */
  account: string | null;
}

/** Where lines are written. */
export interface AttemptLog {
  warn(detail: object, message: string): void;
}

/** Lines of single attempts in a minute. */
const linesPerMinute = 60;
const minuteMs = 60_000;
/** Networks that are told apart in a minute. */
const maxNetworks = 10_000;

/** Problem codes of a refused sign-in, as opposed to a malformed request. */
const refusals: ReadonlySet<ProblemCode> = new Set([
  'sign_in_failed',
  'challenge_invalid',
  'link_invalid',
  'rate_limited',
  'overloaded',
]);

export class FailedAttempts {
  private readonly log: AttemptLog;
  private readonly key: Buffer;
  private lines = 0;
  private readonly further = new Map<string, number>();
  private readonly networks = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  /** @param key for hashing accounts, used for this purpose only */
  constructor(log: AttemptLog, key: Buffer) {
    this.log = log;
    this.key = key;
  }

  /** Does the work of an attempt, and logs its refusal. */
  async watch<T>(attempt: LoggedAttempt, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Problem && refusals.has(error.code)) this.note(attempt, error.code);
      throw error;
    }
  }

  private note({ method, network, requestId, account }: LoggedAttempt, reason: string): void {
    this.timer ??= setTimeout(() => this.sumUp(), minuteMs).unref();
    this.lines += 1;
    if (this.lines <= linesPerMinute) {
      const hash = account === null ? null : createHmac('sha256', this.key).update(account).digest('hex');
      this.log.warn({ requestId, method, reason, network, account: hash?.slice(0, 16) }, 'sign-in failed');
      return;
    }
    const what = `${method} ${reason}`;
    this.further.set(what, (this.further.get(what) ?? 0) + 1);
    if (this.networks.size < maxNetworks) this.networks.add(network);
  }

  private sumUp(): void {
    this.timer = null;
    this.lines = 0;
    if (this.further.size === 0) return;
    const failed = Object.fromEntries(this.further);
    this.log.warn({ failed, networks: this.networks.size }, 'further sign-ins failed within a minute');
    this.further.clear();
    this.networks.clear();
  }
}
