/** The operation that reads what refers to a record. */
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { handleRead, respondWithJson } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import { requirementOf, targetOf } from '../../kernel/http/resource-operations.ts';
import { findGrant } from '../../kernel/identity/actor.ts';
import type { Model } from '../../kernel/pipeline/model.ts';
import { readRecord } from '../../kernel/pipeline/read/read.ts';
import type { FindUses } from './uses.ts';

interface Described extends Pick<Operation, 'operationId' | 'summary' | 'description' | 'pathParameters'> {
  readonly findUses: FindUses;
}

export function usageOperation(
  context: HttpContext,
  model: Model,
  { findUses, ...described }: Described,
): Operation {
  const { resource } = model;
  return {
    ...described,
    tag: resource.title.plural,
    method: 'GET',
    path: `/v1${resource.path}/{id}/usage`,
    requirement: requirementOf(resource, 'read'),
    queryParameters: [],
    body: null,
    success: { status: 200, description: 'Where it is used.', schemaName: 'Usage', headers: [] },
    conditional: false,
    problems: [],
    handle: (call) =>
      handleRead(context, call, async (actor) => {
        const target = targetOf(resource, call);
        await readRecord(context.database, model, target, 'working', 'narrow');
        const mayRead = (one: typeof resource) => typeof findGrant(actor, rightFor(one, 'read')) === 'string';
        const { uses, hasMore } = await findUses(context.database, target, target.id, mayRead);
        const items = uses.map(({ resource: one, id, parentId, title, isPublished, preventsDeletion }) => ({
          type: one.singular,
          id: encodeId(one.idPrefix, id),
          url: `${context.origin()}${recordPath(one, parentId, id)}`,
          title,
          published: isPublished,
          preventsDeletion,
        }));
        return respondWithJson(call, null, () => JSON.stringify({ items, hasMore }));
      }),
  };
}
