/** Mail by SMTP: the few messages that signing in sends. */
import type { Transporter } from 'nodemailer';

/** Where mail is handed in. */
export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string;
  /** Sender, such as `Trellis <noreply@example.com>`. */
  readonly from: string;
}

/** A message in plain text. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** How long an SMTP server may take for each step, in ms. */
const stepTimeoutMs = 10_000;

export class Mailer {
  private readonly smtpUrl: string;
  private readonly from: string;
  private transport: Promise<Transporter> | undefined;

  constructor({ smtpUrl, from }: MailSettings) {
    this.smtpUrl = smtpUrl;
    this.from = from;
  }

  /** Hands a message to the SMTP server. @throws Error when it does not take it */
  async send({ to, subject, text }: Message): Promise<void> {
    // As an object, so that no character of an address makes another recipient of it.
    const message = { from: this.from, to: { name: '', address: to }, subject, text };
    this.transport ??= createMailTransport(this.smtpUrl);
    const transport = await this.transport;
    await transport.sendMail(message);
  }
}

/** The library is imported with the first message, because most processes never send one. */
async function createMailTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // Nothing that a message names is read from disk or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
