/**
 * Why: what a node does without being asked: relaying events, reading new files, tidying up. Each is safe on several nodes at once,
 * and ends when the node does.
 */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type ExtractionService, startExtraction } from './content/extraction-service.ts';
import { createModels } from './content/models.ts';
import { sweepGraceMs, sweepObjects } from './content/object-sweep.ts';
import { startScheduler } from './content/scheduler.ts';
import type { Database } from './database/database.ts';
import { describeProblem } from './database/failures.ts';
import { startForwarding } from './event-forwarding.ts';
import { Arrivals } from './events/arrivals.ts';
import type { Forwarder } from './events/forwarder.ts';
import { startRelay } from './events/relay.ts';
import { startRetention } from './events/retention.ts';
import { type Installation, openDatabase } from './installation.ts';
import { defaultExtractionLimits } from './knowledge/extraction.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { modelOf } from './pipeline/model.ts';
import { knowledgeFiles } from './resources/knowledge-files.ts';
import { sweepVisitors } from './visitors/sweep.ts';
import { type Delivery, startDelivery } from './webhooks/delivery.ts';
import { fanOutToWebhooks } from './webhooks/fan-out.ts';
import { startDeliveryRetention } from './webhooks/retention.ts';
import type { WebhookSettings } from './webhooks/settings.ts';

/** The background work of a node. */
export interface Background {
  /** To be called after a commit that appended events: there may be something to do. */
  readonly nudge: () => void;
  /** Tells when events were logged in this process. */
  readonly arrivals: Arrivals;
  /** Begins to call webhook endpoints, and to forward events if configured. `origin`: public address of the server, known once it listens. */
  deliver(origin: string): void;
  stop(): Promise<void>;
}

/** How often extraction looks for work that it was not told of, in ms. */
const extractionPollMs = 2_000;
/** How often unreferenced contents, and expired visitors, are looked for, in ms. */
const contentSweepMs = 3_600_000;
const visitorSweepMs = 600_000;

/** Starts it. Without the URL of the background role there is none, which is said once. */
export function startBackground(
  config: Config,
  installation: Installation,
  api: Database,
  objects: ObjectStore,
  webhooks: WebhookSettings,
  log: Logger,
): Background {
  const contents = repeat('unreferenced file contents', contentSweepMs, log, (signal) =>
    sweepObjects({ api, objects, graceMs: sweepGraceMs, now: Date.now(), signal, log }),
  );
  const arrivals = new Arrivals();
  if (installation.urls.worker === null) {
    log.warn(
      'TRELLIS_DATABASE_WORKER_URL is not set: this node relays no events, calls no webhooks, extracts no texts of files and deletes no expired visitors',
    );
    return { nudge: () => undefined, arrivals, deliver: () => undefined, stop: contents.stop };
  }
  const warn = (message: string, detail: Record<string, unknown>) => log.warn(detail, message);
  const open = (name: string, poolSize: number) =>
    openDatabase(config, installation.urls.worker ?? '', { poolSize, name, log: warn });
  const worker = open('trellis background', 2);
  // A connection of its own: events must not wait for other background work.
  const relayDatabase = open('trellis relay', 1);
  // Taking deliveries must not wait for other background work either.
  const deliveryDatabase = open('trellis delivery', 3);
  const models = createModels();
  let delivery: Delivery | null = null;
  let forwarder: Forwarder | null = null;
  const deliveries = startDeliveryRetention({ worker, log: warn });
  const relay = startRelay({
    database: relayDatabase,
    fanOut: fanOutToWebhooks,
    logged() {
      arrivals.tell();
      delivery?.nudge();
      forwarder?.nudge();
    },
    log: warn,
  });
  const retention = startRetention({
    database: worker,
    retentionDays: Math.floor(config.eventRetentionSeconds / 86_400),
    log: warn,
  });
  const visitors = repeat('expired visitors', visitorSweepMs, log, async () => {
    const swept = await sweepVisitors(worker, new Date());
    if (swept.visitors + swept.identifications > 0) log.info(swept, 'expired visitors were deleted');
  });
  const extraction: ExtractionService = startExtraction({
    worker,
    api,
    objects,
    model: modelOf(models, knowledgeFiles.name),
    limits: defaultExtractionLimits,
    pollMs: extractionPollMs,
    nudge: () => relay.nudge(),
    log,
  });
  const scheduler = startScheduler({ worker, api, models, nudge: () => relay.nudge(), log });
  return {
    nudge() {
      relay.nudge();
      extraction.nudge();
    },
    arrivals,
    deliver(origin) {
      delivery = startDelivery({
        worker: deliveryDatabase,
        api,
        models,
        ...webhooks,
        origin,
        nudge: () => relay.nudge(),
        log: warn,
      });
      forwarder = startForwarding(config, open, origin, warn);
    },
    async stop() {
      const loops = [
        scheduler,
        extraction,
        contents,
        visitors,
        retention,
        deliveries,
        ...(delivery ? [delivery] : []),
      ];
      await Promise.all(loops.map((loop) => loop.stop()));
      // Last: what the others did is still told.
      await relay.stop();
      await forwarder?.stop();
      await Promise.all([worker, relayDatabase, deliveryDatabase].map((database) => database.close()));
    },
  };
}

/** Repeats work until stopped; what fails is logged, and tried again the next time. */
function repeat(
  what: string,
  intervalMs: number,
  log: Logger,
  work: (signal: AbortSignal) => Promise<unknown>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const once = () =>
    work(stopping.signal).catch((error: unknown) => {
      log.warn({ reason: describeProblem(error) }, `${what} could not be removed; it is tried again later`);
    });
  let running: Promise<unknown> = once();
  const timer = setInterval(() => {
    running = running.then(once);
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
