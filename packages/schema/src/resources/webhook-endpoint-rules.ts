/** Rules of webhook endpoints: they name event types that exist. */

import { describeUnknownPattern, isKnownPattern } from '../event-types.ts';
import type { Fault } from '../problem.ts';
import type { RecordRules } from './record-rules.ts';
import type { webhookEndpoints } from './webhook-endpoints.ts';

export const webhookEndpointRules: RecordRules<typeof webhookEndpoints> = {
  check: ({ eventTypes }) => checkTypes(eventTypes),
};

function checkTypes(types: readonly string[]): Fault[] {
  if (types.length === 0) {
    return [
      { pointer: '/eventTypes', code: 'minItems', detail: 'Name at least one type; `*` matches every type.' },
    ];
  }
  return types.flatMap((type, index): Fault[] => {
    if (isKnownPattern(type)) return [];
    const detail = describeUnknownPattern(type);
    return [{ pointer: `/eventTypes/${index}`, code: 'unknown_event_type', detail }];
  });
}
