/**
 * Declaration of webhook endpoints. What is delivered to them, and their secrets, is stored separately
 * (`packages/server/src/features/webhooks`), because the background roles need it and may not read records.
 */
import { choice, instant, nullable, readOnly, references, strings, text } from './fields.ts';
import { administrationGrants } from './grants.ts';
import { limits } from './limits.ts';
import { defineResource } from './resource.ts';
import { updatedSince } from './shapes.ts';

/** Prefix of delivery ids. The rest is the event's id, since an endpoint has one delivery per event. */
export const deliveryIdPrefix = 'dlv';

export const webhookEndpoints = defineResource({
  name: 'webhook-endpoints',
  singular: 'webhook-endpoint',
  title: { singular: 'WebhookEndpoint', plural: 'WebhookEndpoints' },
  german: {
    singular: 'Webhook',
    plural: 'Webhooks',
    fields: {
      url: 'Adresse',
      eventTypes: 'Ereignistypen',
      siteIds: 'Websites',
      payload: 'Umfang',
      disabledReason: 'Grund der Deaktivierung',
      secretRotatedAt: 'Geheimnis erneuert',
    },
    values: {
      THIN: 'Kompakt',
      FULL: 'Vollständig',
      ENABLED: 'Aktiviert',
      GONE: 'Nicht mehr vorhanden',
      FAILING: 'Wiederholt fehlgeschlagen',
      CLAIMED: 'Konto übernommen',
    },
  },
  description:
    'A URL that events are sent to, at least once and in no particular order. It receives the events that one user may read: the user who created the endpoint, who last changed its `url`, `payload`, `eventTypes` or `siteIds` or replaced its secret, or who enabled it again after it was disabled as CLAIMED. It acts for a person: service members do none of this.',
  module: null,
  idPrefix: 'whe',
  path: '/webhook-endpoints',
  scope: 'webhooks:manage',
  grants: administrationGrants,
  events: {
    disabled:
      'A webhook endpoint was disabled, because it responded with 410, failed for five days, or acted for an account that its owner has claimed.',
  },
  parent: null,
  table: 'webhook_endpoints',
  fields: {
    url: text({
      max: 2_000,
      required: true,
      format: 'http-url',
      searchable: 'A',
      description:
        'Where events are sent: an https URL on the public Internet, without user name and password, on port 80, 443 or above 1023. Private addresses are refused unless the operator allows them.',
      example: 'https://hooks.example.com/trellis',
    }),
    eventTypes: strings({
      max: 100,
      item: { max: 100 },
      required: true,
      description:
        'The event types that are sent: single types such as `article.published`, all types of a resource with `article.*`, everything with `*`.',
      example: ['article.*', 'category.updated'],
    }),
    siteIds: nullable(
      references('sites', {
        max: 100,
        description:
          'The sites whose events are sent: those of the site itself and of its articles, categories and tags. Events of what belongs to no site, such as contacts and books, are then not sent. Null: everything is sent. A site that is deleted stays in the list: its `site.deleted` is sent, and its events again after it is restored.',
        example: ['site_01h455vb4pex5vsknk084sn02q'],
        blocksDeletion: false,
      }),
    ),
    payload: choice(['THIN', 'FULL'], {
      default: 'THIN',
      description:
        'THIN says what changed and where to read it. FULL adds the record, as the user on whose behalf it is sent may read it at the time of the call, and of a deletion the record as it was, while it is in the trash; setting it requires a token with the `:read` scopes of all resources whose events are sent. While this user has no role that may manage webhook endpoints, nothing is sent.',
      example: 'THIN',
    }),
    description: nullable(
      text({
        max: 500,
        searchable: 'B',
        prose: true,
        description: 'Purpose of the endpoint.',
        example: 'Rebuilds the website.',
      }),
    ),
    status: choice(['ENABLED', 'DISABLED'], {
      isStatus: true,
      default: 'ENABLED',
      description:
        'Nothing is sent to a DISABLED endpoint, and no events are queued for it. An endpoint is disabled automatically when it responds with 410, when all calls fail for five days, or when the account on whose behalf it is sent is claimed.',
      example: 'ENABLED',
    }),
    disabledReason: readOnly(
      nullable(
        choice(['GONE', 'FAILING', 'CLAIMED'], {
          description:
            'Why it was disabled automatically: it responded with 410 (GONE), failed for five days (FAILING), or the account of the user on whose behalf it was sent was taken over by the owner of its e-mail address (CLAIMED). Null if a user disabled it.',
          example: 'GONE',
        }),
      ),
    ),
    secretRotatedAt: readOnly(
      nullable(
        instant({
          description:
            'When the secret was last replaced. The previous secret also signs for 24 hours after that.',
          example: '2026-03-01T09:00:00.000Z',
        }),
      ),
    ),
  },
  creation: 'Its secret is in this response, and never shown again.',
  secret: {
    member: 'secret',
    field: text({
      max: 100,
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
      description:
        'The secret that signs the calls (Standard Webhooks, v1). Store it where only the receiver can read it.',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  },
  refusals: { create: ['quota_reached'] },
  ownOperations: ['create', 'update', 'listDeliveries'],
  actions: {
    rotateWebhookEndpointSecret: {
      path: 'rotate-secret',
      summary: 'Replace the secret of a webhook endpoint',
      description:
        'Returns the new secret, which is shown only this once. For 24 hours calls are signed with the old one as well; a second rotation within them ends the oldest at once.',
      right: 'update',
      needsRecentSignIn: true,
      returns: 'secret',
      response: 'The endpoint with its new secret.',
      texts: {
        label: { en: 'Replace secret', de: 'Geheimnis erneuern' },
        about: {
          en: 'You get a new secret. Calls are signed with both for 24 hours, so that you can switch without downtime.',
          de: 'Sie erhalten ein neues Geheimnis. Aufrufe werden 24 Stunden lang mit beiden signiert, damit Sie es ohne Ausfall austauschen können.',
        },
      },
    },
    testWebhookEndpoint: {
      path: 'test',
      summary: 'Try a webhook endpoint',
      description:
        'Sends an event of the type `webhook.test` to this endpoint only, once, even if the endpoint is disabled. The result is in the deliveries of the endpoint a moment later.',
      right: 'update',
      returns: { schemaName: 'WebhookDelivery' },
      response: 'The pending delivery.',
      texts: {
        label: { en: 'Send test', de: 'Test senden' },
        done: {
          en: 'Test sent. The result will appear below.',
          de: 'Test gesendet. Das Ergebnis erscheint unten.',
        },
      },
    },
    retryWebhookDelivery: {
      path: 'deliveries/{deliveryId}/retry',
      part: {
        parameter: 'deliveryId',
        description: 'Id of the delivery.',
        id: { resource: 'webhook-deliveries', prefix: deliveryIdPrefix },
      },
      summary: 'Send a delivery again',
      description:
        'Sends a delivery again at once, whatever its status, under the same `webhook-id`. If it fails, the retry schedule starts again.',
      right: 'update',
      returns: { schemaName: 'WebhookDelivery' },
      response: 'The pending delivery.',
      problems: ['invalid_transition'],
      texts: { label: { en: 'Send again', de: 'Erneut senden' } },
    },
    replayWebhookEvents: {
      path: 'replay',
      summary: 'Replay the events of a time span',
      description: `Sends the logged events of a time span that the endpoint subscribes to, including those that were delivered before, each under the same \`webhook-id\`. At most ${limits.webhookReplayEvents} events at a time.`,
      right: 'update',
      input: {
        schemaName: 'WebhookReplayCreate',
        fields: {
          from: instant({
            required: true,
            description: 'Events that happened at or after this instant.',
            example: '2026-03-01T09:00:00Z',
          }),
          to: instant({
            description: 'Events that happened before this instant; until now when absent.',
            example: '2026-03-01T12:00:00Z',
          }),
        },
        presentation: {
          from: { label: { en: 'From', de: 'Von' } },
          to: { label: { en: 'To', de: 'Bis' } },
        },
      },
      returns: { schemaName: 'WebhookReplay' },
      response: 'The number of events that are sent.',
      problems: ['invalid_transition'],
      texts: {
        label: { en: 'Send events again', de: 'Ereignisse erneut senden' },
        about: {
          en: 'Sends all events logged in this period, including those already delivered, with the same IDs. At most 10,000 events.',
          de: 'Sendet alle in diesem Zeitraum protokollierten Ereignisse mit denselben IDs, auch bereits zugestellte. Höchstens 10.000 Ereignisse.',
        },
        done: {
          en: '{events, plural, =0 {No events in this period.} one {One event is being sent.} other {# events are being sent.}}',
          de: '{events, plural, =0 {Keine Ereignisse in diesem Zeitraum.} one {Ein Ereignis wird gesendet.} other {# Ereignisse werden gesendet.}}',
        },
      },
    },
  },
  titleField: 'url',
  unique: {},
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: ['ENABLED', 'DISABLED'],
      description: 'Endpoints with this status.',
      example: 'ENABLED',
    },
    updatedSince,
  },
  searchSources: ['webhook-endpoints'],
  searchCursor: true,
  portable: false,
});
