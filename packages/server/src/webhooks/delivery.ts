/**
 * Why: events reach receivers by this loop, on any number of nodes at once. It takes what is due, makes the calls side by
 * side, and records what came of each. It may be killed at any moment: a delivery without a recorded result is made
 * again, under the same id, by whoever finds its lease run out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import type { Database } from '../database/database.ts';
import { describeProblem } from '../database/failures.ts';
import { eventIdPrefix } from '../events/cloud-event.ts';
import { Pause } from '../events/pause.ts';
import { SealBrokenError } from '../lib/sealer.ts';
import { type Models, modelOf } from '../pipeline/model.ts';
import { writeAsSystem } from '../pipeline/system-write.ts';
import type { AddressGuard } from './address-guard.ts';
import { buildPayload } from './payload.ts';
import {
  type ClaimedDelivery,
  claimDueDeliveries,
  giveDeliveryBack,
  goneStatus,
  isTest,
  maxInFlightPerEndpoint,
  recordFailure,
  recordSuccess,
} from './queue.ts';
import { nextDelayMs } from './schedule.ts';
import type { SecretSealer } from './sealing.ts';
import { type CallOutcome, callDeadlineMs, sendCall } from './sender.ts';
import { signatureHeaders } from './signatures.ts';

export interface DeliveryOptions {
  /** Pool of the role `trellis_worker`: takes deliveries of all organizations and records results. */
  readonly worker: Database;
  /** Pool of the role `trellis_api`: reads records of full payloads, and disables endpoints. */
  readonly api: Database;
  readonly models: Models;
  readonly guard: AddressGuard;
  readonly sealer: SecretSealer;
  /** Public origin of the server, without a slash at the end; of `TRELLIS_BASE_URL`. */
  readonly origin: string;
  /** Called after a commit that appended events. */
  readonly nudge: () => void;
  readonly log: (message: string, detail: Record<string, unknown>) => void;
  /** Called once for each attempt that was made, or failed on our side. */
  readonly ended?: (outcome: DeliveryOutcome) => void;
  readonly timing?: Partial<DeliveryTiming>;
  /** Calls under way at the same time. */
  readonly concurrency?: number;
}

/**
 * What became of an attempt: `retried` and `failed` were not taken by the receiver, with another attempt to come or
 * without; `postponed` failed on our side.
 */
export type DeliveryOutcome = 'succeeded' | 'retried' | 'failed' | 'postponed';

/** All in ms. */
export interface DeliveryTiming {
  /** How often the table is looked at without a nudge. */
  readonly pollMs: number;
  /** From the lookup of a name to the last byte. */
  readonly deadlineMs: number;
  /** How long a delivery belongs to the node that took it: longer than the deadline and what is done around it. */
  readonly leaseMs: number;
  /** How long a stopping loop waits for calls that are under way. */
  readonly graceMs: number;
}

const defaultTiming: DeliveryTiming = {
  pollMs: 250,
  deadlineMs: callDeadlineMs,
  leaseMs: 2 * callDeadlineMs,
  graceMs: 5_000,
};
/** So many that a few dozen endpoints that hang do not use them up. */
const defaultConcurrency = 128;
/** Rest after a failure of our own, in ms. */
const backoffMs = 2_000;
const userAgent = 'Trellis-Webhooks/1';

/** Deliveries, until they are stopped. */
export interface Delivery {
  /** Says that there may be something to deliver. */
  nudge(): void;
  /** Takes nothing more, waits for calls under way for a while, and gives the rest back. Never rejects. */
  stop(): Promise<void>;
}

/** Starts the loop. Failures are logged and tried again; it ends only by `stop`. */
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
  private readonly underWay = new Set<Promise<void>>();
  private readonly aborting = new AbortController();
  private stopping = false;

  constructor(options: DeliveryOptions) {
    this.options = options;
    this.timing = { ...defaultTiming, ...options.timing };
    this.concurrency = options.concurrency ?? defaultConcurrency;
  }

  nudge(): void {
    this.pause.callUp();
  }

  stop(): void {
    this.stopping = true;
    this.pause.callUp();
  }

  async run(): Promise<void> {
    while (!this.stopping) {
      const free = Math.floor((this.concurrency - this.underWay.size) / maxInFlightPerEndpoint);
      let claimed: readonly ClaimedDelivery[] = [];
      let restMs = this.timing.pollMs;
      if (free > 0) {
        try {
          claimed = await claimDueDeliveries(this.options.worker, free, this.timing.leaseMs);
        } catch (error) {
          this.options.log('deliveries could not be taken; it is tried again', {
            reason: describeProblem(error),
          });
          restMs = backoffMs;
        }
      }
      for (const delivery of claimed) this.begin(delivery);
      if (claimed.length === 0 && !this.stopping) await this.pause.rest(restMs);
    }
    await this.finish();
  }

  /** Lets calls under way end, and after a while makes them. */
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
      // The endpoint has a free slot again, and so has the node.
      this.pause.callUp();
    });
    this.underWay.add(work);
  }

  /** One attempt. Never rejects: what fails on our side leaves the lease to run out. */
  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const { log, ended } = this.options;
    const detail = { endpoint: delivery.endpointId, event: delivery.eventId };
    try {
      const outcome = await this.attempt(delivery);
      if (outcome !== null) ended?.(outcome);
    } catch (error) {
      ended?.('postponed');
      const problem =
        error instanceof SealBrokenError
          ? 'a delivery waits: the secret of its endpoint was sealed under another TRELLIS_CURSOR_KEY; set that one, or rotate the secret'
          : 'a delivery failed on our side and is made again';
      log(problem, { ...detail, reason: describeProblem(error) });
    }
  }

  /** Makes the call and records its result; null when it was given back. */
  private async attempt(delivery: ClaimedDelivery): Promise<DeliveryOutcome | null> {
    const { worker } = this.options;
    const attemptedAt = new Date().toISOString();
    const outcome = await this.call(delivery);
    if (outcome === null) return null;
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

  /** Makes the call; null when it was not made, or not ended, for a reason of our own: then the delivery is given back. */
  private async call(delivery: ClaimedDelivery): Promise<CallOutcome | null> {
    const { sealer, guard, worker } = this.options;
    const { signal } = this.aborting;
    let body: string;
    let secrets: readonly string[];
    try {
      secrets = delivery.secrets.map((sealed) => sealer.open(sealed, delivery));
      body = await buildPayload(this.options, delivery);
    } catch (error) {
      await giveDeliveryBack(worker, delivery, 60_000);
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
      await giveDeliveryBack(worker, delivery, 0);
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
        decide({ values }) {
          // Somebody was faster, or has entered another address, which has not been asked yet.
          if (values.status !== 'ENABLED' || values.url !== url) return null;
          const changed = { ...values, status: 'DISABLED', disabledReason: reason };
          return { decision: { values: changed, events: ['disabled'] }, steps: [] };
        },
      },
    );
    if (disabled) log('a webhook endpoint was disabled', { endpoint: endpointId, reason });
  }
}
