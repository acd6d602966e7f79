/** The complete list of operations of the tenant API: those of the resources, and a few that belong to none. */
import type { Model } from '../pipeline/model.ts';
import { articles } from '../resources/articles.ts';
import { checkOwnOperations, checkRegistered } from '../resources/check-declarations.ts';
import { knowledgeFiles } from '../resources/knowledge-files.ts';
import { webhookEndpoints } from '../resources/webhook-endpoints.ts';
import { articleOperations } from './article-operations.ts';
import { renderAsyncApi } from './asyncapi.ts';
import { answerJson, answerRead } from './calls.ts';
import type { HttpContext } from './context.ts';
import { eventOperations } from './event-operations.ts';
import { knowledgeFileOperations } from './knowledge-operations.ts';
import { type RenderedOpenApi, renderOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { resourceOperations, type SharedOperations } from './resource-operations.ts';
import { visitorOperations } from './visitors/operations.ts';
import { webhookOperations } from './webhook-operations.ts';

/** Makes the operations with code of their own of one resource, by the names that its declaration gives them. */
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
};

/** Builds all operations. `origin`: where the server is reached; known once it listens. */
export function buildOperations(context: HttpContext, origin: () => string): readonly Operation[] {
  const models = [...context.models.values()];
  checkRegistered(
    'src/http/operations.ts',
    Object.keys(ownOperations),
    models.map(({ resource }) => resource),
  );
  const operations: Operation[] = models.flatMap((model) => operationsOf(context, model));
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

/** The operations of a resource: the six that every resource has, some of them replaced, then further ones. */
function operationsOf(context: HttpContext, model: Model): readonly Operation[] {
  const shared = resourceOperations(context, model);
  const own = ownOperations[model.resource.name]?.(context, model, shared) ?? {};
  checkOwnOperations(model.resource, Object.keys(own));
  return Object.values({ ...shared, ...own });
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
