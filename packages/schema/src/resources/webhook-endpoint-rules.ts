/** Rules of webhook endpoints: they name event types that exist, and that their sites have. */

import { describeUnknownPattern, isKnownPattern, matchesSites } from '../event-types.ts';
import type { Fault } from '../problem.ts';
import type { RecordRules } from './record-rules.ts';
import type { webhookEndpoints } from './webhook-endpoints.ts';

export const webhookEndpointRules: RecordRules<typeof webhookEndpoints> = {
  check: ({ eventTypes, siteIds }) => [...checkTypes(eventTypes), ...checkSites(siteIds, eventTypes)],
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

/** An endpoint that would never receive anything is a mistake. */
function checkSites(siteIds: readonly string[] | null, types: readonly string[]): Fault[] {
  if (siteIds === null) return [];
  if (siteIds.length === 0) {
    const detail = 'Name at least one site; `null` is all sites, and what belongs to none.';
    return [{ pointer: '/siteIds', code: 'minItems', detail }];
  }
  return types.flatMap((type, index): Fault[] => {
    if (!isKnownPattern(type) || matchesSites(type)) return [];
    const detail = `Events of the type "${type}" belong to no site, so an endpoint of certain sites does not receive them. Use another endpoint for them.`;
    return [{ pointer: `/eventTypes/${index}`, code: 'not_of_sites', detail }];
  });
}
