/**
 * Extracts the texts of files, and reads pictures, after their upload, a few at a time, on any number of nodes. A fault of the file is final;
 * a failure of the server is tried again.
 */

import type { Values } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { isPicture, isWebPicture } from '@trellis/schema/values/pictures.ts';
import type { Logger } from 'pino';
import type { Database } from '../../kernel/database/database.ts';
import { Pause } from '../../kernel/events/pause.ts';
import { traceWork } from '../../kernel/lib/tracing.ts';
import type { ObjectStore } from '../../kernel/objects/object-store.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { languageOf } from '../../kernel/pipeline/search/texts.ts';
import { writeAsSystem } from '../../kernel/pipeline/write/system.ts';
import { indexPages, textSteps } from './extracted-text.ts';
import {
  type ExtractedText,
  ExtractionError,
  type ExtractionLimits,
  extractText,
  isWithoutText,
  type PictureSize,
  readPicture,
} from './extraction.ts';
import { claimJob, type ExtractionJob, removeJobStep, setJobDue } from './extraction-queue.ts';
import { type FileRecord, pathOf } from './rules.ts';

/** What extraction depends on. */
export interface ExtractionServiceOptions {
  /** Pool of the role `trellis_worker`, which finds files. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`, which changes records of one organization. */
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly model: Model;
  readonly limits: ExtractionLimits;
  /** Files that are read at once, one process of up to `limits.memoryMegabytes` each; 2 when absent. */
  readonly slots?: number;
  /** How often to look for work without a nudge, in ms. */
  readonly pollMs: number;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  /** Called once for each attempt. */
  readonly ended?: (outcome: ExtractionOutcome) => void;
  readonly log: Logger;
}

/** The outcome of an attempt. `postponed`: the server failed, and the attempt is repeated. */
export type ExtractionOutcome = 'ready' | 'failed' | 'postponed';

export interface ExtractionService {
  /** Looks for work immediately. */
  nudge(): void;
  /** Stops, and cancels the extractions in progress; another node or the next start repeats them. */
  stop(): Promise<void>;
}

const defaultSlots = 2;
/** Failures of the server after which the file is set to FAILED. */
const maxAttempts = 5;
const secondsBetweenAttempts = 30;
/** How long a lease lasts, and how often it is renewed while the file is read. */
const leaseSeconds = 60;
const renewalMs = 20_000;

/** Starts to extract texts, until stopped. */
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

  /** Takes one file at a time when a slot is free, so that each claim excludes organizations that have their share. */
  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const job = this.reading.size < this.slots ? await this.take() : null;
      if (job === null) await this.pause.wait(this.options.pollMs);
      else this.begin(job);
    }
  }

  private async take(): Promise<ExtractionJob | null> {
    try {
      return await claimJob(this.options.worker, leaseSeconds, this.listSatisfiedOrganizations());
    } catch (error) {
      if (!this.stopping.signal.aborted) {
        this.options.log.warn({ err: error }, 'jobs for extraction could not be claimed; trying again');
      }
      return null;
    }
  }

  /** Organizations that use their share of the slots: half of them, but at least one. */
  private listSatisfiedOrganizations(): string[] {
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

/** Extracts the text of one file and writes the outcome. Never rejects. */
async function work(
  options: ExtractionServiceOptions,
  job: ExtractionJob,
  stopping: AbortSignal,
): Promise<void> {
  const { worker, log } = options;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    // Without the database the lease may expire; then the node that writes first wins.
    setJobDue(worker, job, leaseSeconds).then(
      (isOurs) => isOurs || lost.abort(new Error('the content was replaced or deleted')),
      () => undefined,
    );
  }, renewalMs);
  try {
    const attributes = { 'trellis.organization.id': job.organizationId, 'trellis.file.id': job.fileId };
    const outcome = await traceWork({ name: 'extract text', kind: 'internal', attributes }, async () => {
      const read = await readFile(options, job, AbortSignal.any([stopping, lost.signal]));
      await finish(options, job, read);
      return read;
    });
    options.ended?.('reason' in outcome ? 'failed' : 'ready');
  } catch (error) {
    if (lost.signal.aborted) return;
    await release(options, job, stopping.aborted ? 0 : secondsBetweenAttempts * job.attempts);
    if (stopping.aborted) return;
    options.ended?.('postponed');
    log.warn({ err: error, fileId: job.fileId }, 'extraction failed; trying again');
  } finally {
    clearInterval(renewal);
  }
}

/** The text of a file, or that it has none, as a picture: with its size, or null for one that is not read. */
type Outcome =
  | { readonly text: ExtractedText }
  | { readonly picture: PictureSize | null }
  | { readonly reason: string };

/** Extracts the text or reads the picture, or tells why that cannot be done. @throws errors that are not the file's fault */
async function readFile(
  { objects, limits, log }: ExtractionServiceOptions,
  job: ExtractionJob,
  signal: AbortSignal,
): Promise<Outcome> {
  if (job.attempts > maxAttempts) {
    return { reason: 'The server failed to read the file several times. Try again later.' };
  }
  if (isWithoutText(job.mediaType) && !isPicture(job.mediaType)) return { picture: null };
  const file = await objects.borrow(job.organizationId, job.sha256, signal);
  try {
    if (isPicture(job.mediaType))
      return { picture: await readPicture(file.path, job.mediaType, limits, signal) };
    return { text: await extractText(file.path, job.mediaType, limits, signal) };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    log.info({ fileId: job.fileId, reason: error.reason }, 'no text was extracted');
    // Not every decoder reads all that these formats can have. Then there is no preview, and nothing else is missing.
    if (isPicture(job.mediaType) && !isWebPicture(job.mediaType)) return { picture: null };
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
  const indexed = 'text' in outcome ? await indexPages(organizationId, outcome.text) : null;
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
        // The content was replaced in the meantime and has its own job.
        const { values } = before;
        if (values.contentVersion !== contentVersion || values.status !== 'PROCESSING') return null;
        const found = describe(outcome, organizationId, before as FileRecord);
        return {
          decision: { values: { ...values, ...found.values }, events: found.events },
          steps: [
            ...(indexed === null
              ? []
              : textSteps(organizationId, fileId, indexed, languageOf(model.resource, values))),
            removeJobStep(job),
          ],
        };
      },
    },
  );
  if (!written) await worker.executeInBackground([removeJobStep(job)]);
}

async function release(
  { worker, log }: ExtractionServiceOptions,
  job: ExtractionJob,
  seconds: number,
): Promise<void> {
  try {
    await setJobDue(worker, job, seconds);
  } catch (error) {
    log.warn({ err: error }, 'an extraction could not be released; its lease will expire');
  }
}

/** The values of a file that has been read, and the events. */
function describe(
  outcome: Outcome,
  organizationId: string,
  { id, values }: FileRecord,
): { readonly values: Values; readonly events: readonly string[] } {
  const without = { failureReason: null, pageCount: null, extractedCharacters: null };
  if ('text' in outcome) {
    const { pageCount, characters } = outcome.text;
    const found = { status: 'READY', pageCount, extractedCharacters: characters };
    return { values: { ...without, ...found }, events: ['ready'] };
  }
  if ('reason' in outcome) {
    return { values: { ...without, status: 'FAILED', failureReason: outcome.reason }, events: ['failed'] };
  }
  const picturePath = outcome.picture === null ? null : pathOf(organizationId, id, values);
  const found = { status: 'NOT_APPLICABLE', picturePath, ...outcome.picture };
  return { values: { ...without, ...found }, events: ['updated'] };
}
