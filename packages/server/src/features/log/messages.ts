/** The event stream in the AsyncAPI document. */
import { eventTypes } from '@trellis/schema/event-types.ts';
import type { FeatureMessages } from '../../kernel/contract/feature-documents.ts';
import { eventMessages, sendOperation } from '../../kernel/contract/openapi/event-channels.ts';

/** The channel. */
export function streamMessages(): FeatureMessages {
  return {
    channels: {
      eventStream: {
        address: '/v1/events/stream',
        title: 'The event log as a stream',
        description:
          'Server-sent events in the order of the log: `data` is the event, `event` its type, and `id` a cursor. A client that reconnects with the last cursor as `Last-Event-ID` receives each event once. The events have no `record`.',
        servers: [{ $ref: '#/servers/api' }],
        messages: eventMessages(eventTypes, null),
      },
    },
    operations: { streamEvents: sendOperation('eventStream', 'Send events as they are logged.', 'GET') },
  };
}
