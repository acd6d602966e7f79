/**
 * Makes changes that were set for an instant. Any number of nodes look for timers that are due; one takes each by a lease
 * and makes the change through the pipeline. The timer is read again under the record's lock and deleted with the change, so
 * that two nodes, or a node that was away for longer than its lease, cannot make it twice.
 */

import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { StoredRecord } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Logger } from 'pino';
import { type DatabaseFailure, type Row, type Statement, type StepResult, step } from '../database/batch.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { parseTextArray } from '../database/values.ts';
import { Pause } from '../events/pause.ts';
import { type Decision, type Models, modelOf } from '../pipeline/model.ts';
import { Refusal } from '../pipeline/write/plan.ts';
import { type SystemOutcome, writeAsSystem } from '../pipeline/write/system.ts';
import {
  failToPublish,
  failToUnpublish,
  publishOnTime,
  unpublishOnTime,
} from '../resources/articles/rules.ts';
import { type TimerKind, timerKinds } from '../resources/timers.ts';

/** What the scheduler is given by the process that it runs in. */
export interface SchedulerOptions {
  /** As the background role: finds what is due in all organizations. */
  readonly worker: Database;
  /** As the serving role: changes records of one. */
  readonly api: Database;
  readonly models: Models;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  readonly log: Logger;
  readonly timing?: Partial<SchedulerTiming>;
}

/** All in ms. */
export interface SchedulerTiming {
  /** How often timers are looked at: how late a change may be on an idle node. */
  readonly pollMs: number;
  /** How long a timer belongs to the node that took it. */
  readonly leaseMs: number;
  /** Until the next attempt after the first failure; doubled with each further one, up to the last. */
  readonly firstBackoffMs: number;
  readonly lastBackoffMs: number;
  /** Until a file that records still refer to is tried again. */
  readonly inUseMs: number;
}

const defaultTiming: SchedulerTiming = {
  pollMs: 1_000,
  leaseMs: 30_000,
  firstBackoffMs: 1_000,
  lastBackoffMs: 300_000,
  inUseMs: 3_600_000,
};
/** Changes made side by side. */
const concurrency = 8;
/** Failures of our own after which the record tells of it. */
const attemptsUntilTold = 10;

/** Timed changes, until they are stopped. */
export interface Scheduler {
  /** Finishes what is under way. Never rejects. */
  stop(): Promise<void>;
}

interface Due {
  readonly organizationId: string;
  readonly kind: TimerKind;
  readonly recordId: string;
  readonly parentId: string | null;
  /** As the database writes it. */
  readonly dueAt: string;
  readonly attempts: number;
}

/** Whether the organization may publish: it is active, and the module is on. */
interface Standing {
  readonly active: boolean;
  readonly modules: readonly string[];
}

const claimArticles = claimStatement('claim_article_timers', "n.kind <> 'FILE_EXPIRE'");
const claimFiles = claimStatement('claim_file_timers', "n.kind = 'FILE_EXPIRE'");
const ofTimer = 'organization_id = $1 AND kind = $2 AND record_id = $3';
// One that was set anew meanwhile is another one, and stays as it is.
const postpone: Statement = {
  name: 'postpone_timer',
  text: `UPDATE trellis.timers SET available_at = clock_timestamp() + $5::bigint * interval '1 millisecond'
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
const readStanding: Statement = {
  name: 'organization_standing',
  text: 'SELECT status, modules FROM trellis.organizations WHERE id = $1',
};

/** Starts to make changes that are due. Failures are logged and tried again; it ends only by `stop`. */
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
      await Promise.all(taken.map((due) => this.carryOut(due)));
      if (taken.length < concurrency && !this.stopping) await this.pause.wait(this.timing.pollMs);
    }
  }

  private async take(): Promise<readonly Due[]> {
    const { worker, log } = this.options;
    try {
      const lease = String(this.timing.leaseMs);
      const [first] = await worker.executeInBackground([step(claimArticles, [String(concurrency), lease])]);
      const articles = (first?.rows ?? []).map(decodeDue);
      if (articles.length === concurrency) return articles;
      // Who waits for a publication must not wait for a hundred thousand files that expire at once.
      const rest = String(concurrency - articles.length);
      const [second] = await worker.executeInBackground([step(claimFiles, [rest, lease])]);
      return [...articles, ...(second?.rows ?? []).map(decodeDue)];
    } catch (error) {
      log.warn({ reason: describeProblem(error) }, 'timers could not be looked at; it is tried again');
      return [];
    }
  }

  /** Makes one change. Never rejects: what fails is logged, and tried again later. */
  private async carryOut(due: Due): Promise<void> {
    const { worker, log } = this.options;
    const detail = { organization: due.organizationId, kind: due.kind, record: due.recordId };
    try {
      if (await this.change(due)) return;
      await worker.executeInBackground([step(drop, [...keyOf(due), due.dueAt])]);
    } catch (error) {
      const inUse = (error as DatabaseFailure).code === '23503';
      const delayMs = inUse ? this.timing.inUseMs : this.backoffMs(due.attempts);
      if (inUse)
        log.info({ ...detail, delayMs }, 'a file that expired is in use, and is kept as long as it is');
      else log.warn({ ...detail, delayMs, reason: describeProblem(error) }, 'a timed change failed');
      // When this fails as well, the lease runs out by itself.
      await worker
        .executeInBackground([step(postpone, [...keyOf(due), due.dueAt, String(delayMs)])])
        .catch(() => undefined);
    }
  }

  private backoffMs(attempts: number): number {
    return Math.min(this.timing.firstBackoffMs * 2 ** (attempts - 1), this.timing.lastBackoffMs);
  }

  /** @returns whether anything was written */
  private async change(due: Due): Promise<boolean> {
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
        reads: { timer: step(isDue, keyOf(due)), standing: step(readStanding, [organizationId]) },
        decide(before, instant, { timer, standing }) {
          if (timer.rows.length !== 1) return null;
          return decide(before, instant, readStandingRow(standing), due.attempts);
        },
      },
    );
  }
}

interface TimedChange {
  /** Name of the resource whose record changes. */
  readonly resource: string;
  /** What becomes of the record; null: nothing. `attempts`: how often it was taken, this time included. */
  decide(before: StoredRecord, instant: string, standing: Standing, attempts: number): SystemOutcome | null;
}

/**
 * What takes away happens in any case. What shows something to readers needs the same standing as if somebody asked for it
 * now, and is told to have failed otherwise: nothing comes out by surprise when an organization is active again.
 */
const changes: Readonly<Record<TimerKind, TimedChange>> = {
  ARTICLE_PUBLISH: {
    resource: articles.name,
    decide(before, instant, standing, attempts) {
      const refusal = whyNot(standing, attempts);
      return outcomeOf(refusal === null ? publish(before, instant) : failToPublish(before, refusal));
    },
  },
  ARTICLE_UNPUBLISH: {
    resource: articles.name,
    decide(before, instant, _standing, attempts) {
      const told = attempts === attemptsUntilTold + 1;
      return outcomeOf(told ? failToUnpublish(before, ourFailure) : unpublishOnTime(before, instant));
    },
  },
  FILE_EXPIRE: {
    resource: knowledgeFiles.name,
    decide: () => ({ decision: 'remove', steps: [] }),
  },
};

const ourFailure = `The server could not make the change, ${attemptsUntilTold} times.`;

function outcomeOf(decision: Decision | Refusal | null): SystemOutcome | null {
  if (decision instanceof Refusal) throw decision.problem;
  return decision === null ? null : { decision, steps: [] };
}

function whyNot({ active, modules }: Standing, attempts: number): string | null {
  if (!active) return 'The organization was suspended when it was due.';
  if (!modules.includes(articles.module)) {
    return `The module "${articles.module}" was switched off when it was due.`;
  }
  return attempts > attemptsUntilTold ? ourFailure : null;
}

/** A publication that a rule refuses is told on the record. */
function publish(before: StoredRecord, instant: string): Decision | null {
  const decided = publishOnTime(before, instant);
  if (!(decided instanceof Refusal)) return decided;
  const { errors, message } = decided.problem;
  return failToPublish(before, errors?.[0]?.detail ?? message);
}

/** Takes timers of some kinds by a lease. */
function claimStatement(name: string, kinds: string): Statement {
  return {
    name,
    text: `WITH picked AS MATERIALIZED (
        SELECT n.organization_id, n.kind, n.record_id FROM trellis.timers n
        WHERE n.available_at <= clock_timestamp() AND ${kinds}
        ORDER BY n.available_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      UPDATE trellis.timers t
      SET available_at = clock_timestamp() + $2::bigint * interval '1 millisecond', attempts = attempts + 1
      FROM picked p
      WHERE (t.organization_id, t.kind, t.record_id) = (p.organization_id, p.kind, p.record_id)
      RETURNING t.organization_id, t.kind, t.record_id, t.parent_id, t.due_at, t.attempts`,
  };
}

function keyOf({ organizationId, kind, recordId }: Due): string[] {
  return [organizationId, kind, recordId];
}

function decodeDue([organizationId, kind, recordId, parentId, dueAt, attempts]: Row): Due {
  const known = timerKinds.find((candidate) => candidate === kind);
  if (known === undefined) throw new Error(`a timer has the unknown kind ${String(kind)}`);
  return {
    organizationId: organizationId ?? '',
    kind: known,
    recordId: recordId ?? '',
    parentId: parentId ?? null,
    dueAt: dueAt ?? '',
    attempts: Number(attempts),
  };
}

function readStandingRow(result: StepResult | undefined): Standing {
  const [status, modules] = result?.rows[0] ?? [];
  return { active: status === 'ACTIVE', modules: parseTextArray(modules ?? '{}') };
}
