/** Why: the complete list of operations of the tenant API. */
import type { Model } from '../pipeline/model.ts';
import { articles } from '../resources/articles.ts';
import { knowledgeFiles } from '../resources/knowledge-files.ts';
import { webhookEndpoints } from '../resources/webhook-endpoints.ts';
import { articleOperations } from './article-operations.ts';
import { answerJson, answerRead } from './calls.ts';
import type { HttpContext } from './context.ts';
import { eventOperations } from './event-operations.ts';
import { knowledgeFileOperations } from './knowledge-operations.ts';
import { renderOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { resourceOperations } from './resource-operations.ts';
import { visitorOperations } from './visitors/operations.ts';
import { webhookOperations } from './webhook-operations.ts';

/** Builds all operations. `origin`: where the server is reached; known once it listens. */
export function buildOperations(context: HttpContext, origin: () => string): readonly Operation[] {
  const operations: Operation[] = [...context.models.values()].flatMap((model) =>
    completeOperations(context, model, resourceOperations(context, model)),
  );
  operations.push(...visitorOperations(context));
  operations.push(...eventOperations(context, origin));
  operations.push(documentOperation(context, operations, origin));
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

/** The live document describes every operation, itself included. */
function documentOperation(
  context: HttpContext,
  operations: readonly Operation[],
  origin: () => string,
): Operation {
  return {
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/v1/openapi',
    tag: 'Meta',
    summary: 'Read this document',
    description: 'The OpenAPI 3.1 document of this server, the authority on requests and responses.',
    requirement: { scopes: [], module: null, permission: null },
    pathParameters: [],
    queryParameters: [],
    body: null,
    success: { status: 200, description: 'The document.', schemaName: 'OpenApiDocument', headers: ['ETag'] },
    conditional: true,
    problems: [],
    handle: (call) =>
      answerRead(context, call, async () => {
        const { text, etag } = renderOpenApi(operations, origin());
        return answerJson(call, etag, () => text);
      }),
  };
}
