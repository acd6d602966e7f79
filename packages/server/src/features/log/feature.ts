/** The event log: by pages, as a stream, and as recent activity. */
import type { Feature } from '../../kernel/feature.ts';
import { activityOperation } from './activity-operation.ts';
import { streamMessages } from './messages.ts';
import { eventOperations } from './operations.ts';
import { eventSchemas } from './schemas.ts';

export const logFeature: Feature = {
  name: 'log',
  serve: (context) => ({
    operations: [...eventOperations(context, context.origin), activityOperation(context, context.origin)],
  }),
  documents: {
    tags: { Events: 'The event log: what happened to records, in order.' },
    schemas: eventSchemas,
    messages: streamMessages,
  },
};
