/**
 * Tests of the check that compares responses with the OpenAPI document, which all HTTP tests use: it must find
 * deviations.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProblemCode } from '@trellis/schema/problem.ts';
import { buildSandboxDocument } from '@trellis/server/features/sandbox/http/document.ts';
import { problemExample } from '@trellis/server/kernel/contract/openapi/problem-examples.ts';
import { buildOpenApi } from '@trellis/server/kernel/contract/openapi.ts';
import { apiWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import type { Json } from '../support/server.ts';
import { type ObservedResponse, responseValidator } from '../support/validate-response.ts';

const origin = 'http://localhost:3000';
const document: Json = JSON.parse(JSON.stringify(buildOpenApi(apiWithoutServer(origin), origin)));
const faultsOf = responseValidator(document);
const sandboxFaultsOf = responseValidator(
  JSON.parse(JSON.stringify(buildSandboxDocument('https://trellis.test/base/sandbox'))),
);

const [site]: Json[] = document.components.schemas.Site.examples;
const requestId = '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90';
const problem = (code: ProblemCode) => problemExample(code, origin);

interface Changes extends Partial<Pick<ObservedResponse, 'method' | 'path' | 'query' | 'status'>> {
  /** Null for none. */
  readonly body?: Json;
  /** Null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** A valid response of `getSite`, with the given changes. */
function response(changes: Changes): ObservedResponse {
  const { body = site, headers = {}, ...others } = changes;
  const all = new Headers({ 'x-request-id': requestId, 'content-type': 'application/json; charset=utf-8' });
  all.set('etag', '"1"');
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  const text = body === null ? '' : JSON.stringify(body);
  return {
    method: 'GET',
    path: `/v1/sites/${site.id}`,
    query: '',
    status: 200,
    text,
    ...others,
    headers: all,
  };
}

const problemHeaders = { etag: null, 'content-type': 'application/problem+json; charset=utf-8' };

test('documented responses have no fault', () => {
  assert.deepEqual(faultsOf(response({})), []);
  assert.deepEqual(faultsOf(response({ path: '/v1/sites/{id}' })), []);
  assert.deepEqual(faultsOf(response({ query: 'fields=id', body: { id: site.id } })), []);
  assert.deepEqual(faultsOf(response({ method: 'HEAD', body: null })), []);
  assert.deepEqual(faultsOf(response({ status: 304, body: null, headers: { 'content-type': null } })), []);
  const refused = { status: 404, body: problem('not_found'), headers: problemHeaders };
  assert.deepEqual(faultsOf(response(refused)), []);
  assert.deepEqual(faultsOf(response({ ...refused, path: '/v1/nothing' })), []);
});

/** Responses with one fault each, and the expected message. */
const wrong: Readonly<Record<string, [RegExp, ObservedResponse]>> = {
  'an undocumented status': [/status 202/, response({ status: 202 })],
  'another content type': [
    /content type "text\/plain"/,
    response({ headers: { 'content-type': 'text/plain' } }),
  ],
  'a body where none is documented': [/there is a body/, response({ status: 304 })],
  'no body where one is documented': [/body is missing/, response({ body: null })],
  'a member that is not documented': [/additional.*"colour"/, response({ body: { ...site, colour: 'red' } })],
  'a member of the wrong type': [/the body \/version/, response({ body: { ...site, version: '1' } })],
  'an incomplete record that nobody asked for': [/'name'/, response({ body: { id: site.id } })],
  'a value outside its pattern': [/the body \/id/, response({ body: { ...site, id: 'site_x' } })],
  'a header that is not documented': [/x-secret/, response({ headers: { 'x-secret': '1' } })],
  'the lack of a required header': [/ETag is missing/, response({ headers: { etag: null } })],
  'a header of the wrong type': [
    /Retry-After/,
    response({
      status: 503,
      body: problem('overloaded'),
      headers: { ...problemHeaders, 'retry-after': 'soon' },
    }),
  ],
  'a code that the operation does not list': [
    /code in_use/,
    response({
      status: 409,
      path: '/v1/sites',
      method: 'POST',
      body: problem('in_use'),
      headers: problemHeaders,
    }),
  ],
  'success where nothing is documented': [/nothing is documented/, response({ path: '/v1/sites/a/b' })],
  'another form of 404 where nothing is documented': [
    /content type/,
    response({ status: 404, path: '/v1/nothing', headers: { etag: null } }),
  ],
  'a 405 without Allow': [
    /allow is missing/,
    response({ method: 'PUT', status: 405, body: problem('method_not_allowed'), headers: problemHeaders }),
  ],
};

for (const [what, [pattern, observed]] of Object.entries(wrong)) {
  test(`a fault is found: ${what}`, () => assert.match(faultsOf(observed).join('\n'), pattern));
}

test('a write that is asked for no body has none, and the headers of its success', () => {
  const minimal = { method: 'PATCH', status: 204, body: null };
  const headers = { 'content-type': null, 'preference-applied': 'return=minimal' };
  assert.deepEqual(faultsOf(response({ ...minimal, headers })), []);
  assert.match(faultsOf(response({ ...minimal, headers: { 'content-type': null } })).join(), /status 204/);
  assert.match(
    faultsOf(response({ ...minimal, headers: { ...headers, etag: null } })).join(),
    /ETag is missing/,
  );
  assert.match(faultsOf(response({ ...minimal, headers, body: site })).join(), /there is a body/);
});

test('a created record must have all members', () => {
  const { name: _lost, ...incomplete } = site;
  const headers = { location: `/v1/sites/${site.id}` };
  const created = { method: 'POST', path: '/v1/sites', status: 201, headers };
  assert.deepEqual(faultsOf(response(created)), []);
  assert.match(faultsOf(response({ ...created, body: incomplete })).join('\n'), /'name'/);
});

test('missing nested members are found too', () => {
  const page = { items: [{ ...site, more: 1 }], pageInfo: { nextCursor: null, hasNextPage: false } };
  const observed = { path: '/v1/sites', body: page, headers: { etag: null } };
  assert.match(faultsOf(response(observed)).join('\n'), /items\/0.*"more"/);
});

test('OpenAPI 3.0.1 and a server with a path are supported', () => {
  const observed = { path: '/base/sandbox/plants', body: [{ name: 'Fern' }], headers: { etag: null } };
  assert.deepEqual(sandboxFaultsOf(response(observed)), []);
  const withId = { ...observed, body: [{ id: 1, name: 'Fern' }] };
  assert.match(sandboxFaultsOf(response(withId)).join('\n'), /"id"/);
  assert.match(
    sandboxFaultsOf(response({ ...observed, path: '/plants' })).join('\n'),
    /nothing is documented/,
  );
});
