/**
 * Why: the text of a file is extracted after its upload, so that nobody waits for it, by whichever node comes first. A
 * node that dies in the middle loses its lease, and another begins again; what a file cannot be read for is told once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { type Row, type Statement, type Step, step } from '../database/flight.ts';
import { textArray } from '../database/values.ts';
import {
  type ExtractedText,
  ExtractionError,
  type ExtractionLimits,
  extractText,
} from '../knowledge/extraction.ts';
import { newUuid } from '../lib/ids.ts';
import { foldText } from '../lib/text.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Model } from '../pipeline/model.ts';
import { languageOf, wordCharacters } from '../pipeline/search-texts.ts';

import { writeAsSystem } from '../pipeline/system-write.ts';
import type { Values } from '../pipeline/values.ts';

/** What extraction needs of its surroundings. */
export interface ExtractionServiceOptions {
  /** As the background role: finds work in all organizations. */
  readonly worker: Database;
  /** As the serving role: changes records of one. */
  readonly api: Database;
  readonly objects: ObjectStore;
  readonly model: Model;
  readonly limits: ExtractionLimits;
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

/** Attempts that the machine may fail at before the file is told to have failed. */
const maxAttempts = 5;
const secondsBetweenAttempts = 30;
/**
 * Characters of text kept in one row. A tsvector tells positions apart up to the 16,383rd, and of one word the first 256
 * (beyond, phrases are not found), and holds at most 1 MiB, which folding a longer text can exceed.
 */
const partCharacters = 20_000;
/** Parts sent in one statement. */
const partsPerStep = 100;

interface Job {
  readonly organizationId: string;
  readonly fileId: string;
  readonly contentVersion: number;
  readonly mediaType: string;
  readonly sha256: string;
  readonly attempts: number;
}

/** A lease lasts longer than an attempt may: its time limit, and as much again for fetching and storing. */
const claim: Statement = {
  name: 'claim_extraction_job',
  text: `UPDATE trellis.extraction_jobs j
    SET available_at = clock_timestamp() + make_interval(secs => $1), attempts = attempts + 1
    WHERE (j.organization_id, j.file_id) = (
      SELECT n.organization_id, n.file_id FROM trellis.extraction_jobs n
      WHERE n.available_at <= clock_timestamp() ORDER BY n.available_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING organization_id, file_id, content_version, media_type, sha256, attempts`,
};
const postpone: Statement = {
  name: 'postpone_extraction_job',
  text: `UPDATE trellis.extraction_jobs SET available_at = clock_timestamp() + make_interval(secs => $4)
    WHERE organization_id = $1 AND file_id = $2 AND content_version = $3`,
};
const removeJob: Statement = {
  name: 'delete_extraction_job',
  text: `DELETE FROM trellis.extraction_jobs WHERE organization_id = $1 AND file_id = $2 AND content_version = $3`,
};
const insertPages: Statement = {
  name: 'insert_knowledge_pages',
  text: `INSERT INTO trellis.knowledge_pages (organization_id, file_id, page, part, text, terms, beyond_entry)
    SELECT $1, $2, page, part, text, to_tsvector('simple', folded), beyond
    FROM unnest($3::integer[], $4::integer[], $5::text[], $6::text[], $7::boolean[])
      AS p (page, part, text, folded, beyond)`,
};
const setTerms: Statement = {
  name: 'set_content_terms',
  text: `INSERT INTO trellis.search_bodies
      (organization_id, type, record_id, edition, parent_id, source, short_terms, terms)
    SELECT s.organization_id, s.type, s.record_id, s.edition, s.parent_id, 0, s.terms,
      trellis.search_terms($4, '', '', $3)
    FROM trellis.search_records s
    WHERE s.organization_id = $1 AND s.type = 'knowledge-file' AND s.record_id = $2
    ON CONFLICT (organization_id, type, record_id, edition)
      DO UPDATE SET short_terms = excluded.short_terms, terms = excluded.terms`,
};

/** Starts to extract, one file at a time, until stopped. */
export function startExtraction(options: ExtractionServiceOptions): ExtractionService {
  const stopping = new AbortController();
  let wake = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const nudged = AbortSignal.any([wake.signal, stopping.signal]);
      const worked = await workOnce(options, stopping.signal);
      if (worked) continue;
      await sleep(options.pollMs, undefined, { signal: nudged, ref: false }).catch(() => undefined);
      if (wake.signal.aborted) wake = new AbortController();
    }
  };
  const ended = loop();
  return {
    nudge: () => wake.abort(),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Does the next piece of work. @returns whether there was any */
async function workOnce(options: ExtractionServiceOptions, signal: AbortSignal): Promise<boolean> {
  const { worker, limits, log } = options;
  let job: Job | null = null;
  try {
    const leaseSeconds = (2 * limits.wallMilliseconds) / 1_000 + 60;
    const [claimed] = await worker.query([step(claim, [String(leaseSeconds)])]);
    job = toJob(claimed?.rows[0]);
    if (job === null) return false;
    const outcome = await readFile(options, job, signal);
    await finish(options, job, outcome);
    options.ended?.('text' in outcome ? 'ready' : 'failed');
    return true;
  } catch (error) {
    if (job !== null)
      await giveBack(options, job, signal.aborted ? 0 : secondsBetweenAttempts * job.attempts);
    if (!signal.aborted) {
      if (job !== null) options.ended?.('postponed');
      log.warn({ err: error, fileId: job?.fileId }, 'extraction failed; it is tried again');
    }
    return false;
  }
}

function toJob(row: Row | undefined): Job | null {
  if (row === undefined) return null;
  const [organizationId, fileId, contentVersion, mediaType, sha256, attempts] = row;
  return {
    organizationId: organizationId ?? '',
    fileId: fileId ?? '',
    contentVersion: Number(contentVersion),
    mediaType: mediaType ?? '',
    sha256: sha256 ?? '',
    attempts: Number(attempts),
  };
}

type Outcome = { readonly text: ExtractedText } | { readonly reason: string };

/** The text, or why there is none; throws what says nothing about the file. */
async function readFile(
  { objects, limits, log }: ExtractionServiceOptions,
  job: Job,
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

async function finish(options: ExtractionServiceOptions, job: Job, outcome: Outcome): Promise<void> {
  const { worker, api, model, nudge } = options;
  const { organizationId, fileId, contentVersion } = job;
  const key = [organizationId, fileId, String(contentVersion)];
  const written = await writeAsSystem(
    { database: api, nudge },
    {
      organizationId,
      parentId: null,
      id: fileId,
      model,
      requestId: newUuid(),
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
            step(removeJob, key),
          ],
        };
      },
    },
  );
  if (!written) await worker.query([step(removeJob, key)]);
}

async function giveBack({ worker, log }: ExtractionServiceOptions, job: Job, seconds: number): Promise<void> {
  const key = [job.organizationId, job.fileId, String(job.contentVersion)];
  try {
    await worker.query([step(postpone, [...key, String(seconds)])]);
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

/** The steps that make a text findable. `language`: the text search configuration by which its words are stemmed. */
export function textSteps(
  organizationId: string,
  fileId: string,
  { pages }: ExtractedText,
  language: string | null,
): Step[] {
  // Folded text may be longer, and it is cut at the same length.
  let end = 0;
  const parts = pages.flatMap((text, index) => {
    const start = end;
    const pieces = splitText(text).map((piece, part) => {
      const folded = foldText(piece);
      end += Math.max(piece.length, folded.length);
      const beyond = end > wordCharacters ? 'true' : 'false';
      return { page: String(index + 1), part: String(part + 1), text: piece, folded, beyond };
    });
    end = Math.max(end, start + text.length) + 1;
    return pieces;
  });
  const steps: Step[] = [];
  for (let start = 0; start < parts.length; start += partsPerStep) {
    const batch = parts.slice(start, start + partsPerStep);
    steps.push(
      step(insertPages, [
        organizationId,
        fileId,
        textArray(batch.map(({ page }) => page)),
        textArray(batch.map(({ part }) => part)),
        textArray(batch.map(({ text }) => text)),
        textArray(batch.map(({ folded }) => folded)),
        textArray(batch.map(({ beyond }) => beyond)),
      ]),
    );
  }
  const whole = foldText(pages.join('\n').slice(0, wordCharacters)).slice(0, wordCharacters);
  return [...steps, step(setTerms, [organizationId, fileId, whole, language])];
}

/** Pieces that one row can hold, cut between words where there is one to cut between. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > partCharacters) {
    const space = rest.lastIndexOf(' ', partCharacters);
    const cut = space > partCharacters / 2 ? space : partCharacters;
    // Never between the halves of a character outside the basic plane.
    const end = /[\ud800-\udbff]/.test(rest.charAt(cut - 1)) ? cut - 1 : cut;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest.trim() === '' ? pieces : [...pieces, rest];
}
