/** The schemas of the caller's pending work. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { orNull } from '@trellis/schema/validation/body-schemas.ts';
import {
  exampleId,
  instant,
  integer,
  list,
  object,
  oneOf,
  reference,
  type Schemas,
  text,
} from '../../kernel/http/schemas.ts';
import { mostWaiting } from './operations.ts';
import { publishedDays } from './waiting.ts';

/** @param origin of the server, for examples */
export function waitingSchemas(origin: string): Schemas {
  const article = {
    id: exampleId('art'),
    url: `${origin}/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
    title: 'Trellis 1.0 released',
    updatedAt: '2026-03-01T09:00:00.000Z',
    scheduledFor: null,
    scheduleError: null,
    updatedBy: exampleId('user'),
    returnNote: null,
  };
  const failedDelivery = {
    eventType: 'article.published',
    status: 500,
    attemptedAt: '2026-03-01T09:00:00.000Z',
  };
  const endpoint = {
    id: exampleId('whe'),
    url: `${origin}/v1/webhook-endpoints/${exampleId('whe')}`,
    target: 'https://hooks.example.com/trellis',
    disabledReason: null,
    failedDelivery,
  };
  const articlesOf = (description: string) =>
    orNull(list(description, reference('WaitingArticle'), { maxItems: mostWaiting }, [article]));
  return {
    WaitingArticle: object(
      'An article that waits.',
      {
        id: text('Id of the article.', article.id),
        url: text('Address of the article.', article.url),
        title: text('Title of the working version.', article.title),
        updatedAt: {
          ...text(
            'When it was changed last; in `returned` sent back, in `published` published.',
            article.updatedAt,
          ),
          format: 'date-time',
        },
        scheduledFor: orNull(instant('When it is published; null unless it is scheduled.')),
        scheduleError: orNull(
          text(
            'Why its last scheduled change failed; null if none has.',
            'The module "cms" was switched off.',
          ),
        ),
        updatedBy: orNull(text('Who did that; null for the system itself.', article.updatedBy)),
        returnNote: orNull(
          text('In `returned`: why it was sent back; null without a reason.', 'Please name the sources.'),
        ),
      },
      article,
    ),
    FailedDelivery: object(
      'The newest delivery of an endpoint that failed permanently.',
      {
        eventType: text('Type of the event.', failedDelivery.eventType),
        status: orNull(
          integer('HTTP status of the last response; null if there was none.', failedDelivery.status, {
            minimum: 100,
            maximum: 999,
          }),
        ),
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
          oneOf('Why the server has disabled it; null if it has not.', 'FAILING', [
            'GONE',
            'FAILING',
            'CLAIMED',
          ]),
        ),
        failedDelivery: {
          description: 'The newest delivery that failed permanently; null if none has.',
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
        returned: articlesOf(
          'Articles that the caller made or submitted and others sent back, the last sent back first.',
        ),
        published: articlesOf(
          `Articles that the caller made or submitted and others published in the last ${publishedDays} days, the last published first.`,
        ),
        inReview: articlesOf('Articles in review, the last changed first.'),
        scheduled: articlesOf('Scheduled articles, the next first.'),
        failedSchedules: articlesOf('Articles whose scheduled change failed, the last changed first.'),
        endpoints: orNull(
          list(
            'Webhook endpoints that fail, the newest first.',
            reference('FailingEndpoint'),
            { maxItems: limits.webhookEndpoints },
            [endpoint],
          ),
        ),
      },
      {
        drafts: [article],
        returned: [],
        published: [],
        inReview: [],
        scheduled: [],
        failedSchedules: [],
        endpoints: [endpoint],
      },
    ),
  };
}
