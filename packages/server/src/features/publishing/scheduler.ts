/**
 * The scheduler: makes timed changes. Any number of nodes look for timers that are due; one node leases each and makes the
 * change through the pipeline. The timer is read again under the record's lock and deleted with the change, so that two
 * nodes, or a node that was paused for longer than its lease, cannot make it twice.
 */

import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Logger } from 'pino';
import { type DatabaseFailure, type Statement, type StepResult, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { describeProblem } from '../../kernel/database/failures.ts';
import { defineRow, nullable, number, text, texts } from '../../kernel/database/row.ts';
import { Pause } from '../../kernel/events/pause.ts';
import { traceWork } from '../../kernel/lib/tracing.ts';
import { type Decision, type Models, modelOf } from '../../kernel/pipeline/model.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import { type TimerKind, timerKinds } from '../../kernel/pipeline/timers.ts';
import { type SystemOutcome, writeAsSystem } from '../../kernel/pipeline/write/system.ts';
import {
  type ArticleRecord,
  failToPublish,
  failToUnpublish,
  publishOnTime,
  unpublishOnTime,
} from '../articles/rules.ts';

/** What the scheduler depends on. */
export interface SchedulerOptions {
  /** Pool of the role `trellis_worker`, which finds due timers. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`, which changes records of one organization. */
  readonly api: Database;
  readonly models: Models;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  readonly log: Logger;
  readonly timing?: Partial<SchedulerTiming>;
}

/** Intervals of the scheduler, in ms. */
export interface SchedulerTiming {
  /** How often due timers are looked for: the maximum delay of a change on an idle node. */
  readonly pollMs: number;
  /** Duration of a lease. */
  readonly leaseMs: number;
  /** Delay after the first failure; doubled with each further one, up to `lastBackoffMs`. */
  readonly firstBackoffMs: number;
  readonly lastBackoffMs: number;
  /** Delay before an expired file that records still refer to is tried again. */
  readonly inUseMs: number;
}

const defaultTiming: SchedulerTiming = {
  pollMs: 1_000,
  leaseMs: 30_000,
  firstBackoffMs: 1_000,
  lastBackoffMs: 300_000,
  inUseMs: 3_600_000,
};
/** Changes made at the same time. */
const concurrency = 8;
/** Failures of the server after which the record shows a `scheduleError`. */
const attemptsUntilReported = 10;

/** A running scheduler. */
export interface Scheduler {
  /** Stops after the changes in progress. Never rejects. */
  stop(): Promise<void>;
}

interface DueTimer {
  readonly organizationId: string;
  readonly kind: TimerKind;
  readonly recordId: string;
  readonly parentId: string | null;
  /** In PostgreSQL's text format. */
  readonly dueAt: string;
  readonly attempts: number;
}

/** Whether the organization may publish: it is active, and the module is on. */
interface PublishingState {
  readonly active: boolean;
  readonly modules: readonly string[];
}

const dueRow = defineRow({
  organizationId: text('t.organization_id'),
  kind: text('t.kind'),
  recordId: text('t.record_id'),
  parentId: nullable(text('t.parent_id')),
  dueAt: text('t.due_at'),
  attempts: number('t.attempts'),
});
const claimArticles = claimStatement('claim_article_timers', "n.kind <> 'FILE_EXPIRE'");
const claimFiles = claimStatement('claim_file_timers', "n.kind = 'FILE_EXPIRE'");
const ofTimer = 'organization_id = $1 AND kind = $2 AND record_id = $3';
// A timer that was rescheduled in the meantime has another due time and does not match.
const postpone: Statement = {
  name: 'postpone_timer',
  text: `UPDATE trellis.timers SET available_at = statement_timestamp() + $5::bigint * interval '1 millisecond'
    WHERE ${ofTimer} AND due_at = $4`,
};
const drop: Statement = {
  name: 'drop_timer',
  text: `DELETE FROM trellis.timers WHERE ${ofTimer} AND due_at = $4`,
};
const isDue: Statement = {
  name: 'timer_is_due',
  text: `SELECT FROM trellis.timers WHERE ${ofTimer} AND due_at <= clock_timestamp()`,
};
const publishingRow = defineRow({ status: text('status'), modules: texts('modules') });
const selectPublishingState: Statement = {
  name: 'organization_standing',
  text: `SELECT ${publishingRow.list} FROM trellis.organizations WHERE id = $1`,
};

/** Starts the scheduler. Failures are logged and tried again; it ends only by `stop`. */
export function startScheduler(options: SchedulerOptions): Scheduler {
  const loop = new SchedulerLoop(options);
  const ended = loop.run();
  return {
    stop() {
      loop.stop();
      return ended;
    },
  };
}

class SchedulerLoop {
  private readonly options: SchedulerOptions;
  private readonly timing: SchedulerTiming;
  private readonly pause = new Pause();
  private stopping = false;

  constructor(options: SchedulerOptions) {
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
  }

  stop(): void {
    this.stopping = true;
    this.pause.wake();
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      const taken = await this.take();
      await Promise.all(taken.map((due) => this.makeChange(due)));
      if (taken.length < concurrency && !this.stopping) await this.pause.wait(this.timing.pollMs);
    }
  }

  private async take(): Promise<readonly DueTimer[]> {
    const { worker, log } = this.options;
    const taken: DueTimer[] = [];
    try {
      // Publications must not wait for a hundred thousand files that expire at the same time.
      for (const claim of [claimArticles, claimFiles]) {
        const rest = concurrency - taken.length;
        if (rest === 0) return taken;
        const values = [String(rest), String(this.timing.leaseMs)];
        const [claimed] = await worker.executeInBackground([step(claim, values)]);
        taken.push(...dueRow.all(claimed).map(toDue));
      }
    } catch (error) {
      log.warn({ reason: describeProblem(error) }, 'due timers could not be read; trying again');
    }
    return taken;
  }

  /** Makes one change. Never rejects: a failure is logged, and the change tried again later. */
  private async makeChange(due: DueTimer): Promise<void> {
    const { worker, log } = this.options;
    const detail = { organization: due.organizationId, kind: due.kind, record: due.recordId };
    try {
      const attributes = { 'trellis.organization.id': due.organizationId, 'trellis.change': due.kind };
      const name = 'make timed change';
      if (await traceWork({ name, kind: 'internal', attributes }, () => this.change(due))) return;
      await worker.executeInBackground([step(drop, [...keyOf(due), due.dueAt])]);
    } catch (error) {
      const inUse = (error as DatabaseFailure).code === '23503';
      const delayMs = inUse ? this.timing.inUseMs : this.backoffMs(due.attempts);
      if (inUse) log.info({ ...detail, delayMs }, 'an expired file is kept because records refer to it');
      else log.warn({ ...detail, delayMs, reason: describeProblem(error) }, 'a timed change failed');
      // If this fails as well, the lease expires.
      await worker
        .executeInBackground([step(postpone, [...keyOf(due), due.dueAt, String(delayMs)])])
        .catch(() => undefined);
    }
  }

  private backoffMs(attempts: number): number {
    return Math.min(this.timing.firstBackoffMs * 2 ** (attempts - 1), this.timing.lastBackoffMs);
  }

  /** Makes the change of a due timer. @returns whether anything was written */
  private async change(due: DueTimer): Promise<boolean> {
    const { api, models, nudge } = this.options;
    const { organizationId, kind, recordId: id, parentId } = due;
    const { resource, decide } = changes[kind];
    return writeAsSystem(
      { database: api, nudge },
      {
        organizationId,
        parentId,
        id,
        model: modelOf(models, resource),
        requestId: newUuid(),
        reads: {
          timer: step(isDue, keyOf(due)),
          publishingState: step(selectPublishingState, [organizationId]),
        },
        decide(before, instant, { timer, publishingState }) {
          if (timer.rows.length !== 1) return null;
          return decide(before, instant, decodePublishingState(publishingState), due.attempts);
        },
      },
    );
  }
}

interface TimedChange {
  /** Name of the resource whose record changes. */
  readonly resource: string;
  /** Decides the change; null: none. `attempts`: how often the timer was leased, including this time. */
  decide(
    before: StoredRecord,
    instant: string,
    publishingState: PublishingState,
    attempts: number,
  ): SystemOutcome | null;
}

/**
 * The change for each kind of timer. Unpublishing and expiry always happen. A publication needs an active organization with
 * the module on, and fails otherwise: nothing is published by surprise when an organization becomes active again.
 */
const changes: Readonly<Record<TimerKind, TimedChange>> = {
  ARTICLE_PUBLISH: {
    resource: articles.name,
    decide(before: ArticleRecord, instant, publishingState, attempts) {
      const refusal = findObstacle(publishingState, attempts);
      return outcomeOf(refusal === null ? publish(before, instant) : failToPublish(before, refusal));
    },
  },
  ARTICLE_UNPUBLISH: {
    resource: articles.name,
    decide(before: ArticleRecord, instant, _standing, attempts) {
      const isReported = attempts === attemptsUntilReported + 1;
      return outcomeOf(
        isReported ? failToUnpublish(before, serverFailure) : unpublishOnTime(before, instant),
      );
    },
  },
  FILE_EXPIRE: {
    resource: knowledgeFiles.name,
    decide: () => ({ decision: 'remove', steps: [] }),
  },
};

const serverFailure = `The server failed to make the change ${attemptsUntilReported} times.`;

function outcomeOf(decision: Decision | Refusal | null): SystemOutcome | null {
  if (decision instanceof Refusal) throw decision.problem;
  return decision === null ? null : { decision, steps: [] };
}

function findObstacle({ active, modules }: PublishingState, attempts: number): string | null {
  if (!active) return 'The organization was suspended when it was due.';
  if (!modules.includes(articles.module)) {
    return `The module "${articles.module}" was switched off when it was due.`;
  }
  return attempts > attemptsUntilReported ? serverFailure : null;
}

/** Publishes an article; when a rule refuses it, the record shows why. */
function publish(before: ArticleRecord, instant: string): Decision<ArticleRecord['values']> | null {
  const decided = publishOnTime(before, instant);
  if (!(decided instanceof Refusal)) return decided;
  const { errors, message } = decided.problem;
  return failToPublish(before, errors?.[0]?.detail ?? message);
}

/** The statement that leases due timers of some kinds. */
function claimStatement(name: string, kinds: string): Statement {
  return {
    name,
    text: `WITH picked AS MATERIALIZED (
        SELECT n.organization_id, n.kind, n.record_id FROM trellis.timers n
        WHERE n.available_at <= statement_timestamp() AND ${kinds}
        ORDER BY n.available_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      UPDATE trellis.timers t
      SET available_at = statement_timestamp() + $2::bigint * interval '1 millisecond', attempts = attempts + 1
      FROM picked p
      WHERE (t.organization_id, t.kind, t.record_id) = (p.organization_id, p.kind, p.record_id)
      RETURNING ${dueRow.list}`,
  };
}

function keyOf({ organizationId, kind, recordId }: DueTimer): string[] {
  return [organizationId, kind, recordId];
}

function toDue(timer: ReturnType<typeof dueRow.read>): DueTimer {
  const kind = timerKinds.find((candidate) => candidate === timer.kind);
  if (kind === undefined) throw new Error(`a timer has the unknown kind ${timer.kind}`);
  return { ...timer, kind };
}

function decodePublishingState(result: StepResult | undefined): PublishingState {
  const organization = publishingRow.first(result);
  return { active: organization?.status === 'ACTIVE', modules: organization?.modules ?? [] };
}
