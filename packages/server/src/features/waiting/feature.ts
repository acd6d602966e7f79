/** Pending work of the caller, across sites. */
import type { Feature } from '../../kernel/feature.ts';
import { waitingOperation } from './operations.ts';
import { waitingSchemas } from './schemas.ts';

export const waitingFeature: Feature = {
  name: 'waiting',
  serve: (context) => ({ operations: [waitingOperation(context, context.origin)] }),
  documents: { schemas: waitingSchemas },
};
