/** The operations that show visits: the visitors of a site, and counts by day and site. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { sites } from '@trellis/schema/resources/sites.ts';
import { countedDays } from '@trellis/schema/resources/visitors.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { canonicalizeTimeZone } from '@trellis/schema/values/locale.ts';
import { handleRead, respondWithJson, respondWithPage, scopeOfRead } from '../../../kernel/http/calls.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Operation } from '../../../kernel/http/operation.ts';
import { cursorParameter, idInRequest, limitParameter } from '../../../kernel/http/resource-parameters.ts';
import { exampleId } from '../../../kernel/http/schemas.ts';
import type { Requirement } from '../../../kernel/identity/actor.ts';
import { countedVisits, countVisits, listVisitors } from '../visits.ts';

/** What reading visitors requires, in any form. */
export const readingVisitors: Requirement = {
  scopes: ['visitors:read'],
  module: 'visitors',
  permission: { resource: 'visitors', action: 'read' },
};

const whoIsMissing =
  'Visitors who do not want to be recognized (`DENIED`, or Global Privacy Control) are not shown.';

export function visitOperations(context: HttpContext): Operation[] {
  const common = {
    tag: 'Visitors',
    method: 'GET',
    requirement: readingVisitors,
    pathParameters: [],
    body: null,
    conditional: false,
  } as const;
  return [
    {
      ...common,
      operationId: 'listVisitors',
      path: '/v1/visitors',
      summary: 'List visitors of a site',
      description: `The visitors of a site that are kept, those seen last first. ${whoIsMissing}`,
      queryParameters: [
        {
          name: 'siteId',
          description: 'The site.',
          required: true,
          schema: idInRequest(sites.idPrefix),
          example: exampleId(sites.idPrefix),
        },
        limitParameter(limits.listPageSize),
        cursorParameter,
      ],
      success: { status: 200, description: 'One page of visitors.', schemaName: 'VisitorList', headers: [] },
      isListing: true,
      problems: ['cursor_invalid', 'cursor_mismatch'],
      handle: (call) =>
        handleRead(context, call, async ({ organizationId }, { siteId = '', cursor, limit }) => {
          const site = decodeId(sites.idPrefix, siteId);
          const binding = { organizationId, route: 'listVisitors', query: { siteId } };
          const after = cursor === undefined ? null : context.cursors.open(binding, cursor);
          const { items, next } =
            site === null
              ? { items: [], next: null }
              : await listVisitors(context.database, scopeOfRead(call), {
                  siteId: site,
                  after,
                  limit: Number(limit ?? limits.listPageSize.default),
                });
          return respondWithPage(
            call,
            items.map((item) => JSON.stringify(item)),
            items.map(({ visitorId }) => visitorId),
            next === null ? null : context.cursors.seal(binding, next),
          );
        }),
    },
    {
      ...common,
      operationId: 'countVisits',
      path: '/v1/visitors/counts',
      summary: 'Count visits by day and site',
      description: `How many visits each site had on each of the last ${countedDays} days, and of how many visitors. ${whoIsMissing} Bots are not counted either. Counting ends after the newest ${countedVisits.toLocaleString('en')} visits: \`from\` is the first day that is counted as a whole.`,
      queryParameters: [
        {
          name: 'timeZone',
          description: 'The time zone whose midnights divide the days, by its IANA name.',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 64, format: 'timezone', default: 'UTC' },
          example: 'Europe/Berlin',
        },
      ],
      success: { status: 200, description: 'The counts.', schemaName: 'VisitCounts', headers: [] },
      problems: [],
      handle: (call) =>
        handleRead(context, call, async (_actor, { timeZone = 'UTC' }) => {
          // The parameter has been checked.
          const zone = canonicalizeTimeZone(timeZone) ?? 'UTC';
          const counts = await countVisits(context.database, scopeOfRead(call), zone, new Date());
          return respondWithJson(call, null, () => JSON.stringify(counts));
        }),
    },
  ];
}
