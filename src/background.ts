/**
 * Why: what a node does without being asked: reading new files, and tidying up. Each is safe on several nodes at once,
 * and ends when the node does.
 */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type ExtractionService, startExtraction } from './content/extraction-service.ts';
import { createModels } from './content/models.ts';
import { sweepGraceMs, sweepObjects } from './content/object-sweep.ts';
import type { Database } from './database/database.ts';
import { type Installation, openDatabase } from './installation.ts';
import { defaultExtractionLimits } from './knowledge/extraction.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { modelOf } from './pipeline/model.ts';
import { knowledgeFiles } from './resources/knowledge-files.ts';

/** The background work of a node. */
export interface Background {
  /** To be called after a commit that appended events: there may be something to do. */
  readonly nudge: () => void;
  stop(): Promise<void>;
}

/** How often extraction looks for work that it was not told of, in ms. */
const extractionPollMs = 2_000;
/** How often unreferenced contents are looked for, in ms. */
const sweepIntervalMs = 3_600_000;

/** Starts it. Without the URL of the background role there is none, which is said once. */
export async function startBackground(
  config: Config,
  installation: Installation,
  api: Database,
  objects: ObjectStore,
  log: Logger,
): Promise<Background> {
  const sweep = startSweep(api, objects, log);
  if (installation.urls.worker === null) {
    log.warn('TRELLIS_DATABASE_WORKER_URL is not set: texts of files are not extracted by this node');
    return { nudge: () => undefined, stop: sweep.stop };
  }
  const worker = openDatabase(config, installation.urls.worker, {
    poolSize: 2,
    name: 'trellis background',
    log: (message, detail) => log.warn(detail, message),
  });
  const extraction: ExtractionService = startExtraction({
    worker,
    api,
    objects,
    model: modelOf(createModels(), knowledgeFiles.name),
    limits: defaultExtractionLimits,
    pollMs: extractionPollMs,
    nudge: () => undefined,
    log,
  });
  return {
    nudge: () => extraction.nudge(),
    async stop() {
      await Promise.all([extraction.stop(), sweep.stop()]);
      await worker.close();
    },
  };
}

function startSweep(api: Database, objects: ObjectStore, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const sweep = () => {
    const work = { api, objects, graceMs: sweepGraceMs, now: Date.now(), signal: stopping.signal, log };
    running = sweepObjects(work).catch((error: unknown) => {
      log.warn({ err: error }, 'unreferenced file contents could not be removed; it is tried again later');
    });
  };
  const timer = setInterval(sweep, sweepIntervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
