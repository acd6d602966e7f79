/** The document of the routes by which people sign in: every route is in it, and linters find nothing. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lintWithRedocly, lintWithSpectral } from '../support/linters.ts';
import { type Json, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.close());
const response = await fetch(`${server.url}/auth/openapi.json`);
const document: Json = await response.json();

test('it is clean under both linters', async () => {
  assert.deepEqual(await lintWithRedocly(document), []);
  assert.deepEqual(await lintWithSpectral(document), []);
});

test('every route is described, and nothing else', () => {
  const described = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const registered = [...server.server.routes].flatMap(([path, methods]) =>
    path.startsWith('/auth/') && path !== '/auth/openapi.json'
      ? [...methods].filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`)
      : [],
  );
  assert.deepEqual(described.sort(), registered.sort());
});

test('a reader who has it is told so', async () => {
  const etag = response.headers.get('etag') ?? '';
  const again = await fetch(`${server.url}/auth/openapi.json`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
});
