/** Tests of conditional requests (RFC 9110, 13): which condition decides, on which methods, and what the response is. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { sendRaw } from '../support/raw-requests.ts';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.close());

async function create(path: string, body: object): Promise<Json> {
  const response = await server.call('POST', path, { body });
  assert.equal(response.status, 201, response.text);
  return response.json;
}

const text = 'abcdefghij';
const sha256 = createHash('sha256').update(text).digest('hex');
const file = await create('/v1/knowledge-files', { name: 'Letters', content: text });
const book = await create('/v1/books', { title: 'Trees' });
const record = `/v1/books/${book.id}`;
const content = `/v1/knowledge-files/${file.id}/content`;

type Headers = Readonly<Record<string, string>>;
const authorization = { authorization: `Bearer ${server.token}` };

test('a read checks If-Match before anything else', async () => {
  const cases: readonly [string, Headers, number][] = [
    [record, { 'if-match': '"1"' }, 200],
    [record, { 'if-match': 'W/"1-gzip"' }, 200],
    // Two servers in a row that compress.
    [record, { 'if-match': '"1-br;gzip"' }, 200],
    [record, { 'if-match': '"1-br;gzip-gzip"' }, 412],
    [record, { 'if-match': '"-gzip1"' }, 412],
    [record, { 'if-match': '*' }, 200],
    [record, { 'if-match': '"2"' }, 412],
    [record, { 'if-match': '"2"', 'if-none-match': '"1"' }, 412],
    [record, { 'if-match': '"1"', 'if-none-match': '"1"' }, 304],
    [record, { 'if-match': '"1"', 'if-none-match': '"2"' }, 200],
    [content, { 'if-match': `"${sha256}"` }, 200],
    // Ranges of two contents must not be put together, so only the exact tag of the bytes counts (13.1.1).
    [content, { 'if-match': `W/"${sha256}"` }, 412],
    [content, { 'if-match': `"${sha256}-gzip"` }, 412],
    [content, { 'if-match': '"1"' }, 412],
    [content, { 'if-match': '"other"', range: 'bytes=0-1' }, 412],
    [content, { 'if-match': `"${sha256}"`, range: 'bytes=0-1' }, 206],
    [content, { 'if-none-match': `"${sha256}"`, range: 'bytes=0-1' }, 304],
    [content, { 'if-match': '"other"', range: 'bytes=99-' }, 412],
    [content, { 'if-range': `W/"${sha256}"`, range: 'bytes=0-1' }, 200],
    [content, { 'if-range': 'Wed, 21 Oct 2099 07:28:00 GMT', range: 'bytes=0-1' }, 200],
    ['/v1/books', { 'if-match': '"1"' }, 412],
    ['/v1/books', { 'if-match': '*', 'if-none-match': '"1"' }, 200],
    ['/v1/books/search?query=trees', { 'if-match': '"1"' }, 412],
    ['/v1/openapi', { 'if-match': '"other"' }, 412],
    ['/docs/openapi.json', { 'if-match': '"other"' }, 412],
  ];
  for (const [path, headers, status] of cases) {
    for (const method of ['GET', 'HEAD']) {
      const expected = method === 'HEAD' && status === 206 ? 200 : status;
      const response = await server.call(method, path, { headers });
      const what = `${method} ${path} ${JSON.stringify(headers)}`;
      assert.equal(response.status, expected, what);
      if (status === 412 && method === 'GET') expectProblem(response, 412, 'version_mismatch', what);
      if (method === 'HEAD') assert.equal(response.text, '', what);
    }
  }
});

test('conditions of dates are ignored, because nothing has a date of modification', async () => {
  for (const path of [record, content, '/v1/books']) {
    for (const name of ['if-modified-since', 'if-unmodified-since']) {
      for (const date of ['Sat, 01 Jan 2000 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'x']) {
        const response = await server.call('GET', path, { headers: { [name]: date } });
        assert.equal(response.status, 200, `${name}: ${date}`);
        assert.equal(response.headers.get('last-modified'), null);
      }
    }
  }
});

test('HEAD ignores ranges, and its length is that of the whole content', async () => {
  const send = (headers: Headers) =>
    sendRaw(server.url, { method: 'HEAD', path: content, headers: { ...authorization, ...headers } });
  for (const headers of [{}, { range: 'bytes=0-1' }, { range: 'bytes=99-' }] as const) {
    const response = await send(headers);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-length'), String(text.length));
    assert.equal(response.headers.get('content-range'), null);
  }
});

test('a 304 has no length', async () => {
  const cases: readonly [string, string][] = [
    [record, '"1"'],
    [content, `"${sha256}"`],
    ['/docs/openapi.json', '*'],
  ];
  for (const [path, tag] of cases) {
    for (const method of ['GET', 'HEAD']) {
      const headers = { ...authorization, 'if-none-match': tag };
      const response = await sendRaw(server.url, { method, path, headers });
      assert.equal(response.status, 304, path);
      assert.equal(response.headers.get('content-length'), null, `${method} ${path}`);
    }
  }
});

test('a write checks If-None-Match: an existing record is what `*` excludes', async () => {
  const magazine = await create('/v1/magazines', { title: 'Leaves' });
  const endpoint = await create('/v1/webhook-endpoints', {
    url: 'https://hooks.example.com',
    eventTypes: ['*'],
  });
  const writes: readonly [string, string, object | undefined][] = [
    ['PATCH', `/v1/magazines/${magazine.id}`, { title: 'Other' }],
    ['DELETE', `/v1/magazines/${magazine.id}`, undefined],
    ['POST', `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, undefined],
    ['PUT', content, undefined],
  ];
  for (const [method, path, body] of writes) {
    const send = (headers: Headers) =>
      server.call(method, path, {
        ...(method === 'PUT' ? { rawBody: 'other' } : { body }),
        headers: method === 'PUT' ? { 'content-type': 'text/plain', ...headers } : headers,
      });
    for (const tags of ['*', '"1"', 'W/"1"', '"1-gzip"', '"7", "1"']) {
      const refused = await send({ 'if-none-match': tags });
      expectProblem(refused, 412, 'version_mismatch', `${method} ${path} ${tags}`);
      assert.equal(refused.headers.get('etag'), '"1"');
    }
    expectProblem(await send({ 'if-match': '"1"', 'if-none-match': '"1"' }), 412, 'version_mismatch');
    expectProblem(await send({ 'if-none-match': 'x' }), 400, 'invalid_header');
  }
  const { json } = await server.call('GET', `/v1/magazines/${magazine.id}`);
  assert.equal(json.version, 1);
  const changed = await server.call('PATCH', `/v1/magazines/${magazine.id}`, {
    body: { title: 'Other' },
    headers: { 'if-none-match': '"7"' },
  });
  assert.equal(changed.status, 200, changed.text);
});

test('a creation has no version that If-Match could name', async () => {
  const send = (headers: Headers) => server.call('POST', '/v1/books', { body: { title: 'New' }, headers });
  expectProblem(await send({ 'if-match': '"1"' }), 412, 'version_mismatch');
  expectProblem(await send({ 'if-match': 'x' }), 400, 'invalid_header');
  for (const headers of [{ 'if-match': '*' }, { 'if-none-match': '*' }]) {
    assert.equal((await send(headers)).status, 201, JSON.stringify(headers));
  }
});

test('an upload may name the version of the record or the content that it replaces', async () => {
  const own = await create('/v1/knowledge-files', { name: 'Own' });
  const path = `/v1/knowledge-files/${own.id}/content`;
  const put = (body: string, headers: Headers) =>
    server.call('PUT', path, { rawBody: body, headers: { 'content-type': 'text/plain', ...headers } });
  const first = await put('first', { 'if-none-match': '*' });
  assert.equal(first.status, 200, first.text);
  expectProblem(await put('second', { 'if-none-match': '*' }), 412, 'version_mismatch');
  const { headers } = await server.call('GET', path);
  const second = await put('second', { 'if-match': headers.get('etag') ?? '' });
  assert.equal(second.status, 200, second.text);
  expectProblem(await put('third', { 'if-match': headers.get('etag') ?? '' }), 412, 'version_mismatch');
  const { json } = await server.call('GET', `/v1/knowledge-files/${own.id}`);
  const present = (await server.call('GET', path)).headers.get('etag');
  for (const tag of [`W/${present}`, present?.replace(/"$/, '-gzip"')])
    expectProblem(
      await put('third', { 'if-match': tag ?? '' }),
      412,
      'version_mismatch',
      'a changed tag of bytes',
    );
  assert.equal((await put('third', { 'if-match': `W/"${json.version}"` })).status, 200);
});

test('a 415 says which media types are taken', async () => {
  const cases: readonly [string, string, string, string, string][] = [
    ['PATCH', record, 'text/plain', 'accept-patch', 'application/merge-patch+json, application/json'],
    [
      'PATCH',
      record,
      'application/json; charset=latin1',
      'accept-patch',
      'application/merge-patch+json, application/json',
    ],
    ['POST', '/v1/books', 'text/csv', 'accept-post', 'application/json'],
    ['POST', '/v1/books', 'application/merge-patch+json', 'accept-post', 'application/json'],
    ['DELETE', record, 'text/plain', 'accept', 'application/json'],
    ['PUT', content, 'application/json', 'accept', 'multipart/form-data, application/octet-stream'],
  ];
  for (const [method, path, type, header, expected] of cases) {
    const refused = await server.call(method, path, { rawBody: 'x', headers: { 'content-type': type } });
    expectProblem(refused, 415, 'unsupported_media_type', `${method} ${type}`);
    assert.equal(refused.headers.get(header), expected, `${method} ${type}`);
  }
  const coded = await server.call('POST', '/v1/books', {
    rawBody: 'x',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expectProblem(coded, 415, 'unsupported_media_type');
  assert.equal(coded.headers.get('accept-encoding'), 'identity');
});
