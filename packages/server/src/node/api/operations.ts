/** Why: the complete list of operations of the tenant API. */

import { articles } from '@trellis/schema/resources/articles.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import { renderAsyncApi } from '../../contract/asyncapi.ts';
import { type RenderedOpenApi, renderOpenApi } from '../../contract/openapi.ts';
import { eventOperations } from '../../events/operations.ts';
import { answerJson, answerRead } from '../../http/calls.ts';
import type { HttpContext } from '../../http/context.ts';
import type { Operation } from '../../http/operation.ts';
import { resourceOperations } from '../../http/resource-operations.ts';
import type { Model } from '../../pipeline/model.ts';
import { articleOperations } from '../../resources/articles/operations.ts';
import { knowledgeFileOperations } from '../../resources/knowledge-files/http/operations.ts';
import { visitorOperations } from '../../visitors/http/operations.ts';
import { webhookOperations } from '../../webhooks/operations.ts';

/** Builds all operations. `origin`: where the server is reached; known once it listens. */
export function buildOperations(context: HttpContext, origin: () => string): readonly Operation[] {
  const operations: Operation[] = [...context.models.values()].flatMap((model) =>
    completeOperations(context, model, resourceOperations(context, model)),
  );
  operations.push(...visitorOperations(context));
  operations.push(...eventOperations(context, origin));
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
      summary: 'Read the document of the events',
      description: 'The AsyncAPI 3.0 document of what this server sends: webhooks and the stream of events.',
      schemaName: 'AsyncApiDocument',
      render: () => renderAsyncApi(origin()),
    }),
  );
  return operations;
}

/** The six operations that every resource has, with what is a resource's own. */
function completeOperations(
  context: HttpContext,
  model: Model,
  shared: readonly Operation[],
): readonly Operation[] {
  switch (model.resource.name) {
    case articles.name:
      return [...shared, ...articleOperations(context, model)];
    case knowledgeFiles.name:
      return knowledgeFileOperations(context, model, shared);
    case webhookEndpoints.name:
      return webhookOperations(context, model, shared);
    default:
      return shared;
  }
}

/** A document about the server itself. */
interface ServedDocument {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Component of the OpenAPI document. */
  readonly schemaName: string;
  readonly render: () => RenderedOpenApi;
}

/** Any token may read a document. The live OpenAPI document describes every operation, itself included. */
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
      answerRead(context, call, async () => {
        const { text, etag } = render();
        return answerJson(call, etag, () => text);
      }),
  };
}
