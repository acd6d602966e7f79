/**
 * Signatures of webhook calls, as defined by Standard Webhooks, so that receivers can verify with any of its libraries that
 * a call comes from here, is unchanged and recent.
 *
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme".
 */
import { createHmac, randomBytes } from 'node:crypto';

/** The prefix of secrets, by which secret scanners recognize them. */
const secretPrefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const secretBytes = 32;

/** A call to sign. */
export interface SignedMessage {
  /** The same on every retry and replay, so that receivers recognize duplicates. Without a full stop. */
  readonly id: string;
  /** When this attempt is made, in seconds since 1970: receivers refuse old calls. */
  readonly timestampSeconds: number;
  /** Exactly as sent. */
  readonly body: string;
}

/** A new secret: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return `${secretPrefix}${randomBytes(secretBytes).toString('base64')}`;
}

/**
 * The headers that identify and sign a call.
 * @param secrets the valid ones, newest first: each signs, so that receivers can switch at any time
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
