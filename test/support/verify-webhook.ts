/**
 * Verifies webhooks with a library of Standard Webhooks, as receivers do, so that the tests do not repeat a mistake
 * of the product.
 */
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whether one of the signatures is valid for the secret, and the timestamp is recent. */
export function verifyWebhook(headers: Headers, body: string, secret: string): boolean {
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  try {
    new Webhook(secret).verify(body, Object.fromEntries(given));
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
