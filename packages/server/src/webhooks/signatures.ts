/**
 * Why: whoever receives a call must be able to tell that it comes from here, unchanged and just now. Calls are signed as
 * Standard Webhooks prescribes, so that receivers verify them with any of its libraries.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme".
 */
import { createHmac, randomBytes } from 'node:crypto';

/** What a secret begins with, so that scanners know one when they find it where it should not be. */
const secretPrefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const secretBytes = 32;

/** A call as it is signed. */
export interface SignedMessage {
  /** The same on every retry and replay: receivers tell by it what they have had. Without a full stop. */
  readonly id: string;
  /** When this attempt is made, in seconds since 1970: receivers refuse what is too old. */
  readonly timestampSeconds: number;
  /** Exactly as it is sent. */
  readonly body: string;
}

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

/**
 * The headers that identify and sign a call.
 * @param secrets those that are valid now, newest first: each signs, so that receivers may change over when they like
 */
export function signatureHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': secrets.map((secret) => sign(message, secret)).join(' '),
  };
}

function sign({ id, timestampSeconds, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
}
