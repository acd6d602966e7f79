/** The tenant API: the operations of the resources, and those of features that belong to none. */

import { checkOwnOperations, checkRegistered } from '@trellis/schema/resources/check-declarations.ts';
import { hasOperation, sharedOperations } from '@trellis/schema/resources/resource.ts';
import { renderAsyncApi } from '../../kernel/contract/asyncapi.ts';
import type { DescribedApi } from '../../kernel/contract/described-api.ts';
import type { RenderedDocument } from '../../kernel/contract/documentation/rendered-document.ts';
import { renderOpenApi } from '../../kernel/contract/openapi.ts';
import type { Feature, OwnOperations, ServedFeature } from '../../kernel/feature.ts';
import { batchOperations } from '../../kernel/http/batch-operation.ts';
import { handleRead, respondWithJson } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import { countOperations } from '../../kernel/http/count-operation.ts';
import { historyOperations } from '../../kernel/http/history-operations.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import { resourceOperations } from '../../kernel/http/resource-operations.ts';
import { upsertOperations } from '../../kernel/http/upsert-operation.ts';
import type { Model } from '../../kernel/pipeline/model.ts';

/** The API of a server, and what its features serve besides. */
export interface Api extends DescribedApi {
  readonly served: readonly ServedFeature[];
}

/** Builds all operations. */
export function buildApi(context: HttpContext, features: readonly Feature[]): Api {
  const models = [...context.models.values()];
  const served = features.flatMap(({ serve }) => (serve === undefined ? [] : [serve(context)]));
  const own = Object.assign({}, ...served.map(({ ownOperations }) => ownOperations)) as Readonly<
    Record<string, OwnOperations>
  >;
  checkRegistered(
    'packages/server/src/features.ts',
    Object.keys(own),
    models.map(({ resource }) => resource),
  );
  const operations: Operation[] = models.flatMap((model) =>
    operationsOf(context, model, own[model.resource.name]),
  );
  operations.push(...served.flatMap((feature) => feature.operations ?? []));
  const api: Api = {
    operations,
    features: features.flatMap(({ documents }) => (documents === undefined ? [] : [documents])),
    served,
  };
  operations.push(
    documentOperation(context, {
      operationId: 'getOpenApi',
      path: '/v1/openapi',
      summary: 'Read this document',
      description: 'The OpenAPI 3.1 document of this server, the authority on requests and responses.',
      schemaName: 'OpenApiDocument',
      render: () => renderOpenApi(api, context.origin()),
    }),
    documentOperation(context, {
      operationId: 'getAsyncApi',
      path: '/v1/asyncapi',
      summary: 'Read the AsyncAPI document',
      description: 'The AsyncAPI 3.0 document of this server, which describes webhooks and the event stream.',
      schemaName: 'AsyncApiDocument',
      render: () => renderAsyncApi(api, context.origin()),
    }),
  );
  return api;
}

/** The operations of a resource: the shared ones that it has, some of them replaced, further ones, upserts, batches, counts and histories. */
function operationsOf(
  context: HttpContext,
  model: Model,
  makeOwn: OwnOperations | undefined,
): readonly Operation[] {
  const { resource } = model;
  const shared = resourceOperations(context, model);
  const own = makeOwn?.(model, shared) ?? {};
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
