/** The schemas of events and of the AsyncAPI document. The log, the stream and webhooks send events in the same form. */

import { limits } from '@trellis/schema/resources/limits.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import {
  exampleId,
  flag,
  foreign,
  int32Max,
  integer,
  list,
  object,
  reference,
  type Schemas,
  text,
} from '../../kernel/http/schemas.ts';
import { maxCursorLength } from '../../kernel/pipeline/cursor.ts';
import { examinedPositionsOfTypes, namedRecords } from './activity.ts';

/** An instant; in these documents the format comes last. */
function instant(description: string, example: string): JsonSchema {
  return { ...text(description, example), format: 'date-time' };
}

const exampleOfPageInfo = {
  nextCursor: 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA',
  hasNextPage: false,
};

/** The log has no end, so this is the only list that has a cursor after its last page too. */
const eventPageInfo = object('Where the page ends, and where the next request continues.', {
  nextCursor: {
    ...text(
      'Send it as `cursor`, unchanged, for the events after this page. Never null: after the last page it returns later events.',
      exampleOfPageInfo.nextCursor,
    ),
    minLength: 1,
    maxLength: maxCursorLength,
  },
  hasNextPage: flag('Whether the log has more events now.', exampleOfPageInfo.hasNextPage),
});

/** The schemas of an event (CloudEvents 1.0) and of a page of events. `origin`: of the server, for examples. */
export function eventSchemas(origin: string): Schemas {
  const example = {
    specversion: '1.0',
    id: exampleId('evt'),
    source: `${origin}/v1/organizations/${exampleId('org')}`,
    type: 'article.published',
    subject: exampleId('art'),
    time: '2026-03-01T09:00:00.000Z',
    datacontenttype: 'application/json',
    sequence: '0000000000000000042',
    data: {
      resource: 'article',
      id: exampleId('art'),
      url: `${origin}/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
      version: 3,
      changedFields: ['versionData.status', 'state'],
      actor: {
        user: exampleId('user'),
        client: exampleId('client'),
        token: exampleId('token'),
        methods: ['PASSWORD', 'TOTP'],
        requestId: '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
      },
    },
  };
  return {
    Event: eventSchema(example),
    EventList: object(
      'One page of events, oldest first.',
      {
        items: list('The page.', reference('Event'), { maxItems: limits.listPageSize.max }, [example]),
        pageInfo: reference('EventPageInfo'),
      },
      { items: [example], pageInfo: exampleOfPageInfo },
    ),
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
    examples: [['published', 'submitted']],
  };
  const changedAt = instant('When the last of these changes was made.', '2026-03-01T09:00:00.000Z');
  const examined = { minimum: 1, maximum: examinedPositionsOfTypes };
  const record: Record<string, JsonSchema> = {
    id: text('Id of the record.', exampleId('art')),
    url: orNull(
      text(
        'Address of the record, also after its deletion; null for one without an address.',
        `${origin}/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
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
  const newest = list(
    `The records that were changed last, ${namedRecords} at most.`,
    object('A record, and what was done with it.', record),
    { maxItems: namedRecords },
  );
  const work = object(
    'What one person did with records of one kind, without a pause of half an hour. Updates are apart from everything else that was done.',
    {
      resource: text('Kind of the records, as in the types of events.', 'article'),
      user: orNull(text('Who did it; null for the system itself.', exampleId('user'))),
      userName: orNull(
        text('The name of the member; null where members may not be read, or the person has left.', 'Ada'),
      ),
      actions,
      startedAt: instant('When the first of these changes was made.', '2026-03-01T08:45:00.000Z'),
      changedAt,
      events: integer('Number of events.', 3, examined),
      records: integer('Number of records.', 1, examined),
      newest,
    },
  );
  return object('What changed lately.', {
    items: list('The newest work first.', work, { maxItems: mostWorks }),
  });
}

function eventSchema(example: { readonly data: { readonly actor: unknown } }): JsonSchema {
  return object(
    'An event (CloudEvents 1.0). It says what changed and where to read it, and contains no content of the record.',
    {
      specversion: { ...text('Version of CloudEvents.', '1.0'), enum: ['1.0'] },
      id: text('Id of the event: the same every time it is sent.', exampleId('evt')),
      source: text('The organization.', `https://api.example.com/v1/organizations/${exampleId('org')}`),
      type: text('The resource and what happened.', 'article.published'),
      subject: text('Id of the record.', exampleId('art')),
      time: instant('When the change was made.', '2026-03-01T09:00:00.000Z'),
      datacontenttype: { ...text('Type of `data`.', 'application/json'), enum: ['application/json'] },
      sequence: {
        ...text('Position in the log of the organization, zero-padded.', '0000000000000000042'),
        pattern: '^[0-9]{19}$',
      },
      data: dataSchema(example.data),
    },
    example,
  );
}

function dataSchema(example: { readonly actor: unknown }): JsonSchema {
  return object(
    'What happened to which record, and who did it.',
    {
      resource: text('Kind of the record, as in `type`.', 'article'),
      id: text('Id of the record.', exampleId('art')),
      url: orNull(
        text(
          'Path of the record, also after its deletion; null for records without a path.',
          `https://api.example.com/v1/books/${exampleId('book')}`,
        ),
      ),
      version: integer('Version of the record after the change. It orders the events of one record.', 3, {
        minimum: 1,
        maximum: int32Max,
      }),
      changedFields: list('Dotted names of the fields that changed.', { type: 'string' }, { maxItems: 200 }, [
        'versionData.status',
        'state',
      ]),
      actor: actorSchema(example.actor),
    },
    example,
  );
}

function actorSchema(example: unknown): JsonSchema {
  return object(
    'Who made the change.',
    {
      user: orNull(text('The user; null for changes of the system itself.', exampleId('user'))),
      client: orNull(text('The client; null for changes of the system itself.', exampleId('client'))),
      token: orNull(text('The token; null for changes of the system itself.', exampleId('token'))),
      methods: orNull(
        list(
          'How the person of a session signed in (`PASSWORD`, `TOTP`, `RECOVERY_CODE`, `PASSKEY`, `EXTERNAL`, `LINK`); null for a bearer token.',
          { type: 'string' },
          { maxItems: 10 },
          ['PASSWORD', 'TOTP'],
        ),
      ),
      requestId: text('Id of the request.', '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90'),
    },
    example,
  );
}

const asyncApiDocument = object('An AsyncAPI 3.0 document.', {
  asyncapi: { ...text('Version of AsyncAPI.', '3.0.0'), pattern: '^3\\.0\\.\\d+$' },
  info: foreign('Title, version, licence and introduction.', { title: 'Trellis events', version: '0.1.0' }),
  defaultContentType: text('Media type of every message.', 'application/json'),
  servers: foreign('The sender and the receivers.', { api: {} }),
  channels: foreign('The ways in which events are sent, with the messages of each.', { eventStream: {} }),
  operations: foreign('What the server sends.', { streamEvents: {} }),
  components: foreign('The schemas of the events.', { schemas: {} }),
});
