/** The schemas of events (CloudEvents 1.0) as messages, a schema for each type: the section `webhooks`, and the AsyncAPI document. */
import type { EventType } from '@trellis/schema/event-types.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import {
  exampleId,
  idSchema,
  instant,
  int32Max,
  integer,
  object,
  oneOf,
  reference,
  type Schemas,
  text,
} from '../../http/schemas.ts';

const eventProperties = (type: JsonSchema): Schemas => ({
  specversion: oneOf('Version of CloudEvents.', '1.0', ['1.0']),
  id: idSchema('evt', 'Id of the event: the same every time it is sent.'),
  source: text('URL of the organization.', `https://api.example.com/v1/organizations/${exampleId('org')}`),
  type,
  subject: text('Id of the record.', exampleId('art')),
  time: instant('When the change was made.'),
  datacontenttype: oneOf('What `data` is.', 'application/json', ['application/json']),
  sequence: text('Position in the log of the organization, zero-padded.', '0000000000000000042', {
    pattern: '^[0-9]{19}$',
  }),
  data: reference('EventData'),
});

const actorExample = {
  user: exampleId('user'),
  client: exampleId('client'),
  requestId: '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
};

const eventData = object('What changed, and where to read it.', {
  resource: text('Kind of the record.', 'article'),
  id: text('Id of the record.', exampleId('art')),
  url: orNull(
    text(
      'Path of the record, also after its deletion.',
      `https://api.example.com/v1/sites/${exampleId('site')}/articles/${exampleId('art')}`,
    ),
  ),
  version: integer('Version of the record after the change. It orders the events of one record.', 3, {
    minimum: 0,
    maximum: int32Max,
  }),
  changedFields: {
    type: 'array',
    description: 'Dotted names of the fields that changed.',
    items: { type: 'string' },
    examples: [['versionData.title']],
  },
  actor: { ...reference('EventActor'), examples: [actorExample] },
});

const withRecord: JsonSchema = {
  ...eventData,
  properties: {
    ...eventData.properties,
    record: {
      description:
        'Only for endpoints with the payload FULL: the record as the user on whose behalf it is sent may read it at the time of the call. It may have a later version; null if it was deleted or is not visible.',
      examples: [null],
      anyOf: [...resources.map(({ title }) => reference(title.singular)), { type: 'null' }],
    },
  },
};

/** The schemas of messages with events of these types, by the name of the component. */
export function eventMessageSchemas(types: readonly EventType[]): Schemas {
  return {
    EventActor: object('Who made the change.', {
      user: orNull(
        idSchema('user', 'The user; null for changes of the system, such as a scheduled publication.'),
      ),
      client: orNull(idSchema('client', 'The client; null likewise.')),
      requestId: text('Id of the request, as in `X-Request-Id`.', '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90'),
    }),
    EventData: withRecord,
    ...Object.fromEntries(
      types.map(({ type, description }) => [eventSchemaName(type), eventSchema(type, description)]),
    ),
  };
}

function eventSchema(type: string, description: string): JsonSchema {
  const schema = object(description, eventProperties(oneOf('What happened.', type, [type])));
  const [example] = schema.examples ?? [];
  return { ...schema, examples: [{ ...(example as object), data: eventData.examples?.[0] }] };
}

/** `article.schedule_failed` to `ArticleScheduleFailedEvent`. */
export function eventSchemaName(type: string): string {
  const words = type.split(/[.\-_]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
