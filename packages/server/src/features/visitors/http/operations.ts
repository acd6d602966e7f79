/**
 * The operations of the tenant API on visitors: a server reads or erases one visitor by an id that a page has passed
 * on.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { contentTag } from '../../../kernel/contract/documentation/content-tag.ts';
import { handleRead, handleWrite, respondWithJson } from '../../../kernel/http/calls.ts';
import type { HttpContext } from '../../../kernel/http/context.ts';
import type { Call, Operation } from '../../../kernel/http/operation.ts';
import { idParameter } from '../../../kernel/http/resource-parameters.ts';
import { entityTag } from '../../../kernel/pipeline/entity-tags.ts';
import { planErasure, readVisitor, type VisitorTarget } from '../record.ts';
import { visitorLookupChanges } from './changelog.ts';
import { readingVisitors, visitOperations } from './visit-operations.ts';

const visitorId = idParameter(
  'visitorId',
  visitors.name,
  visitors.idPrefix,
  'Id of the visitor, as returned by an identify call.',
);

/** The operations on visitors, and their changelog. */
export function visitorOperations(context: HttpContext): Operation[] {
  const common = { tag: 'Visitors', queryParameters: [], body: null } as const;
  return [
    ...visitOperations(context),
    {
      ...common,
      operationId: 'getVisitor',
      method: 'GET',
      path: '/v1/visitors/{visitorId}',
      summary: 'Read a visitor',
      description:
        'Returns a visitor as it was last identified: within the last 30 days, or 24 hours for one that does not want to be recognized. The ETag changes with every identification.',
      requirement: readingVisitors,
      pathParameters: [visitorId],
      success: { status: 200, description: 'The visitor.', schemaName: 'Visitor', headers: ['ETag'] },
      conditional: true,
      problems: [],
      handle: (call) =>
        handleRead(context, call, async () => {
          const { version, record } = await readVisitor(context.database, targetOf(call));
          return respondWithJson(call, entityTag(version), () => JSON.stringify(record));
        }),
    },
    {
      ...common,
      operationId: 'deleteVisitor',
      method: 'DELETE',
      path: '/v1/visitors/{visitorId}',
      summary: 'Erase a visitor',
      description:
        'Permanently erases a visitor with all its identifications. The token stored in the browser becomes invalid, so the browser is a new visitor next time.',
      requirement: {
        scopes: ['visitors:delete'],
        module: 'visitors',
        permission: { resource: 'visitors', action: 'delete' },
      },
      pathParameters: [visitorId],
      success: { status: 204, description: 'Erased.', schemaName: null, headers: ['Idempotent-Replayed'] },
      conditional: false,
      problems: ['version_mismatch'],
      handle: (call) => handleWrite(context, call, () => planErasure(targetOf(call))),
    },
    {
      ...common,
      operationId: 'getVisitorLookupChangelog',
      method: 'GET',
      path: '/v1/changelogs/visitor-lookup',
      summary: 'Read the changelog of the visitor lookup',
      description: 'Every change of the shape of a visitor and of an identify call, the newest first.',
      requirement: { scopes: [], module: null, permission: null },
      pathParameters: [],
      success: {
        status: 200,
        description: 'The changelog.',
        schemaName: 'VisitorLookupChangelog',
        headers: ['ETag'],
      },
      conditional: true,
      problems: [],
      handle: (call) =>
        handleRead(context, call, async () => {
          const text = JSON.stringify({ changes: visitorLookupChanges });
          return respondWithJson(call, contentTag(text), () => text);
        }),
    },
  ];
}

/** A malformed id gets the same 404 as an unknown one. */
function targetOf(call: Call): VisitorTarget {
  const uuid = decodeId(visitors.idPrefix, call.params.visitorId ?? '');
  if (uuid === null) throw new Problem('not_found');
  return { organizationId: call.credentials.organizationId, visitorId: uuid };
}
