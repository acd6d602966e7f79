/** Tests of the list of operations that the client is generated with: it is that of the server, and each can be called. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiClient, type OperationName } from '@trellis/client/api-client.ts';
import { operations, problemCodes } from '@trellis/client/generated/operations.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import { problemCatalogue } from '@trellis/schema/problem.ts';
import { type Json, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let document: Json;

before(async () => {
  server = await startTestServer();
  document = (await server.call('GET', '/v1/openapi')).json;
});
after(() => server.close());

/** Every operation of the document, by its name. */
function documented(): Map<string, { method: string; path: string; operation: Json }> {
  return new Map(
    Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => [
        operation.operationId,
        { method: method.toUpperCase(), path, operation },
      ]),
    ),
  );
}

test('the client has the operations and problem codes of the server, and no others', () => {
  const expected = [...documented()].map(([name, { method, path }]) => `${method} ${path} ${name}`);
  const had = Object.entries(operations).map(([name, { method, path }]) => `${method} ${path} ${name}`);
  assert.deepEqual(had.sort(), expected.sort());
  assert.deepEqual([...problemCodes].sort(), Object.keys(problemCatalogue).sort());
});

/** The input of an operation, made of the examples of the document. */
function exampleOf(operation: Json): Record<string, unknown> {
  const path: Record<string, string | number> = {};
  const query: Record<string, string | number> = {};
  for (const given of operation.parameters ?? []) {
    const parameter =
      given.$ref === undefined ? given : document.components.parameters[given.$ref.split('/').at(-1)];
    if (parameter.in === 'path') path[parameter.name] = parameter.example;
    if (parameter.in === 'query' && parameter.required) query[parameter.name] = parameter.example;
  }
  const [body] = Object.values<Json>(operation.requestBody?.content ?? {});
  const content = new TextEncoder().encode('bytes');
  return { path, query, ...(body === undefined ? {} : { body: body.example ?? content }) };
}

test('every operation can be called: it gets a documented response', async () => {
  const seen = new Set<number>();
  const client = new ApiClient({
    baseUrl: server.url,
    token: server.token,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      seen.add(response.status);
      return response;
    },
  });
  const call = client.call.bind(client) as (name: OperationName, input: object) => Promise<Json>;
  let successes = 0;
  for (const [name, { operation }] of documented()) {
    seen.clear();
    try {
      const { body } = await call(name as OperationName, { ...exampleOf(operation), attempts: 1 });
      if (body instanceof ReadableStream) await body.cancel();
      successes += 1;
    } catch (error) {
      assert.ok(error instanceof ProblemError, `${name}: ${error}`);
      assert.ok(
        !['unreachable', 'unexpected_response', 'unknown_problem'].includes(error.code),
        `${name}: ${error.code}`,
      );
      assert.equal(document.components.schemas.Problem.properties.code.enum.includes(error.code), true);
    }
    const [status] = seen;
    assert.ok(status !== undefined && status < 500, `${name} responded with ${status}`);
    assert.ok(
      String(status) in operation.responses,
      `${name} responded with ${status}, which is not documented`,
    );
  }
  // Lists, searches and creates of what has no parent; the others respond that the example's id names nothing.
  assert.ok(successes >= 25, `${successes} operations succeeded`);
});
