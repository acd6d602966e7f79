/**
 * Growing delays after failed attempts, stored in PostgreSQL so that they hold on all nodes and after a restart. No account is ever locked:
 * failures of other browsers delay neither a known browser, nor passkeys, external accounts and links
 * (docs/decisions/0044-passwords-and-delays.md).
 */
import { createHmac } from 'node:crypto';
import { Problem } from '@trellis/schema/problem.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, nullable, number } from '../../kernel/database/row.ts';

interface Allowance {
  /** Failures that cost nothing. */
  readonly free: number;
  /** Seconds of the longest delay; the first is one second, and each further failure doubles it. */
  readonly longest: number;
  /** Seconds after which one failure is forgotten; absent: all are after an hour without another. */
  readonly forgetsOneIn?: number;
}

/** What attempts are counted by. */
const allowances = {
  /** Passwords for an account, known or not, from one network. */
  accountFromNetwork: { free: 5, longest: 900 },
  /** Passwords for an account from all networks and unknown browsers. One network alone never fails often enough to get here. */
  account: { free: 100, longest: 60, forgetsOneIn: 60 },
  /** Passwords from a browser that has signed in to the account before. */
  knownBrowser: { free: 10, longest: 900 },
  /** Codes for an account. Who gets to it knows the first factor. */
  secondFactor: { free: 5, longest: 900 },
  /** Codes from a known browser, counted separately: an attacker who knows the password does not delay the owner. */
  knownBrowserSecondFactor: { free: 5, longest: 900 },
  /** Repeated proofs of identity in a session. */
  stepUp: { free: 5, longest: 900 },
  /** A network may have many people. */
  network: { free: 100, longest: 60 },
  /** Mails to one address. */
  mail: { free: 2, longest: 3_600 },
  /** Password-reset links requested from one network or by one known browser. */
  resetFromOnePlace: { free: 2, longest: 3_600 },
  /**
   * Password-reset links of an account. A link is valid for ten minutes, longer than the longest delay, so even during a flood of requests
   * one valid link exists.
   */
  reset: { free: 10, longest: 540 },
} as const satisfies Record<string, Allowance>;

/** The subject of a counter, such as an account or a network. */
export interface DelaySubject {
  readonly kind: keyof typeof allowances;
  /** Identifies the subject within its kind. */
  readonly value: string;
}

/** Whose failures are taken back one by one, since others may be trying too. */
const shared: ReadonlySet<DelaySubject['kind']> = new Set(['network']);

/** The columns have milliseconds. Rounded up, a time would be in the future, and the next attempt refused although it need not wait. */
const now = `date_trunc('milliseconds', clock_timestamp())`;
const passed = 'extract(epoch FROM clock_timestamp() - d.updated_at)';

/**
 * Counts an attempt as failed before it is checked, so that concurrent attempts all count. Blocked subjects stay unchanged. Rows are locked
 * in a fixed order to avoid deadlocks.
 */
const takeAttempts: Statement = {
  name: 'sign_in_take_attempts',
  text: `
    INSERT INTO trellis.sign_in_delays AS d (subject, failures, blocked_until, updated_at)
    SELECT decode(subject, 'hex'), 1, ${now}, clock_timestamp()
    FROM unnest($1::text[]) subject ORDER BY subject
    ON CONFLICT (subject) DO UPDATE SET (failures, blocked_until, updated_at) = (
      SELECT c.failures,
        ${now} + make_interval(secs =>
          CASE WHEN c.failures <= c.free THEN 0 ELSE least(c.longest, 2 ^ least(c.failures - c.free - 1, 20)) END),
        -- What has passed of the time to the next one that is forgotten.
        clock_timestamp() - make_interval(secs => c.rest)
      FROM (
        SELECT a.free, a.longest, coalesce(mod(${passed}, a.forgets_one_in), 0)::float8 AS rest,
          CASE WHEN a.forgets_one_in IS NOT NULL
            THEN greatest(d.failures - floor(${passed} / a.forgets_one_in), 0)::integer + 1
            WHEN d.updated_at < clock_timestamp() - interval '1 hour' THEN 1
            ELSE d.failures + 1 END AS failures
        FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[]) a (subject, free, longest, forgets_one_in)
        WHERE decode(a.subject, 'hex') = d.subject) c)
    WHERE d.blocked_until <= clock_timestamp()
    RETURNING 1`,
};

const waitRow = defineRow({
  seconds: nullable(number('ceil(extract(epoch FROM max(blocked_until) - clock_timestamp()))')),
});
const readWait: Statement = {
  name: 'sign_in_read_wait',
  text: `SELECT ${waitRow.list} FROM trellis.sign_in_delays
    WHERE subject = ANY (ARRAY(SELECT decode(subject, 'hex') FROM unnest($1::text[]) subject))`,
};

const forgetAttempts: Statement = {
  name: 'sign_in_forget_attempts',
  text: "DELETE FROM trellis.sign_in_delays WHERE subject = ANY (ARRAY(SELECT decode(s, 'hex') FROM unnest($1::text[]) s))",
};
const giveBackAttempts: Statement = {
  name: 'sign_in_give_back_attempts',
  text: `UPDATE trellis.sign_in_delays SET failures = greatest(failures - 1, 1), blocked_until = ${now}
    WHERE subject = ANY (ARRAY(SELECT decode(s, 'hex') FROM unnest($1::text[]) s))`,
};

/** Counts attempts, and refuses attempts within a delay. */
export class Delays {
  private readonly database: Database;
  private readonly key: Buffer;

  /** @param key for hashing accounts and networks, so that the table contains no identities */
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
    const seconds = Math.max(1, waitRow.first(waits)?.seconds ?? 1);
    throw new Problem('rate_limited', 'Too many attempts have failed.', {
      headers: { 'retry-after': String(seconds) },
    });
  }

  /**
   * Like `take`. While one of them has to wait, none is counted: attempts refused to one network must not count against the account.
   * @returns whether none of them has to wait
   */
  async tryTake(subjects: readonly DelaySubject[]): Promise<boolean> {
    const allowed: Allowance[] = subjects.map(({ kind }) => allowances[kind]);
    const counted = step(takeAttempts, [
      this.hashes(subjects),
      `{${allowed.map(({ free }) => free).join(',')}}`,
      `{${allowed.map(({ longest }) => longest).join(',')}}`,
      `{${allowed.map(({ forgetsOneIn }) => forgetsOneIn ?? 'NULL').join(',')}}`,
    ]);
    return this.database.backgroundTransaction([counted], async ([taken], transaction) => {
      if (taken?.affected !== subjects.length) return false;
      await transaction.commit([]);
      return true;
    });
  }

  /** Reverts the count of a successful attempt, and clears the failures of the account or browser itself. */
  async succeed(subjects: readonly DelaySubject[]): Promise<void> {
    await this.database.executeInBackground([
      step(forgetAttempts, [this.hashes(subjects.filter(({ kind }) => !shared.has(kind)))]),
      step(giveBackAttempts, [this.hashes(subjects.filter(({ kind }) => shared.has(kind)))]),
    ]);
  }

  private hashes(subjects: readonly DelaySubject[]): string {
    const hashes = subjects.map(({ kind, value }) =>
      createHmac('sha256', this.key).update(`${kind}\n${value}`).digest('hex'),
    );
    return `{${hashes.join(',')}}`;
  }
}
