/**
 * Why: signatures are verified here as a receiver does who has nothing but the specification of Standard Webhooks
 * ("Verifying webhook authenticity"), so that a mistake of ours is not made twice.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whether one of the signatures is right for the secret. The age of the call is not looked at. */
export function verifyWebhook(headers: Headers, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
  const expected = createHmac('sha256', key).update(signed, 'utf8').digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((versioned) => {
      const [version, signature = ''] = versioned.split(',');
      const given = Buffer.from(signature, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
}
