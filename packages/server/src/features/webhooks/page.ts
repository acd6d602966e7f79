/** The page for authors of webhook receivers: what arrives, when and how often, and how to verify it. */
import { eventTypes } from '@trellis/schema/event-types.ts';
import type { Page } from '../../kernel/contract/documentation/page.ts';
import { deliveryRetentionDays } from './retention.ts';
import { attemptDelaysMs } from './schedule.ts';
import { callDeadlineMs } from './sender.ts';

/** The page about webhooks. */
export function webhooksPage(): Page {
  return {
    title: 'Webhooks',
    blocks: [
      {
        kind: 'paragraph',
        text: 'An endpoint under `/v1/webhook-endpoints` receives events as POST requests with a CloudEvent in JSON. It receives the events that one user may read: the user who created it, or who last changed its `url`, `payload`, `eventTypes` or `siteIds` or replaced its secret. When this user leaves the organization, no further events and no pending deliveries are sent. When this user may no longer read a record, pending deliveries about it become FAILED.',
      },
      {
        kind: 'paragraph',
        text: 'With `payload: FULL`, `data.record` is the record as this user may read it at the time of the call. Of a deletion (`*.deleted`) it is the record as it was, while it is in the trash; what was erased (`?erase=true`), or deleted where the trash is switched off, is null. Deleting what readers saw ends its publication: `article.unpublished` comes before `article.deleted`, and `article.published` after `article.restored` if the article is published again.',
      },
      { kind: 'heading', text: 'The promise' },
      {
        kind: 'paragraph',
        text: 'At least once, after commit, never for a rolled-back write; unordered across records; per record use `data.version`; dedupe on `webhook-id`. Where the installation has replicas, send `Trellis-Read-After: now` when you read the record because of the event: other reads may be two seconds old.',
      },
      { kind: 'heading', text: 'Verifying a call' },
      {
        kind: 'paragraph',
        text: 'Calls are signed according to [Standard Webhooks](https://www.standardwebhooks.com) (v1, HMAC-SHA256): verify them with one of its libraries and the secret in the response of the create. `webhook-id` is the id of the event, the same on every retry and replay; `webhook-timestamp` is that of the attempt; `webhook-signature` has a signature for each valid secret. For 24 hours after a rotation both secrets sign.',
      },
      { kind: 'heading', text: 'Responding to a call' },
      {
        kind: 'table',
        caption: 'Meaning of a response',
        columns: ['Response', 'Meaning'],
        rows: [
          ['2xx', 'taken'],
          ['410', 'the endpoint is gone: it is disabled immediately'],
          ['3xx', 'a failure; redirects are never followed'],
          ['any other, or none', `a failure; the whole call may take ${callDeadlineMs / 1_000} seconds`],
        ],
      },
      {
        kind: 'paragraph',
        text: `A failed call is retried, up to ${attemptDelaysMs.length} attempts in total: ${attemptDelaysMs.slice(1).map(inWords).join(', ')} after the previous failure, with a random variation of up to a fifth. \`Retry-After\` can make a delay longer, up to a day. An endpoint whose calls all fail for five days is disabled, with the event \`webhook-endpoint.disabled\`. At most two calls of an endpoint are in progress at a time. After five consecutive failures the endpoint is not called for 5 to 60 seconds at a time.`,
      },
      { kind: 'heading', text: 'Catching up' },
      {
        kind: 'paragraph',
        text: `\`GET /v1/webhook-endpoints/{id}/deliveries\` shows every attempt of the last ${deliveryRetentionDays} days with the first 2 KB of the response. \`…/deliveries/{id}/retry\` sends a single delivery again, and \`…/replay\` all events of a time span, both with the original event ids. A disabled endpoint receives nothing, and no events are queued for it: enable it and replay.`,
      },
      { kind: 'heading', text: 'Where calls go' },
      {
        kind: 'paragraph',
        text: 'To https URLs on the public Internet, on port 80, 443 or above 1023, without user name and password. The IP address is checked at every call. The operator of the server can allow ranges of private addresses with the setting `TRELLIS_WEBHOOK_ALLOW_PRIVATE`; for them http and any port are accepted too; metadata services of cloud providers are never called.',
      },
      { kind: 'heading', text: 'Trying it out' },
      {
        kind: 'paragraph',
        text: '`trellis webhooks listen --types "article.*"` creates an endpoint on your own machine, prints each delivery with the result of verifying its signature, and deletes the endpoint at the end. `--status 500` shows how retries work. The server must be on the same machine and allowed to call it: `TRELLIS_WEBHOOK_ALLOW_PRIVATE=127.0.0.0/8`.',
      },
      { kind: 'heading', text: 'Events' },
      {
        kind: 'paragraph',
        text: 'Subscribe to single types, to all types of a resource (`article.*`) or to everything (`*`). The reference shows the schema of each type under webhooks; the [AsyncAPI document](/docs/asyncapi.json) has the same for tools.',
      },
      {
        kind: 'paragraph',
        text: 'With `siteIds` an endpoint receives only events of these sites: of the site itself, and of its articles, categories and tags, and none of what belongs to no site, such as contacts and books. A program that needs both has two endpoints. A site that is deleted stays in the list, so its `site.deleted` still arrives, and its events again after it is restored; a list never becomes everything by itself.',
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
