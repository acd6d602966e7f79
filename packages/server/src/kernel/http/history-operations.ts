/** The operations that read the history of a record, and the record as it was, derived from the declaration of the resource. */

import { limits } from '@trellis/schema/resources/limits.ts';
import { nounOf } from '@trellis/schema/resources/nouns.ts';
import { hasHistory } from '@trellis/schema/resources/resource.ts';
import { renderRecord } from '@trellis/schema/validation/values.ts';
import type { Model } from '../pipeline/model.ts';
import { renderWithinBudget } from '../pipeline/page-budget.ts';
import { listHistory, readRecordAsOf, renderHistoryItem } from '../pipeline/read/history.ts';
import { handleRead, nextCursorOf, pathNumber, respondWithJson, respondWithPage } from './calls.ts';
import type { HttpContext } from './context.ts';
import type { Operation, PathParameter } from './operation.ts';
import { requirementOf, targetOf } from './resource-operations.ts';
import { cursorParameter, idParameter, limitParameter, parentParameters } from './resource-parameters.ts';
import { int32Max } from './schemas.ts';

const versionParameter: PathParameter = {
  name: 'version',
  resource: null,
  description: 'Version of the record, from 1.',
  schema: { type: 'integer', minimum: 1, maximum: int32Max },
  example: 1,
};

/** The operations, for a resource whose changes are stored; none for others. */
export function historyOperations(context: HttpContext, model: Model): readonly Operation[] {
  const { resource } = model;
  if (!hasHistory(resource)) return [];
  const { singular, plural } = resource.title;
  const noun = nounOf(resource.singular);
  const collection = `/v1${resource.path}`;
  const item = resource.single === true ? collection : `${collection}/{id}`;
  const id = resource.single
    ? []
    : [idParameter('id', resource.name, resource.idPrefix, `Id of the ${noun}.`)];
  const pathParameters = [...parentParameters(resource), ...id];
  const common = {
    tag: plural,
    method: 'GET',
    requirement: requirementOf(resource, 'read'),
    body: null,
    conditional: false,
  } as const;
  return [
    {
      ...common,
      operationId: `list${singular}History`,
      path: `${item}/history`,
      summary: `List the changes of ${resource.single ? 'the' : 'one'} ${noun}`,
      description:
        'Each change with the values before and after it, newest first; the creation is the last item. Changes made while the caller could not see the record are omitted. They are kept for as many days as the organization says (`historyDays`), and erased with the record.',
      pathParameters,
      queryParameters: [limitParameter(limits.listPageSize), cursorParameter],
      success: { status: 200, description: 'One page of changes.', schemaName: 'History', headers: [] },
      isListing: true,
      problems: ['cursor_invalid', 'cursor_mismatch'],
      handle: (call) =>
        handleRead(context, call, async (_actor, { limit, cursor }) => {
          const target = targetOf(resource, call);
          const { organizationId } = target;
          const binding = {
            organizationId,
            route: `${call.operation.operationId} ${call.path}`,
            query: {},
          };
          const after = cursor === undefined ? null : context.cursors.open(binding, cursor);
          const wanted = Number(limit ?? limits.listPageSize.default);
          const page = await listHistory(context.database, model, target, after, wanted);
          const items = await renderWithinBudget(context.database, organizationId, page.items, (each) =>
            JSON.stringify(renderHistoryItem(resource, each)),
          );
          const keys = page.items.map(({ version }) => `${target.id} ${version}`);
          return respondWithPage(call, items, keys, nextCursorOf(context, binding, page, items.length));
        }),
    },
    {
      ...common,
      operationId: `get${singular}AsOf`,
      path: `${item}/history/{version}`,
      summary: `Read ${resource.single ? 'the' : 'one'} ${noun} as of a version`,
      description:
        'The record as it was at that version. To restore a value or all of them, send them in a PATCH. The response is 404 if that is not known any more: the changes since are older than the history is kept, were made while the caller could not see the record, or are too many.',
      pathParameters: [...pathParameters, versionParameter],
      queryParameters: [],
      success: {
        status: 200,
        description: 'The record at that version.',
        schemaName: singular,
        headers: [],
      },
      problems: [],
      handle: (call) =>
        handleRead(context, call, async () => {
          const target = targetOf(resource, call);
          const version = Number(pathNumber(call, 'version'));
          const record = await readRecordAsOf(context.database, model, target, version);
          return respondWithJson(call, null, () => JSON.stringify(renderRecord(resource, record)));
        }),
    },
  ];
}
