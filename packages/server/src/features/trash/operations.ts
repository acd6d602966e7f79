/**
 * The operations of the trash. What one may do with a record follows from its resource, which its id says: the right to delete it, decided at
 * each request.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { userPrefix } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { handleRead, handleWrite, respondWithPage, scopeOfRead } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Call, Operation, OperationResponse, PathParameter } from '../../kernel/http/operation.ts';
import { cursorParameter, limitParameter } from '../../kernel/http/resource-parameters.ts';
import { exampleId } from '../../kernel/http/schemas.ts';
import { searchTextSchema } from '../../kernel/pipeline/list/parameters.ts';
import { type Model, modelOf } from '../../kernel/pipeline/model.ts';
import type { Plan } from '../../kernel/pipeline/write/plan.ts';
import {
  LostReferences,
  planPurge,
  planRestore,
  type TrashTarget,
} from '../../kernel/pipeline/write/trash-plans.ts';
import { keptResources, listTrash, mostExamined, renderEntry } from './list.ts';

const id: PathParameter = {
  name: 'id',
  resource: 'trash',
  description: 'Id of the deleted record.',
  schema: { type: 'string', maxLength: 64, pattern: '^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$' },
  example: exampleId('book'),
};

/** The refusals that follow from the resource of a record, for which the requirement of the operation does not say them. */
const refusals = ['insufficient_scope', 'module_disabled', 'permission_denied'] as const;

/** The operations. `origin`: the public origin of the server, which is known once it listens. */
export function trashOperations(context: HttpContext, origin: () => string): readonly Operation[] {
  const common = {
    tag: 'Trash',
    // The id says which resource has to be permitted; without one, the list has what the caller may delete.
    requirement: { scopes: [], module: null, permission: null },
    body: null,
    conditional: false,
  } as const;
  return [
    {
      ...common,
      operationId: 'listTrash',
      method: 'GET',
      path: '/v1/trash',
      summary: 'List the trash',
      description: `Deleted records that can be restored, last deleted first: those that the caller could delete now. Any token may ask; what it may not delete is omitted. With \`search\` or \`deletedBy\`, a page examines up to ${mostExamined.toLocaleString('en')} records: it may have fewer items than \`limit\`, or none, and still a next one.`,
      pathParameters: [],
      queryParameters: [
        limitParameter(limits.listPageSize),
        cursorParameter,
        {
          name: 'resource',
          description: 'Only records of this resource.',
          required: false,
          schema: { type: 'string', enum: keptResources.map(({ name }) => name) },
          example: 'books',
        },
        {
          name: 'search',
          description: 'Only records whose title has all of these words, ignoring case and accents.',
          required: false,
          schema: searchTextSchema,
          example: 'release',
        },
        {
          name: 'deletedBy',
          description: 'Only records that the user with this id deleted.',
          required: false,
          schema: { type: 'string', minLength: 1, maxLength: 64 },
          example: exampleId('user'),
        },
      ],
      success: { status: 200, description: 'One page of the trash.', schemaName: 'TrashList', headers: [] },
      isListing: true,
      problems: ['cursor_invalid', 'cursor_mismatch'],
      handle: (call) => list(context, call, origin),
    },
    {
      ...common,
      operationId: 'restoreFromTrash',
      method: 'POST',
      path: '/v1/trash/{id}/restore',
      summary: 'Restore a deleted record',
      description:
        'Restores a record with its id and all its versions; `Location` is its address. Requires the right to delete it. What was published is published again only for callers who may publish it, otherwise it comes back unpublished. Refused while something is in the way: a unique value that another record has by now (`conflict`), a parent that is gone, or records that it refers to and that are in the trash as well (`reference_gone`). References to records that no longer exist anywhere are cleared.',
      pathParameters: [id],
      queryParameters: [],
      success: {
        status: 200,
        description: 'The restored record.',
        schemaName: 'RestoredRecord',
        headers: ['ETag', 'Location', 'Idempotent-Replayed', 'Preference-Applied'],
      },
      problems: [...refusals, 'conflict', 'reference_gone', 'version_mismatch'],
      handle: (call) => restore(context, call),
    },
    {
      ...common,
      operationId: 'purgeFromTrash',
      method: 'DELETE',
      path: '/v1/trash/{id}',
      summary: 'Delete a record for good',
      description:
        'Removes a deleted record from the trash before its time is over. It cannot be restored any more. Requires the right to delete it.',
      pathParameters: [id],
      queryParameters: [],
      success: { status: 204, description: 'Removed.', schemaName: null, headers: ['Idempotent-Replayed'] },
      problems: [...refusals, 'version_mismatch'],
      handle: (call) => act(context, call, planPurge),
    },
  ];
}

/** No user has the nil uuid. */
const nobody = '00000000-0000-0000-0000-000000000000';

function list(context: HttpContext, call: Call, origin: () => string): Promise<OperationResponse> {
  return handleRead(context, call, async (actor, { limit, cursor, ...conditions }) => {
    const { resource, search, deletedBy } = conditions;
    const binding = {
      organizationId: actor.organizationId,
      route: `${call.operation.operationId} ${call.path}`,
      query: conditions,
    };
    const page = await listTrash(context.database, scopeOfRead(call), actor, {
      resource: resource ?? null,
      search: search ?? null,
      deletedBy: deletedBy === undefined ? null : (decodeId(userPrefix, deletedBy) ?? nobody),
      after: cursor === undefined ? null : context.cursors.open(binding, cursor),
      limit: Number(limit ?? limits.listPageSize.default),
    });
    const nextCursor = page.next === null ? null : context.cursors.seal(binding, page.next);
    return respondWithPage(
      call,
      page.entries.map((entry) => JSON.stringify(renderEntry(entry, origin()))),
      page.entries.map(({ id }) => id),
      nextCursor,
    );
  });
}

/** How often references are cleared, since further records may be purged meanwhile. */
const attempts = 3;

/** Restores a record. References to records that no longer exist anywhere are cleared: they can never be restored. */
async function restore(context: HttpContext, call: Call): Promise<OperationResponse> {
  let lost: ReadonlySet<string> = new Set();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act(context, call, (model, target, minimal) =>
        planRestore(context.models, model, target, { minimal }, lost),
      );
    } catch (error) {
      if (!(error instanceof LostReferences) || attempt === attempts) throw error;
      lost = lost.union(error.ids);
    }
  }
}

/** A write of a record of the trash, with the right to delete records of its resource. */
function act(
  context: HttpContext,
  call: Call,
  plan: (model: Model, target: TrashTarget, minimal: boolean) => Plan,
): Promise<OperationResponse> {
  const found = findResource(call.params.id ?? '');
  if (found === null)
    return handleWrite(context, call, () => {
      throw new Problem('not_found');
    });
  const { organizationId, userId } = call.credentials;
  const target = { organizationId, userId, id: found.id };
  const model = modelOf(context.models, found.resource.name);
  const operation = { ...call.operation, requirement: rightFor(found.resource, 'delete') };
  return handleWrite(context, { ...call, operation }, ({ minimal }) => plan(model, target, minimal));
}

/** The resource and uuid of an id; null if there is no trash for it. */
function findResource(text: string) {
  for (const resource of keptResources) {
    const uuid = decodeId(resource.idPrefix, text);
    if (uuid !== null) return { resource, id: uuid };
  }
  return null;
}
