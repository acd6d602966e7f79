/** Mail by SMTP: the few messages that signing in sends. */
import { createTransport, type Transporter } from 'nodemailer';

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
  private readonly transport: Transporter;
  private readonly from: string;

  constructor({ smtpUrl, from }: MailSettings) {
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: stepTimeoutMs,
      greetingTimeout: stepTimeoutMs,
      socketTimeout: stepTimeoutMs,
      // Nothing that a message names is read from disk or fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    this.from = from;
  }

  /** Hands a message to the SMTP server. @throws Error when it does not take it */
  async send({ to, subject, text }: Message): Promise<void> {
    // As an object, so that no character of an address makes another recipient of it.
    await this.transport.sendMail({ from: this.from, to: { name: '', address: to }, subject, text });
  }
}
