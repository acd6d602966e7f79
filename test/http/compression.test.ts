/** Compression of responses: pages are compressed for whoever asks for it, and nothing that shows a secret or has a validator. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '@trellis/server/kernel/http/compression.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;

before(async () => {
  server = await startTestServer();
  for (let number = 0; number < 30; number += 1) {
    const body = { title: `Book ${number}`, description: 'The same words again and again. '.repeat(5) };
    assert.equal((await server.call('POST', '/v1/books', { body })).status, 201);
  }
});
after(() => server.close());

/** Sends a request whose response is not decoded. */
function send(path: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  return new Promise<{ readonly headers: NodeJS.Dict<string | string[]>; readonly body: Buffer }>(
    (resolve, reject) => {
      const options = { method, headers: { authorization: `Bearer ${server.token}`, ...headers } };
      request(`${server.url}${path}`, options, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ headers: response.headers, body: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    },
  );
}

const gzip = { 'accept-encoding': 'gzip, deflate, br' };

test('a page is compressed for whoever accepts it, and caches are told', async () => {
  const plain = await send('/v1/books?limit=30', {});
  const compressed = await send('/v1/books?limit=30', gzip);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(compressed.headers['content-encoding'], 'gzip');
  assert.match(String(plain.headers.vary), /, Accept-Encoding$/);
  assert.equal(compressed.headers.vary, plain.headers.vary);
  assert.equal(Number(compressed.headers['content-length']), compressed.body.length);
  assert.ok(
    compressed.body.length < plain.body.length / 5,
    `${compressed.body.length} of ${plain.body.length}`,
  );
  const items = (body: Buffer) => JSON.parse(body.toString()).items;
  assert.deepEqual(items(gunzipSync(compressed.body)), items(plain.body));
});

test('a small body, a record with its validator, a write and a refusal are sent as they are', async () => {
  const small = await send('/v1/books?limit=1&fields=title', gzip);
  assert.equal(small.headers['content-encoding'], undefined);
  const { json } = await server.call('POST', '/v1/books', {
    body: { title: 'Long', description: 'The same words again and again. '.repeat(60) },
  });
  const record = await send(`/v1/books/${json.id}`, gzip);
  assert.ok(record.body.length > 1_024);
  assert.deepEqual([record.headers['content-encoding'], record.headers.etag], [undefined, '"1"']);
  const current = await send(`/v1/books/${json.id}`, { ...gzip, 'if-none-match': '"1"' });
  assert.deepEqual([current.body.length, current.headers.etag], [0, '"1"']);
  const refused = await send('/v1/books?limit=many', gzip);
  assert.equal(refused.headers['content-encoding'], undefined);
  const head = await send('/v1/books?limit=30', gzip, 'HEAD');
  assert.equal(head.headers['content-encoding'], undefined);
  assert.match(String(head.headers.vary), /, Accept-Encoding$/);
});

test('many at the same time get the same page, compressed or not', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => send('/v1/books?limit=30', gzip)));
  for (const { headers, body } of responses) {
    const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    assert.equal(JSON.parse(text.toString()).items.length, 30);
  }
});

test('gzip is accepted as RFC 9110 says', () => {
  for (const header of ['gzip', 'br, GZIP', '*', 'gzip;q=0.1', 'identity;q=0, gzip ; q=1'])
    assert.equal(acceptsGzip(header), true, header);
  for (const header of [undefined, '', 'br', 'gzip;q=0', '*, gzip;q=0', 'gzip;q=0.000', 'x-gzip2'])
    assert.equal(acceptsGzip(header), false, header);
});
