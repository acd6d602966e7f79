/** Sends mail by SMTP. */
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

  /** Hands a message to the SMTP server. @throws Error when it does not take it, which names no address: it is for the log */
  async send({ to, subject, text }: Message): Promise<void> {
    // As an object, so that no character of an address makes another recipient of it.
    const message = { from: this.from, to: { name: '', address: to }, subject, text };
    this.transport ??= createMailTransport(this.smtpUrl);
    const transport = await this.transport;
    try {
      await transport.sendMail(message);
    } catch (error) {
      throw new Error(describeRefusal(error));
    }
  }
}

/** Why a message was not taken. The library's error and the server's response name the recipient. */
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
