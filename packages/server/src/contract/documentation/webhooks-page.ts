/** The page for authors of webhook receivers: what arrives, when and how often, and how to verify it. */
import { eventTypes } from '@trellis/schema/event-types.ts';
import { deliveryRetentionDays } from '../../webhooks/retention.ts';
import { attemptDelaysMs } from '../../webhooks/schedule.ts';
import { callDeadlineMs } from '../../webhooks/sender.ts';
import type { Page } from './page.ts';

/** The page about webhooks. */
export function webhooksPage(): Page {
  return {
    title: 'Webhooks',
    blocks: [
      {
        kind: 'paragraph',
        text: 'An endpoint under `/v1/webhook-endpoints` is called when something happens, with a POST of a CloudEvent in JSON. It gets what one user may read: the one who created it, or who last changed its `url`, `payload` or `eventTypes`. When this user leaves the organization, it gets nothing more, and what waits is not sent; when this user may no longer read a record, what waits about it becomes FAILED.',
      },
      { kind: 'heading', text: 'The promise' },
      {
        kind: 'paragraph',
        text: 'At least once, after commit, never for a rolled-back write; unordered across records; per record use `data.version`; dedupe on `webhook-id`.',
      },
      { kind: 'heading', text: 'Verifying a call' },
      {
        kind: 'paragraph',
        text: 'Calls are signed as [Standard Webhooks](https://www.standardwebhooks.com) prescribes (v1, HMAC-SHA256): verify them with one of its libraries and the secret that the create answered. `webhook-id` is the id of the event, the same on every retry and replay; `webhook-timestamp` is that of the attempt; `webhook-signature` has a signature for each valid secret. For 24 hours after a rotation both secrets sign.',
      },
      { kind: 'heading', text: 'Answering a call' },
      {
        kind: 'table',
        caption: 'Meaning of an answer',
        columns: ['Answer', 'Means'],
        rows: [
          ['2xx', 'taken'],
          ['410', 'the endpoint is gone: it is disabled immediately'],
          ['3xx', 'a failure; redirects are never followed'],
          ['any other, or none', `a failure; the whole call may take ${callDeadlineMs / 1_000} seconds`],
        ],
      },
      {
        kind: 'paragraph',
        text: `A failed call is made again, up to ${attemptDelaysMs.length} times in all: ${attemptDelaysMs.slice(1).map(inWords).join(', ')} after the failure before it, each a fifth sooner or later by chance. \`Retry-After\` can make a wait longer, up to a day. An endpoint that does nothing but fail for five days is disabled, with the event \`webhook-endpoint.disabled\`. At most two calls of an endpoint are under way at a time. After five failures in a row it is left alone for 5 to 60 seconds at a time.`,
      },
      { kind: 'heading', text: 'Catching up' },
      {
        kind: 'paragraph',
        text: `\`GET /v1/webhook-endpoints/{id}/deliveries\` shows every attempt of the last ${deliveryRetentionDays} days with the first 2 KB of the answer. A single one is sent again by \`…/deliveries/{id}/retry\`, everything of a span of time by \`…/replay\`, both under the ids that the events had. A disabled endpoint gets nothing, and no events are kept for it: enable it and replay.`,
      },
      { kind: 'heading', text: 'Where calls go' },
      {
        kind: 'paragraph',
        text: 'To https addresses on the public Internet, on port 80, 443 or above 1023, without user name and password. The address that is connected to is checked at every call. The operator can allow ranges of the own network, for which http is accepted too; metadata services of clouds are never called.',
      },
      { kind: 'heading', text: 'Trying it out' },
      {
        kind: 'paragraph',
        text: '`trellis webhooks listen --types "article.*"` makes an endpoint that leads to your own machine, prints each delivery with whether its signature is right, and deletes the endpoint at the end. `--status 500` shows what retries do. The server must be on the same machine and allowed to call it: `TRELLIS_WEBHOOK_ALLOW_PRIVATE=127.0.0.0/8`.',
      },
      { kind: 'heading', text: 'Events' },
      {
        kind: 'paragraph',
        text: 'Subscribe to types, to all of a kind (`article.*`) or to everything (`*`). The reference shows each with its schema under webhooks; so does the [AsyncAPI document](/docs/asyncapi.json), for tools.',
      },
      {
        kind: 'table',
        caption: 'Every type of event',
        columns: ['Type', 'Tells'],
        rows: eventTypes.map(({ type, description }) => [`\`${type}\``, description]),
      },
    ],
  };
}

function inWords(delayMs: number): string {
  const seconds = delayMs / 1_000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}
