/**
 * The delivery loop: claims due deliveries, sends them concurrently and records the results, on any number of nodes at
 * once. It may be killed at any moment: a delivery without a recorded result is sent again under the same id after its
 * lease has expired.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import type { Database } from '../../kernel/database/database.ts';
import { describeProblem } from '../../kernel/database/failures.ts';
import { eventIdPrefix } from '../../kernel/events/cloud-event.ts';
import { Pause } from '../../kernel/events/pause.ts';
import { SealBrokenError } from '../../kernel/lib/sealer.ts';
import { type Span, traceWork } from '../../kernel/lib/tracing.ts';
import { type Models, modelOf } from '../../kernel/pipeline/model.ts';
import { writeAsSystem } from '../../kernel/pipeline/write/system.ts';
import type { AddressGuard } from './address-guard.ts';
import { buildPayload } from './payload.ts';
import {
  type ClaimedDelivery,
  EndpointTurn,
  goneStatus,
  isTest,
  maxInFlightPerEndpoint,
  recordFailure,
  recordSuccess,
  releaseDelivery,
} from './queue.ts';
import { nextDelayMs } from './schedule.ts';
import type { SecretSealer } from './sealing.ts';
import { type CallOutcome, callDeadlineMs, sendCall } from './sender.ts';
import { signatureHeaders } from './signatures.ts';

export interface DeliveryOptions {
  /** Pool of the role `trellis_worker`: claims deliveries, and records their results. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`: reads records of full payloads, and disables endpoints. */
  readonly api: Database;
  readonly models: Models;
  readonly guard: AddressGuard;
  readonly sealer: SecretSealer;
  /** Public origin of the server, without a trailing slash; from `TRELLIS_BASE_URL`. */
  readonly origin: string;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  /** Called once for each attempt that was made or failed on our side. */
  readonly ended?: (outcome: DeliveryOutcome) => void;
  readonly timing?: Partial<DeliveryTiming>;
  /** Maximum number of concurrent calls. */
  readonly concurrency?: number;
}

/**
 * The outcome of an attempt: `retried` and `failed` mean that the receiver did not accept it, with or without another
 * attempt to come; `postponed` means that it failed on our side.
 */
export type DeliveryOutcome = 'succeeded' | 'retried' | 'failed' | 'postponed';

/** Durations in ms. */
interface DeliveryTiming {
  /** How often the queue is polled without a nudge. */
  readonly pollMs: number;
  /** From resolving the name to the last byte. */
  readonly deadlineMs: number;
  /** How long a claimed delivery belongs to the node: longer than the deadline and the work around it. */
  readonly leaseMs: number;
  /** How long stopping waits for calls in progress. */
  readonly graceMs: number;
}

const defaultTiming: DeliveryTiming = {
  pollMs: 250,
  deadlineMs: callDeadlineMs,
  leaseMs: 2 * callDeadlineMs,
  graceMs: 5_000,
};
/** High enough that a few dozen endpoints that hang do not use them all. */
const defaultConcurrency = 128;
/** Delay after a failure of our own, in ms. */
const backoffMs = 2_000;
const userAgent = 'Trellis-Webhooks/1';

/** The loop, running until it is stopped. */
export interface Delivery {
  /** Announces that there may be something to deliver. */
  nudge(): void;
  /** Claims nothing more, waits a while for calls in progress, and releases the rest. Never rejects. */
  stop(): Promise<void>;
}

/** Starts the loop. Failures are logged and retried; it ends only with `stop`. */
export function startDelivery(options: DeliveryOptions): Delivery {
  const loop = new DeliveryLoop(options);
  const ended = loop.run();
  return {
    nudge: () => loop.nudge(),
    stop() {
      loop.stop();
      return ended;
    },
  };
}

class DeliveryLoop {
  private readonly options: DeliveryOptions;
  private readonly timing: DeliveryTiming;
  private readonly concurrency: number;
  private readonly pause = new Pause();
  private readonly turn = new EndpointTurn();
  private readonly underWay = new Set<Promise<void>>();
  private readonly aborting = new AbortController();
  private stopping = false;

  constructor(options: DeliveryOptions) {
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
    this.concurrency = options.concurrency ?? defaultConcurrency;
  }

  nudge(): void {
    this.pause.wake();
  }

  stop(): void {
    this.stopping = true;
    this.pause.wake();
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      let isIdle = true;
      let restMs = this.timing.pollMs;
      try {
        if (this.free() > 0) isIdle = await this.claim();
      } catch (error) {
        this.options.log('Deliveries could not be claimed; it will be tried again', {
          reason: describeProblem(error),
        });
        isIdle = true;
        restMs = backoffMs;
      }
      if (isIdle && !this.stopping) await this.pause.wait(restMs);
    }
    await this.finish();
  }

  /** Of how many endpoints deliveries may be claimed now. */
  private free(): number {
    return Math.floor((this.concurrency - this.underWay.size) / maxInFlightPerEndpoint);
  }

  /** Claims deliveries and begins them. @returns whether a turn has ended in which there were none */
  private async claim(): Promise<boolean> {
    const claimed = await this.turn.claim(this.options.worker, this.free(), this.timing.leaseMs);
    for (const delivery of claimed) this.begin(delivery);
    return this.turn.wasIdle;
  }

  /** Waits for calls in progress and aborts them when time is up. */
  private async finish(): Promise<void> {
    const ended = Promise.all(this.underWay);
    const timer = new AbortController();
    await Promise.race([
      ended,
      sleep(this.timing.graceMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    this.aborting.abort();
    await ended;
  }

  private begin(delivery: ClaimedDelivery): void {
    const work = this.deliver(delivery).finally(() => {
      this.underWay.delete(work);
      // The endpoint and the node each have a free slot again.
      this.pause.wake();
    });
    this.underWay.add(work);
  }

  /** Makes one attempt. Never rejects: after a failure on our side the lease expires. */
  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { log, ended } = this.options;
    const detail = { endpoint: delivery.endpointId, event: delivery.eventId };
    try {
      const attributes = {
        'trellis.organization.id': delivery.organizationId,
        'trellis.webhook_endpoint.id': delivery.endpointId,
      };
      const outcome = await traceWork(
        { name: 'deliver webhook', kind: 'client', attributes },
        async (span) => {
          const result = await this.attempt(delivery, span);
          if (result !== null) span?.set({ 'trellis.outcome': result });
          return result;
        },
      );
      if (outcome !== null) ended?.(outcome);
    } catch (error) {
      ended?.('postponed');
      const problem =
        error instanceof SealBrokenError
          ? 'A delivery waits: the secret of its endpoint was sealed under another TRELLIS_CURSOR_KEY. Set that key, or rotate the secret'
          : 'A delivery failed on our side and will be tried again';
      log(problem, { ...detail, reason: describeProblem(error) });
    }
  }

  /** Makes the call and records its result; null when the delivery was released. */
  private async attempt(delivery: ClaimedDelivery, span: Span | null): Promise<DeliveryOutcome | null> {
    const { worker } = this.options;
    const attemptedAt = new Date().toISOString();
    const outcome = await this.call(delivery);
    if (outcome === null) return null;
    if (outcome.status !== null) span?.set({ 'http.response.status_code': outcome.status });
    const result = { outcome, attemptedAt };
    if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {
      await recordSuccess(worker, delivery, result);
      return 'succeeded';
    }
    const delay = isTest(delivery) ? null : nextDelayMs(delivery.failedAttempts + 1, outcome.retryAfterMs);
    const failsAlways = await recordFailure(worker, delivery, result, delay);
    if (isTest(delivery)) return 'failed';
    if (outcome.status === goneStatus) await this.disable(delivery, 'GONE');
    else if (failsAlways) await this.disable(delivery, 'FAILING');
    return delay === null ? 'failed' : 'retried';
  }

  /** Makes the call; null when it was not made or completed for a reason of our own, and the delivery is released. */
  private async call(delivery: ClaimedDelivery): Promise<CallOutcome | null> {
    const { worker, sealer, guard } = this.options;
    const { signal } = this.aborting;
    let body: string;
    let secrets: readonly string[];
    try {
      secrets = delivery.secrets.map((sealed) => sealer.open(sealed, delivery));
      body = await buildPayload(this.options, delivery);
    } catch (error) {
      await releaseDelivery(worker, delivery, 60_000);
      throw error;
    }
    const message = {
      id: encodeId(eventIdPrefix, delivery.eventId),
      timestampSeconds: Math.floor(Date.now() / 1_000),
      body,
    };
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      accept: '*/*',
      ...signatureHeaders(message, secrets),
    };
    const outcome = await sendCall(
      { url: delivery.url, headers, body },
      { guard, signal, deadlineMs: this.timing.deadlineMs },
    );
    if (outcome.status === null && signal.aborted) {
      await releaseDelivery(worker, delivery, 0);
      return null;
    }
    return outcome;
  }

  private async disable(delivery: ClaimedDelivery, reason: 'GONE' | 'FAILING'): Promise<void> {
    const { api, nudge, models, log } = this.options;
    const { organizationId, endpointId, url } = delivery;
    const disabled = await writeAsSystem(
      { database: api, nudge },
      {
        organizationId,
        parentId: null,
        id: endpointId,
        model: modelOf(models, webhookEndpoints.name),
        requestId: newUuid(),
        reads: {},
        decide({ values }) {
          // Another node was first, or the URL has changed since the call.
          if (values.status !== 'ENABLED' || values.url !== url) return null;
          const changed = { ...values, status: 'DISABLED', disabledReason: reason };
          return { decision: { values: changed, events: ['disabled'] }, steps: [] };
        },
      },
    );
    if (disabled) log('Disabled a webhook endpoint', { endpoint: endpointId, reason });
  }
}
