/**
 * The OpenAPI 3.1 document, generated from the operations that the server runs and the schemas that validate and render, so
 * that it cannot contradict them.
 */
import { joinWords, nounOf } from '@trellis/schema/resources/nouns.ts';
import packageFile from '../../../../../package.json' with { type: 'json' };
import type { Operation } from '../http/operation.ts';
import type { DescribedApi } from './described-api.ts';
import { type RenderedDocument, renderOnce } from './documentation/rendered-document.ts';
import {
  describeBodies,
  describeOperation,
  describePaths,
  describeServer,
} from './openapi/describe-operation.ts';
import { introduction, tagsOf } from './openapi/introduction.ts';
import { nameGroups } from './openapi/name-groups.ts';
import { parameterComponents, parametersOf } from './openapi/parameters.ts';
import { headerComponents, responseComponents, responsesOf } from './openapi/responses.ts';
import { responseSchemas } from './openapi/shared-schemas.ts';
import { keepUsed } from './openapi/used-components.ts';

/** The document. `origin`: scheme, host and port of the server, without a slash at the end. */
export function buildOpenApi(
  { operations, features }: DescribedApi,
  origin: string,
): Record<string, unknown> {
  const open = features.flatMap(({ publicOperations = [] }) => publicOperations);
  const paths = {
    ...describePaths(operations, (operation) => describe(operation, operations)),
    ...Object.assign({}, ...open.map((own) => describePaths([own.operation], own.describe))),
  };
  const schemas = nameGroups({
    ...responseSchemas(features, origin),
    ...describeBodies([...operations, ...open.map(({ operation }) => operation)]),
  });
  const components = {
    schemas,
    responses: responseComponents(origin),
    parameters: Object.assign({}, parameterComponents(), ...features.map(({ calls }) => calls?.parameters)),
    headers: headerComponents(),
  };
  const webhooks = Object.assign({}, ...features.map(({ calls }) => calls?.webhooks()));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trellis tenant API',
      version: packageFile.version,
      summary: packageFile.description,
      description: introduction(origin),
      contact: { name: 'Documentation of this server', url: `${origin}/docs` },
      license: { name: 'Apache License 2.0', identifier: packageFile.license },
    },
    servers: [describeServer(origin)],
    security: [{ bearer: [] }],
    tags: tagsOf({ operations, features }),
    paths,
    webhooks,
    components: {
      ...keepUsed(components, { paths, webhooks }),
      securitySchemes: Object.assign(
        { bearer: bearerScheme },
        ...features.map((feature) => feature.securitySchemes),
      ),
    },
  };
}

const renderers = new WeakMap<DescribedApi, (origin: string) => RenderedDocument>();

/** The document as it is sent; made once for each API. */
export function renderOpenApi(api: DescribedApi, origin: string): RenderedDocument {
  const render = renderers.get(api) ?? renderOnce((address) => buildOpenApi(api, address));
  renderers.set(api, render);
  return render(origin);
}

const bearerScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A token of the tenant API. The scopes that an operation requires are in `x-required-scopes` and in its description.',
};

function describe(operation: Operation, operations: readonly Operation[]): Record<string, unknown> {
  return describeOperation(operation, {
    needs: describeRequirement(operation),
    members: { 'x-required-scopes': operation.requirement.scopes },
    parameters: parametersOf(operation),
    responses: responsesOf(operation, operations),
  });
}

function describeRequirement({ requirement }: Operation): string {
  const { scopes, module, permission, orActions = [] } = requirement;
  if (scopes.length === 0) return 'Requires any valid token.';
  const needs = [
    `the scope ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`,
    ...(module === null ? [] : [`the module \`${module}\``]),
    ...(permission === null
      ? []
      : [
          `a role that may ${joinWords([permission.action, ...orActions], 'or')} ${nounOf(permission.resource)}`,
        ]),
  ];
  return `Requires ${joinWords(needs)}.`;
}
