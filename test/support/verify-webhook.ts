/**
 * Why: receivers verify with a library of Standard Webhooks, so the tests do: a mistake of ours is not made twice, and what
 * the library refuses (such as calls that are more than five minutes old) is found here.
 */
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whether one of the signatures is right for the secret, and the call of now. */
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
