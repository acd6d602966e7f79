/**
 * Verifies received webhook calls as a receiver would, with the library of Standard Webhooks and its limits for the age of
 * a call, and recognizes repeated ones.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { styleText } from 'node:util';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { Webhook } from 'standardwebhooks';

/** The result of one call. */
export interface Delivery {
  readonly receivedAt: string;
  readonly verified: boolean;
  /** Why it is not verified; null when it is. */
  readonly reason: string | null;
  /** `webhook-id`, as it was sent. */
  readonly id: string | null;
  /** How often the id was received, including this time; 0 for a call that is not verified. */
  readonly times: number;
  /** The status that was returned. */
  readonly status: number;
  /** The event; null when the body is not one. */
  readonly event: Readonly<Record<string, unknown>> | null;
}

/** The maximum number of remembered ids. */
const rememberedIds = 10_000;
/** The maximum length of displayed text, which the sender controls. */
const longestShown = 100;

/** Verifies calls with one secret, and counts repetitions. */
export class DeliveryVerifier {
  private readonly webhook: Webhook;
  private readonly status: number;
  private readonly times = new Map<string, number>();

  /** @throws Error when the secret is invalid */
  constructor(secret: string, status: number) {
    this.webhook = new Webhook(secret);
    this.status = status;
  }

  verify(headers: IncomingHttpHeaders, body: string, receivedAt: Date): Delivery {
    const id = textOf(headers['webhook-id']);
    const reason = this.findFault(headers, body);
    const event = parseEvent(body);
    return {
      receivedAt: receivedAt.toISOString(),
      verified: reason === null,
      reason,
      id,
      times: reason === null && id !== null ? this.count(id) : 0,
      status: this.status,
      event,
    };
  }

  private findFault(headers: IncomingHttpHeaders, body: string): string | null {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, textOf(headers[name]) ?? '']));
    try {
      this.webhook.verify(body, signed, { jsonParse: false });
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  private count(id: string): number {
    const times = (this.times.get(id) ?? 0) + 1;
    this.times.set(id, times);
    const [oldest] = this.times.keys();
    if (this.times.size > rememberedIds && oldest !== undefined) this.times.delete(oldest);
    return times;
  }
}

/** A call as one line without a line feed. */
export function renderDelivery(delivery: Delivery, hasColours: boolean): string {
  const { receivedAt, verified, reason, id, times, status, event } = delivery;
  const paint = (style: 'green' | 'red' | 'dim' | 'yellow', text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  return [
    paint('dim', receivedAt),
    verified ? paint('green', 'verified') : paint('red', `not verified (${show(reason)})`),
    show(event?.type),
    show(event?.subject),
    show(id),
    ...(times > 1 ? [paint('yellow', `again, time ${times}`)] : []),
    paint('dim', `responded with ${status}`),
  ].join('  ');
}

/** Foreign text, made safe for a terminal and shortened. */
function show(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '-';
  return value.slice(0, longestShown).replace(/\p{C}/gu, '?');
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

function parseEvent(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return isPlainObject(value) ? value : null;
  } catch {
    return null;
  }
}
