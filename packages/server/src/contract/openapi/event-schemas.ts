/** The schemas of events and of the AsyncAPI document. The log, the stream and webhooks send events in the same form. */

import { limits } from '@trellis/schema/resources/limits.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { orNull } from '@trellis/schema/validation/body-schemas.ts';
import { examinedPositionsOfTypes, namedRecords } from '../../activity/activity.ts';
import { maxCursorLength } from '../../pipeline/cursor.ts';
import { reference, type Schemas } from './record-schemas.ts';

const suffix = '01h455vb4pex5vsknk084sn02q';

function text(description: string, example: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, examples: [example], ...more };
}

const exampleOfPageInfo = {
  nextCursor: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
  hasNextPage: false,
};

/** The log has no end, so this is the only list that has a cursor after its last page too. */
const eventPageInfo: JsonSchema = {
  type: 'object',
  description: 'Where the page ends, and where the next request continues.',
  properties: {
    nextCursor: text(
      'Send it as `cursor`, unchanged, for the events after this page. Never null: after the last page it returns later events.',
      exampleOfPageInfo.nextCursor,
      { minLength: 1, maxLength: maxCursorLength },
    ),
    hasNextPage: {
      type: 'boolean',
      description: 'Whether the log has more events now.',
      examples: [exampleOfPageInfo.hasNextPage],
    },
  },
  required: ['nextCursor', 'hasNextPage'],
  examples: [exampleOfPageInfo],
};

/** The schemas of an event (CloudEvents 1.0) and of a page of events. `origin`: of the server, for examples. */
export function eventSchemas(origin: string): Schemas {
  const example = {
    specversion: '1.0',
    id: `evt_${suffix}`,
    source: `${origin}/v1/organizations/org_${suffix}`,
    type: 'article.published',
    subject: `art_${suffix}`,
    time: '2026-03-01T09:00:00.000Z',
    datacontenttype: 'application/json',
    sequence: '0000000000000000042',
    data: {
      resource: 'article',
      id: `art_${suffix}`,
      url: `${origin}/v1/sites/site_${suffix}/articles/art_${suffix}`,
      version: 3,
      changedFields: ['versionData.status', 'state'],
      actor: {
        user: `user_${suffix}`,
        client: `client_${suffix}`,
        token: `token_${suffix}`,
        methods: ['PASSWORD', 'TOTP'],
        requestId: '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
      },
    },
  };
  return {
    Event: eventSchema(example),
    EventList: {
      type: 'object',
      description: 'One page of events, oldest first.',
      properties: {
        items: {
          type: 'array',
          description: 'The page.',
          items: reference('Event'),
          maxItems: limits.listPageSize.max,
          examples: [[example]],
        },
        pageInfo: reference('EventPageInfo'),
      },
      required: ['items', 'pageInfo'],
      examples: [{ items: [example], pageInfo: exampleOfPageInfo }],
    },
    EventPageInfo: eventPageInfo,
    Activity: activitySchema(origin),
    AsyncApiDocument: asyncApiDocument,
  };
}

/** Pieces of work in a response. */
export const mostWorks = 50;

/** What changed lately. */
function activitySchema(origin: string): JsonSchema {
  const actions: JsonSchema = {
    type: 'array',
    description: 'What was done, as in the types of events, the newest first, each once.',
    items: { type: 'string' },
    minItems: 1,
    maxItems: 50,
    examples: [['published', 'updated']],
  };
  const changedAt = text('When the last of these changes was made.', '2026-03-01T09:00:00.000Z', {
    format: 'date-time',
  });
  const count = (description: string, example: number): JsonSchema => ({
    type: 'integer',
    minimum: 1,
    maximum: examinedPositionsOfTypes,
    description,
    examples: [example],
  });
  const record: Record<string, JsonSchema> = {
    id: text('Id of the record.', `art_${suffix}`),
    url: orNull(
      text(
        'Address of the record, also after its deletion; null for one without an address.',
        `${origin}/v1/sites/site_${suffix}/articles/art_${suffix}`,
      ),
    ),
    title: orNull(
      text(
        'What the record is called now; null where it is deleted, or may not be read.',
        'Trellis 1.0 released',
      ),
    ),
    actions,
    changedAt,
  };
  const exampleOf = (schemas: Readonly<Record<string, JsonSchema>>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, { examples }]) => [name, examples?.[0]]));
  const object = (description: string, properties: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    description,
    properties,
    required: Object.keys(properties),
    examples: [exampleOf(properties)],
  });
  const list = (description: string, items: JsonSchema, maxItems: number): JsonSchema => ({
    type: 'array',
    description,
    items,
    maxItems,
    examples: [[items.examples?.[0]]],
  });
  const newest = list(
    `The records that were changed last, ${namedRecords} at most.`,
    object('A record, and what was done with it.', record),
    namedRecords,
  );
  const work = object('What one person did with records of one kind, without a pause of half an hour.', {
    resource: text('Kind of the records, as in the types of events.', 'article'),
    user: orNull(text('Who did it; null for the system itself.', `user_${suffix}`)),
    userName: orNull(
      text('The name of the member; null where members may not be read, or the person has left.', 'Ada'),
    ),
    actions,
    startedAt: text('When the first of these changes was made.', '2026-03-01T08:45:00.000Z', {
      format: 'date-time',
    }),
    changedAt,
    events: count('Number of events.', 3),
    records: count('Number of records.', 1),
    newest,
  });
  return object('What changed lately.', { items: list('The newest work first.', work, mostWorks) });
}

function eventSchema(example: { readonly data: { readonly actor: unknown } }): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    specversion: text('Version of CloudEvents.', '1.0', { enum: ['1.0'] }),
    id: text('Id of the event: the same every time it is sent.', `evt_${suffix}`),
    source: text('The organization.', `https://api.example.com/v1/organizations/org_${suffix}`),
    type: text('The resource and what happened.', 'article.published'),
    subject: text('Id of the record.', `art_${suffix}`),
    time: text('When the change was made.', '2026-03-01T09:00:00.000Z', { format: 'date-time' }),
    datacontenttype: text('Type of `data`.', 'application/json', { enum: ['application/json'] }),
    sequence: text('Position in the log of the organization, zero-padded.', '0000000000000000042', {
      pattern: '^[0-9]{19}$',
    }),
    data: dataSchema(example.data),
  };
  return {
    type: 'object',
    description:
      'An event (CloudEvents 1.0). It says what changed and where to read it, and contains no content of the record.',
    properties,
    required: Object.keys(properties),
    examples: [example],
  };
}

function dataSchema(example: { readonly actor: unknown }): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    resource: text('Kind of the record, as in `type`.', 'article'),
    id: text('Id of the record.', `art_${suffix}`),
    url: orNull(
      text(
        'Path of the record, also after its deletion; null for records without a path.',
        `https://api.example.com/v1/books/book_${suffix}`,
      ),
    ),
    version: {
      type: 'integer',
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Version of the record after the change. It orders the events of one record.',
      examples: [3],
    },
    changedFields: {
      type: 'array',
      description: 'Dotted names of the fields that changed.',
      items: { type: 'string' },
      maxItems: 200,
      examples: [['versionData.status', 'state']],
    },
    actor: actorSchema(example.actor),
  };
  return {
    type: 'object',
    description: 'What happened to which record, and who did it.',
    properties,
    required: Object.keys(properties),
    examples: [example],
  };
}

function actorSchema(example: unknown): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    user: orNull(text('The user; null for changes of the system itself.', `user_${suffix}`)),
    client: orNull(text('The client; null for changes of the system itself.', `client_${suffix}`)),
    token: orNull(text('The token; null for changes of the system itself.', `token_${suffix}`)),
    methods: orNull({
      type: 'array',
      description:
        'How the person of a session signed in (`PASSWORD`, `TOTP`, `RECOVERY_CODE`, `PASSKEY`, `EXTERNAL`, `LINK`); null for a bearer token.',
      items: { type: 'string' },
      maxItems: 10,
      examples: [['PASSWORD', 'TOTP']],
    }),
    requestId: text('Id of the request.', '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90'),
  };
  return {
    type: 'object',
    description: 'Who made the change.',
    properties,
    required: Object.keys(properties),
    examples: [example],
  };
}

const asyncApiProperties: Schemas = {
  asyncapi: text('Version of AsyncAPI.', '3.0.0', { pattern: '^3\\.0\\.\\d+$' }),
  info: {
    type: 'object',
    description: 'Title, version, licence and introduction.',
    examples: [{ title: 'Trellis events', version: '0.1.0' }],
  },
  defaultContentType: text('Media type of every message.', 'application/json'),
  servers: { type: 'object', description: 'The sender and the receivers.', examples: [{ api: {} }] },
  channels: {
    type: 'object',
    description: 'The ways in which events are sent, with the messages of each.',
    examples: [{ eventStream: {} }],
  },
  operations: { type: 'object', description: 'What the server sends.', examples: [{ streamEvents: {} }] },
  components: { type: 'object', description: 'The schemas of the events.', examples: [{ schemas: {} }] },
};

const asyncApiDocument: JsonSchema = {
  type: 'object',
  description: 'An AsyncAPI 3.0 document.',
  properties: asyncApiProperties,
  required: Object.keys(asyncApiProperties),
  examples: [
    Object.fromEntries(
      Object.entries(asyncApiProperties).map(([name, { examples }]) => [name, examples?.[0]]),
    ),
  ],
};
