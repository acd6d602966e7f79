/** The schemas of what waits for the caller. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { mostWaiting } from '../../waiting/operations.ts';
import { reference, type Schemas } from './record-schemas.ts';

const suffix = '01h455vb4pex5vsknk084sn02q';

function text(description: string, example: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, examples: [example], ...more };
}

const instant = (description: string) =>
  text(description, '2026-03-01T09:00:00.000Z', { format: 'date-time' });

function object(description: string, properties: Record<string, JsonSchema>, example: object): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties), examples: [example] };
}

/** @param origin of the server, for examples */
export function waitingSchemas(origin: string): Schemas {
  const article = {
    id: `art_${suffix}`,
    url: `${origin}/v1/sites/site_${suffix}/articles/art_${suffix}`,
    title: 'Trellis 1.0 released',
    updatedAt: '2026-03-01T09:00:00.000Z',
    scheduledFor: null,
    scheduleError: null,
    updatedBy: `user_${suffix}`,
  };
  const failedDelivery = {
    eventType: 'article.published',
    status: 500,
    attemptedAt: '2026-03-01T09:00:00.000Z',
  };
  const endpoint = {
    id: `whe_${suffix}`,
    url: `${origin}/v1/webhook-endpoints/whe_${suffix}`,
    target: 'https://hooks.example.com/trellis',
    disabledReason: null,
    failedDelivery,
  };
  const list = (description: string, name: string, maxItems: number, example: object): JsonSchema =>
    orNull({ type: 'array', description, items: reference(name), maxItems, examples: [[example]] });
  const articlesOf = (description: string) => list(description, 'WaitingArticle', mostWaiting, article);
  return {
    WaitingArticle: object(
      'An article that waits.',
      {
        id: text('Id of the article.', article.id),
        url: text('Address of the article.', article.url),
        title: text('Title of the working version.', article.title),
        updatedAt: instant('When it was changed last.'),
        scheduledFor: orNull(instant('When it is published; null unless it is scheduled.')),
        scheduleError: orNull(
          text(
            'Why its last scheduled change failed; null if none has.',
            'The module "cms" was switched off.',
          ),
        ),
        updatedBy: orNull(text('Who changed it last; null for the system itself.', article.updatedBy)),
      },
      article,
    ),
    FailedDelivery: object(
      'The newest delivery of an endpoint that failed for good.',
      {
        eventType: text('Type of the event.', failedDelivery.eventType),
        status: orNull({
          type: 'integer',
          minimum: 100,
          maximum: 999,
          description: 'HTTP status of the last response; null if there was none.',
          examples: [failedDelivery.status],
        }),
        attemptedAt: orNull(instant('When it was sent last; null if it never was.')),
      },
      failedDelivery,
    ),
    FailingEndpoint: object(
      'A webhook endpoint that the server has disabled, or that has a failed delivery.',
      {
        id: text('Id of the endpoint.', endpoint.id),
        url: text('Address of the endpoint in this API.', endpoint.url),
        target: text('The URL that is called.', endpoint.target),
        disabledReason: orNull(
          text('Why the server has disabled it; null if it has not.', 'FAILING', {
            enum: ['GONE', 'FAILING', 'CLAIMED'],
          }),
        ),
        failedDelivery: {
          description: 'The newest delivery that failed for good; null if none has.',
          anyOf: [reference('FailedDelivery'), { type: 'null' }],
          examples: [failedDelivery],
        },
      },
      endpoint,
    ),
    Waiting: object(
      'What waits for the caller. Parts that the caller may not read are null.',
      {
        drafts: articlesOf("The caller's drafts, the last changed first."),
        inReview: articlesOf('Articles in review, the last changed first.'),
        scheduled: articlesOf('Scheduled articles, the next first.'),
        failedSchedules: articlesOf('Articles whose scheduled change failed, the last changed first.'),
        endpoints: list(
          'Webhook endpoints that fail, the newest first.',
          'FailingEndpoint',
          limits.webhookEndpoints,
          endpoint,
        ),
      },
      { drafts: [article], inReview: [], scheduled: [], failedSchedules: [], endpoints: [endpoint] },
    ),
  };
}
