/** The list of all operations of the tenant API: those of the resources, and those that belong to none. */

import { articles } from '@trellis/schema/resources/articles.ts';
import { checkOwnOperations, checkRegistered } from '@trellis/schema/resources/check-declarations.ts';
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { hasOperation, sharedOperations } from '@trellis/schema/resources/resource.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { activityOperation } from '../../activity/operations.ts';
import { invitationOperations } from '../../administration/invitations/operations.ts';
import { meOperation } from '../../administration/operations.ts';
import { sessionOperations } from '../../administration/sessions/operations.ts';
import { tokenOperations } from '../../administration/tokens/operations.ts';
import { renderAsyncApi } from '../../contract/asyncapi.ts';
import type { RenderedDocument } from '../../contract/documentation/rendered-document.ts';
import { renderOpenApi } from '../../contract/openapi.ts';
import { eventOperations } from '../../events/operations.ts';
import { batchOperations } from '../../http/batch-operation.ts';
import { handleRead, respondWithJson } from '../../http/calls.ts';
import type { HttpContext } from '../../http/context.ts';
import { countOperations } from '../../http/count-operation.ts';
import { historyOperations } from '../../http/history-operations.ts';
import type { Operation } from '../../http/operation.ts';
import { resourceOperations, type SharedOperations } from '../../http/resource-operations.ts';
import { upsertOperations } from '../../http/upsert-operation.ts';
import type { Model } from '../../pipeline/model.ts';
import { articleOperations } from '../../resources/articles/operations.ts';
import { knowledgeFileOperations } from '../../resources/knowledge-files/http/operations.ts';
import { trashOperations } from '../../trash/operations.ts';
import { visitorOperations } from '../../visitors/http/operations.ts';
import { waitingOperation } from '../../waiting/operations.ts';
import { webhookOperations } from '../../webhooks/operations.ts';

/** Creates the own operations of a resource, by the names in its declaration. */
type OwnOperations = (
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
) => Readonly<Record<string, Operation>>;

/** The code of own operations, by the name of the resource. */
const ownOperations: Readonly<Record<string, OwnOperations>> = {
  [knowledgeFiles.name]: knowledgeFileOperations,
  [articles.name]: articleOperations,
  [webhookEndpoints.name]: webhookOperations,
  [invitations.name]: invitationOperations,
  [tokens.name]: tokenOperations,
};

/** Builds all operations. `origin`: the public origin of the server, which is known once it listens. */
export function buildOperations(context: HttpContext, origin: () => string): readonly Operation[] {
  const models = [...context.models.values()];
  checkRegistered(
    'packages/server/src/node/api/operations.ts',
    Object.keys(ownOperations),
    models.map(({ resource }) => resource),
  );
  const operations: Operation[] = models.flatMap((model) => operationsOf(context, model));
  operations.push(meOperation(context));
  operations.push(...sessionOperations(context));
  operations.push(...visitorOperations(context));
  operations.push(...eventOperations(context, origin));
  operations.push(activityOperation(context, origin));
  operations.push(waitingOperation(context, origin));
  operations.push(...trashOperations(context, origin));
  operations.push(
    documentOperation(context, {
      operationId: 'getOpenApi',
      path: '/v1/openapi',
      summary: 'Read this document',
      description: 'The OpenAPI 3.1 document of this server, the authority on requests and responses.',
      schemaName: 'OpenApiDocument',
      render: () => renderOpenApi(operations, origin()),
    }),
    documentOperation(context, {
      operationId: 'getAsyncApi',
      path: '/v1/asyncapi',
      summary: 'Read the AsyncAPI document',
      description: 'The AsyncAPI 3.0 document of this server, which describes webhooks and the event stream.',
      schemaName: 'AsyncApiDocument',
      render: () => renderAsyncApi(origin()),
    }),
  );
  return operations;
}

/** The operations of a resource: the shared ones that it has, some of them replaced, further ones, upserts, batches, counts and histories. */
function operationsOf(context: HttpContext, model: Model): readonly Operation[] {
  const { resource } = model;
  const shared = resourceOperations(context, model);
  const own = ownOperations[resource.name]?.(context, model, shared) ?? {};
  checkOwnOperations(resource, Object.keys(own));
  const had = sharedOperations.filter((name) => hasOperation(resource, name));
  return [
    ...Object.values({ ...Object.fromEntries(had.map((name) => [name, shared[name]])), ...own }),
    ...upsertOperations(context, model),
    ...batchOperations(context, model),
    ...countOperations(context, model),
    ...historyOperations(context, model),
  ];
}

/** A document about the server itself. */
interface ServedDocument {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Component of the OpenAPI document. */
  readonly schemaName: string;
  readonly render: () => RenderedDocument;
}

/** The operation that reads a document, with any token. The OpenAPI document describes all operations, including this one. */
function documentOperation(context: HttpContext, served: ServedDocument): Operation {
  const { operationId, path, summary, description, schemaName, render } = served;
  return {
    operationId,
    method: 'GET',
    path,
    tag: 'Meta',
    summary,
    description,
    requirement: { scopes: [], module: null, permission: null },
    pathParameters: [],
    queryParameters: [],
    body: null,
    success: { status: 200, description: 'The document.', schemaName, headers: ['ETag'] },
    conditional: true,
    problems: [],
    handle: (call) =>
      handleRead(context, call, async () => {
        const { content, etag } = render();
        return respondWithJson(call, etag, () => content);
      }),
  };
}
