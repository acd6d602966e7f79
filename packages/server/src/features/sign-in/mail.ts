/** Sends mail by SMTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Message } from '../../kernel/http/context.ts';

/** Where mail is handed in. */
export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string;
  /** Sender, such as `Trellis <noreply@example.com>`. */
  readonly from: string;
}

/** How long an SMTP server may take for each step, in ms. */
const stepTimeoutMs = 10_000;
/**
 * Pauses before further attempts, in ms, when the server is away or takes no mail for the moment. Many take none at first from a sender that they do not
 * know (greylisting, RFC 6647).
 */
const defaultPausesMs: readonly number[] = [10_000, 60_000, 300_000];
/** How many messages may wait for another attempt. */
const maxWaiting = 1_000;

export class Mailer {
  private readonly smtpUrl: string;
  private readonly from: string;
  private readonly pausesMs: readonly number[];
  private readonly stopping = new AbortController();
  private transport: Promise<Transporter> | undefined;
  private waiting = 0;

  constructor({ smtpUrl, from }: MailSettings, pausesMs = defaultPausesMs) {
    this.smtpUrl = smtpUrl;
    this.from = from;
    this.pausesMs = pausesMs;
  }

  /** Ends the waiting for further attempts: what was not sent is lost. */
  stop(): void {
    this.stopping.abort();
  }

  /**
   * Hands a message to the SMTP server, up to four times within some six minutes.
   * @throws Error when it does not take it, which names no address: it is for the log
   */
  async send({ to, subject, text }: Message): Promise<void> {
    // As an object, so that no character of an address makes another recipient of it.
    const message = { from: this.from, to: { name: '', address: to }, subject, text };
    this.transport ??= createMailTransport(this.smtpUrl);
    const transport = await this.transport;
    for (const pauseMs of [...this.pausesMs, null]) {
      try {
        await transport.sendMail(message);
        return;
      } catch (error) {
        const isOver = pauseMs === null || !isTemporary(error) || !(await this.pause(pauseMs));
        if (isOver) throw new Error(describeRefusal(error));
      }
    }
  }

  /** @returns whether there may be another attempt */
  private async pause(ms: number): Promise<boolean> {
    if (this.waiting >= maxWaiting) return false;
    this.waiting += 1;
    try {
      await sleep(ms, undefined, { signal: this.stopping.signal });
      return true;
    } catch {
      return false;
    } finally {
      this.waiting -= 1;
    }
  }
}

/** Whether another attempt may succeed: the server was not reached, or its response has a code of the class 4 (RFC 5321, 4.2.1). */
function isTemporary(error: unknown): boolean {
  const { code, responseCode } = error as Partial<Record<string, unknown>>;
  if (typeof responseCode === 'number') return responseCode >= 400 && responseCode < 500;
  return typeof code === 'string' && /^(?:ECONNECTION|ETIMEDOUT|ESOCKET|EDNS)$/.test(code);
}

/** The reason why a message was rejected, without the library's error and the server's response, which contain the recipient. */
function describeRefusal(error: unknown): string {
  const { code, responseCode, command, syscall } = error as Partial<Record<string, unknown>>;
  const known = [code, responseCode, command, syscall].filter(
    (part) =>
      typeof part === 'number' ||
      (typeof part === 'string' && /^[A-Z]{2,12}(?: [A-Z]+)?$|^[a-z]{3,12}$/.test(part)),
  );
  return `the mail server did not take a message (${known.join(', ') || 'no reason given'})`;
}

/** The library is imported with the first message, because most processes never send one. */
async function createMailTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // Nothing that a message names is read from disk or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
