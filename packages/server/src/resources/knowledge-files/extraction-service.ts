/**
 * Extracts the texts of files after their upload, a few at a time, on any number of nodes. What a file cannot be read for is
 * told once; what fails on our side is tried again.
 */

import type { Values } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { Pause } from '../../events/pause.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Model } from '../../pipeline/model.ts';
import { languageOf } from '../../pipeline/search-texts.ts';
import { writeAsSystem } from '../../pipeline/write/system.ts';
import { textSteps } from './extracted-text.ts';
import { type ExtractedText, ExtractionError, type ExtractionLimits, extractText } from './extraction.ts';
import { claimJob, type ExtractionJob, removeJobStep, setJobDue } from './extraction-queue.ts';

/** What extraction needs of the process that it runs in. */
export interface ExtractionServiceOptions {
  /** As the background role: finds work in all organizations. */
  readonly worker: Database;
  /** As the serving role: changes records of one. */
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly model: Model;
  readonly limits: ExtractionLimits;
  /** Files that are read at once, one process of up to `limits.memoryMegabytes` each; 2 when absent. */
  readonly slots?: number;
  /** How often to look for work that nobody told of, in ms. */
  readonly pollMs: number;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  /** Called once for each attempt. */
  readonly ended?: (outcome: ExtractionOutcome) => void;
  readonly log: Logger;
}

/** What became of an attempt to read a file; `postponed` failed on our side. */
export type ExtractionOutcome = 'ready' | 'failed' | 'postponed';

export interface ExtractionService {
  /** Looks for work at once. */
  nudge(): void;
  /** Gives up what is under way (another node, or the next start, begins it again) and ends. */
  stop(): Promise<void>;
}

const defaultSlots = 2;
/** Attempts that the machine may fail at before the file is told to have failed. */
const maxAttempts = 5;
const secondsBetweenAttempts = 30;
/** How long a taken file is left to its node, and how often the node says that it is still at it. */
const leaseSeconds = 60;
const renewalMs = 20_000;

/** Starts to extract, until stopped. */
export function startExtraction(options: ExtractionServiceOptions): ExtractionService {
  const extraction = new Extraction(options);
  return {
    nudge: () => extraction.nudge(),
    stop: () => extraction.stop(),
  };
}

class Extraction {
  private readonly options: ExtractionServiceOptions;
  private readonly stopping = new AbortController();
  private readonly pause = new Pause();
  /** Organization of each file that is being read. */
  private readonly reading = new Map<Promise<void>, string>();
  private readonly slots: number;
  private readonly ended: Promise<void>;

  constructor(options: ExtractionServiceOptions) {
    this.options = options;
    this.slots = options.slots ?? defaultSlots;
    this.ended = this.run();
  }

  nudge(): void {
    this.pause.wake();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.pause.wake();
    await this.ended;
    await Promise.all(this.reading.keys());
  }

  /** Takes files one after the other as slots get free, so that each choice knows of those before it. */
  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const job = this.reading.size < this.slots ? await this.take() : null;
      if (job === null) await this.pause.wait(this.options.pollMs);
      else this.begin(job);
    }
  }

  private async take(): Promise<ExtractionJob | null> {
    try {
      return await claimJob(this.options.worker, leaseSeconds, this.servedOrganizations());
    } catch (error) {
      if (!this.stopping.signal.aborted) {
        this.options.log.warn({ err: error }, 'files to be read could not be looked for; it is tried again');
      }
      return null;
    }
  }

  /** Organizations that have their share of the slots: half of them, but at least one. */
  private servedOrganizations(): string[] {
    const share = Math.max(1, Math.floor(this.slots / 2));
    const counts = new Map<string, number>();
    for (const id of this.reading.values()) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= share).map(([id]) => id);
  }

  private begin(job: ExtractionJob): void {
    const reading = work(this.options, job, this.stopping.signal).finally(() => {
      this.reading.delete(reading);
      // The slot, or the organization's share, is free.
      this.pause.wake();
    });
    this.reading.set(reading, job.organizationId);
  }
}

/** Reads one file and writes what came of it. Never rejects. */
async function work(
  options: ExtractionServiceOptions,
  job: ExtractionJob,
  stopping: AbortSignal,
): Promise<void> {
  const { log } = options;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    // Where the database cannot be asked, the lease may run out; who writes first wins then.
    setJobDue(options.worker, job, leaseSeconds).then(
      (isOurs) => isOurs || lost.abort(new Error('the content was replaced or deleted')),
      () => undefined,
    );
  }, renewalMs);
  try {
    const outcome = await readFile(options, job, AbortSignal.any([stopping, lost.signal]));
    await finish(options, job, outcome);
    options.ended?.('text' in outcome ? 'ready' : 'failed');
  } catch (error) {
    if (lost.signal.aborted) return;
    await giveBack(options, job, stopping.aborted ? 0 : secondsBetweenAttempts * job.attempts);
    if (stopping.aborted) return;
    options.ended?.('postponed');
    log.warn({ err: error, fileId: job.fileId }, 'extraction failed; it is tried again');
  } finally {
    clearInterval(renewal);
  }
}

type Outcome = { readonly text: ExtractedText } | { readonly reason: string };

/** The text, or why there is none; throws what says nothing about the file. */
async function readFile(
  { objects, limits, log }: ExtractionServiceOptions,
  job: ExtractionJob,
  signal: AbortSignal,
): Promise<Outcome> {
  if (job.attempts > maxAttempts) {
    return { reason: 'The server could not read the file, several times. Try it again later.' };
  }
  const file = await objects.borrow(job.organizationId, job.sha256, signal);
  try {
    return { text: await extractText(file.path, job.mediaType, limits, signal) };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    log.info({ fileId: job.fileId, reason: error.reason }, 'no text was extracted');
    return { reason: error.message };
  } finally {
    await file.release();
  }
}

async function finish(
  options: ExtractionServiceOptions,
  job: ExtractionJob,
  outcome: Outcome,
): Promise<void> {
  const { worker, api, model, nudge } = options;
  const { organizationId, fileId, contentVersion } = job;
  const written = await writeAsSystem(
    { database: api, nudge },
    {
      organizationId,
      parentId: null,
      id: fileId,
      model,
      requestId: newUuid(),
      reads: {},
      decide(before) {
        // The content was replaced meanwhile: its own job takes care of that.
        const { values } = before;
        if (values.contentVersion !== contentVersion || values.status !== 'PROCESSING') return null;
        const found = 'text' in outcome;
        return {
          decision: {
            values: { ...values, ...(found ? readyValues(outcome.text) : failedValues(outcome.reason)) },
            events: [found ? 'ready' : 'failed'],
          },
          steps: [
            ...(found
              ? textSteps(organizationId, fileId, outcome.text, languageOf(model.resource, values))
              : []),
            removeJobStep(job),
          ],
        };
      },
    },
  );
  if (!written) await worker.executeInBackground([removeJobStep(job)]);
}

async function giveBack(
  { worker, log }: ExtractionServiceOptions,
  job: ExtractionJob,
  seconds: number,
): Promise<void> {
  try {
    await setJobDue(worker, job, seconds);
  } catch (error) {
    log.warn({ err: error }, 'an extraction could not be given back; its lease ends by itself');
  }
}

function readyValues({ pageCount, characters }: ExtractedText): Values {
  return { status: 'READY', failureReason: null, pageCount, extractedCharacters: characters };
}

function failedValues(reason: string): Values {
  return { status: 'FAILED', failureReason: reason, pageCount: null, extractedCharacters: null };
}
