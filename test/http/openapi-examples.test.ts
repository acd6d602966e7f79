/**
 * Tests of the examples in the OpenAPI documents: every request body and every successful response body has one that
 * matches its schema.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSandboxDocument } from '@trellis/server/features/sandbox/http/document.ts';
import { buildOpenApi } from '@trellis/server/kernel/contract/openapi.ts';
import { apiWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { signInDocument } from '../support/operations.ts';
import type { Json } from '../support/server.ts';
import { createSchemaValidator } from '../support/validate-response.ts';

const origin = 'http://localhost:3000';
const tenantDocument: Json = JSON.parse(JSON.stringify(buildOpenApi(apiWithoutServer(origin), origin)));
const sandboxDocument: Json = JSON.parse(JSON.stringify(buildSandboxDocument(`${origin}/sandbox`)));

/** A body in the document: its owner, its media type object, and the JSON pointer to that object. */
interface Body {
  readonly name: string;
  readonly mediaType: Json;
  readonly pointer: string;
}

for (const [name, document, expected] of [
  ['tenant', tenantDocument, { requests: 30, responses: 70 }],
  ['sandbox', sandboxDocument, { requests: 1, responses: 2 }],
  ['sign-in', JSON.parse(JSON.stringify(signInDocument(origin))), { requests: 15, responses: 20 }],
] as const) {
  test(`every request body of the ${name} API has an example that is valid`, () => {
    const bodies = listBodies(document, 'request');
    assert.ok(bodies.length >= expected.requests, `${bodies.length} bodies`);
    assert.deepEqual(findFaults(document, bodies), []);
  });

  test(`every successful response body of the ${name} API has an example that is valid`, () => {
    const bodies = listBodies(document, 'response');
    assert.ok(bodies.length >= expected.responses, `${bodies.length} bodies`);
    assert.deepEqual(findFaults(document, bodies), []);
  });
}

test('missing and invalid examples are detected', () => {
  const broken: Json = structuredClone(tenantDocument);
  delete broken.components.schemas.Site.examples;
  broken.paths['/v1/sites'].post.requestBody.content['application/json'].example = { name: 7 };
  assert.deepEqual(
    findFaults(broken, [...listBodies(broken, 'request'), ...listBodies(broken, 'response')]).map(
      (fault) => fault.split(':')[0],
    ),
    [
      'createSite application/json',
      'createSite 201 application/json',
      'upsertSite 200 application/json',
      'upsertSite 201 application/json',
      'getSite 200 application/json',
      'updateSite 200 application/json',
      'getSiteAsOf 200 application/json',
    ],
  );
});

test('the examples of an article show the whole payload', () => {
  const payload = {
    articleData: { allowComments: true, categoryIds: ['cat_01h455vb4pex5vsknk084sn02q'] },
    versionData: { title: 'Trellis 1.0 released', summary: 'What is new.', status: 'DRAFT' },
  };
  const articles = tenantDocument.paths['/v1/sites/{siteId}/articles'];
  const article = tenantDocument.paths['/v1/sites/{siteId}/articles/{id}'];
  for (const { requestBody } of [articles.post, article.patch]) {
    for (const { example } of Object.values<Json>(requestBody.content)) assert.deepEqual(example, payload);
  }
});

/** The bodies of all requests, or of all responses with a 2xx status. */
function listBodies(document: Json, direction: 'request' | 'response'): Body[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, operation]) => {
      const pointer = `/paths/${escapePointer(path)}/${method}`;
      if (direction === 'request') {
        const { content } = operation.requestBody ?? {};
        return listMediaTypes(operation.operationId, content, `${pointer}/requestBody`);
      }
      return Object.entries<Json>(operation.responses).flatMap(([status, { content }]) =>
        /^2/.test(status)
          ? listMediaTypes(`${operation.operationId} ${status}`, content, `${pointer}/responses/${status}`)
          : [],
      );
    }),
  );
}

function listMediaTypes(name: string, content: Json, pointer: string): Body[] {
  return Object.entries<Json>(content ?? {}).map(([type, mediaType]) => ({
    name: `${name} ${type}`,
    mediaType,
    pointer: `${pointer}/content/${escapePointer(type)}`,
  }));
}

/** One line for each body without an example, and for each example that its schema refuses. */
function findFaults(document: Json, bodies: readonly Body[]): string[] {
  const validator = createSchemaValidator(document);
  return bodies.flatMap(({ name, mediaType, pointer }) => {
    const examples = listExamples(document, mediaType);
    if (examples.length === 0) return [`${name}: no example`];
    const validate = validator.getSchema(`document#${pointer}/schema`);
    assert.ok(validate, pointer);
    return examples.flatMap((example) =>
      validate(example) ? [] : [`${name}: ${JSON.stringify(validate.errors)}`],
    );
  });
}

/** The examples of a media type or of its schema, in the places where tools look for them. */
function listExamples(document: Json, mediaType: Json): unknown[] {
  if ('example' in mediaType) return [mediaType.example];
  const { $ref } = mediaType.schema;
  const schema = $ref === undefined ? mediaType.schema : document.components.schemas[$ref.split('/').at(-1)];
  return 'example' in schema ? [schema.example] : (schema.examples ?? []);
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
