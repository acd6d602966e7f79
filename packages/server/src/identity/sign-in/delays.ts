/**
 * Growing delays after failed attempts, for each account and for each network, kept in PostgreSQL so that they hold on all
 * nodes and after a restart. Nobody is locked out: passkeys, external accounts and links stay open to an account whose
 * password somebody else tries.
 */
import { createHmac } from 'node:crypto';
import { Problem } from '@trellis/schema/problem.ts';
import { type Statement, step } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';

interface Allowance {
  /** Failures in an hour that cost nothing. */
  readonly free: number;
  /** Seconds of the longest delay; the first is one second, and each further failure doubles it. */
  readonly longest: number;
}

/** What attempts are counted by. */
const allowances = {
  /** First factors of an account, known or not. */
  account: { free: 5, longest: 60 },
  /** Who gets to it knows the first factor, so a long delay keeps nobody else out. */
  secondFactor: { free: 5, longest: 900 },
  /** A network may have many people. */
  network: { free: 100, longest: 60 },
  /** Mails to one address. */
  mail: { free: 2, longest: 3_600 },
} as const satisfies Record<string, Allowance>;

/** Somebody or something whose attempts are counted. */
export interface DelaySubject {
  readonly kind: keyof typeof allowances;
  /** What tells it from others of its kind. */
  readonly value: string;
}

/** The columns have milliseconds. Rounded up, a time would be in the future, and the next attempt refused although it need not wait. */
const now = `date_trunc('milliseconds', clock_timestamp())`;

/**
 * Counts an attempt as failed before it is looked at, so that attempts at the same time are all counted. Those that are
 * blocked are left as they are. Rows are locked in one order, whoever comes.
 */
const takeAttempts: Statement = {
  name: 'sign_in_take_attempts',
  text: `
    INSERT INTO trellis.sign_in_delays AS d (subject, failures, blocked_until, updated_at)
    SELECT decode(subject, 'hex'), 1, ${now}, clock_timestamp()
    FROM unnest($1::text[]) subject ORDER BY subject
    ON CONFLICT (subject) DO UPDATE SET
      failures = CASE WHEN d.updated_at < clock_timestamp() - interval '1 hour' THEN 1 ELSE d.failures + 1 END,
      blocked_until = ${now} + make_interval(secs => CASE
        WHEN d.updated_at < clock_timestamp() - interval '1 hour' OR d.failures + 1 <= (
          SELECT free FROM unnest($1::text[], $2::int[], $3::int[]) a (subject, free, longest)
          WHERE decode(a.subject, 'hex') = d.subject) THEN 0
        ELSE (SELECT least(longest, 2 ^ least(d.failures - free, 20))
          FROM unnest($1::text[], $2::int[], $3::int[]) a (subject, free, longest)
          WHERE decode(a.subject, 'hex') = d.subject) END),
      updated_at = clock_timestamp()
    WHERE d.blocked_until <= clock_timestamp()
    RETURNING 1`,
};

const readWait: Statement = {
  name: 'sign_in_read_wait',
  text: `SELECT ceil(extract(epoch FROM max(blocked_until) - clock_timestamp())) FROM trellis.sign_in_delays
    WHERE subject = ANY (ARRAY(SELECT decode(subject, 'hex') FROM unnest($1::text[]) subject))`,
};

/** The account's failures are forgotten; of the network's, where others may be trying, only this attempt. */
const forgetAttempts: Statement = {
  name: 'sign_in_forget_attempts',
  text: "DELETE FROM trellis.sign_in_delays WHERE subject = ANY (ARRAY(SELECT decode(s, 'hex') FROM unnest($1::text[]) s))",
};
const giveBackAttempts: Statement = {
  name: 'sign_in_give_back_attempts',
  text: `UPDATE trellis.sign_in_delays SET failures = greatest(failures - 1, 1), blocked_until = ${now}
    WHERE subject = ANY (ARRAY(SELECT decode(s, 'hex') FROM unnest($1::text[]) s))`,
};

/** Counts attempts, and refuses those that come too soon. */
export class Delays {
  private readonly database: Database;
  private readonly key: Buffer;

  /** @param key what accounts and networks are hashed under, so that the table names nobody */
  constructor(database: Database, key: Buffer) {
    this.database = database;
    this.key = key;
  }

  /**
   * Counts an attempt of each subject.
   * @throws Problem rate_limited, with Retry-After, while one of them has to wait
   */
  async take(subjects: readonly DelaySubject[]): Promise<void> {
    if (await this.tryTake(subjects)) return;
    const [waits] = await this.database.queryInBackground([step(readWait, [this.hashes(subjects)])]);
    const seconds = Math.max(1, Number(waits?.rows[0]?.[0] ?? 1));
    throw new Problem('rate_limited', 'Too many attempts have failed.', {
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** As `take`. @returns whether none of them has to wait */
  async tryTake(subjects: readonly DelaySubject[]): Promise<boolean> {
    const allowed = subjects.map(({ kind }) => allowances[kind]);
    const [taken] = await this.database.executeInBackground([
      step(takeAttempts, [
        this.hashes(subjects),
        `{${allowed.map(({ free }) => free).join(',')}}`,
        `{${allowed.map(({ longest }) => longest).join(',')}}`,
      ]),
    ]);
    return taken?.affected === subjects.length;
  }

  /** Takes back what a successful attempt was counted as. */
  async succeed(subjects: readonly DelaySubject[]): Promise<void> {
    const isNetwork = ({ kind }: DelaySubject) => kind === 'network';
    await this.database.executeInBackground([
      step(forgetAttempts, [this.hashes(subjects.filter((subject) => !isNetwork(subject)))]),
      step(giveBackAttempts, [this.hashes(subjects.filter(isNetwork))]),
    ]);
  }

  private hashes(subjects: readonly DelaySubject[]): string {
    const hashes = subjects.map(({ kind, value }) =>
      createHmac('sha256', this.key).update(`${kind}\n${value}`).digest('hex'),
    );
    return `{${hashes.join(',')}}`;
  }
}
