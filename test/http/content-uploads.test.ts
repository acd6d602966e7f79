/** Tests of the forms in which the content of a file is uploaded: bytes or a form, with a digest or without. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { expectProblem } from '../support/refusals.ts';
import { type Json, startTestServer, type TestResponse } from '../support/server.ts';

const mostBytes = 1_000_000;
const server = await startTestServer({ maxContentBytes: mostBytes });
after(() => server.close());

async function createFile(): Promise<Json> {
  const { json } = await server.call('POST', '/v1/knowledge-files', { body: { name: 'Upload' } });
  return json;
}

interface Sent {
  readonly file?: Json;
  readonly query?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function put(
  body: Buffer | string,
  { file, query = '', key, headers = {} }: Sent,
): Promise<TestResponse> {
  const { id } = file ?? (await createFile());
  return server.call('PUT', `/v1/knowledge-files/${id}/content${query}`, {
    rawBody: body,
    headers: { 'content-type': 'application/octet-stream', ...headers },
    ...(key === undefined ? {} : { key }),
  });
}

async function contentOf(id: string): Promise<Buffer> {
  const response = await fetch(`${server.url}/v1/knowledge-files/${id}/content`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

const boundary = '----trellisBoundary7MA4YWxk';
const formType = `multipart/form-data; boundary=${boundary}`;

/** A part of a form. `disposition`: what follows `form-data`. */
function part(disposition: string, bytes: Buffer | string, more = ''): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n')]);
}

function formOf(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

const bytes = randomBytes(300_000);
const digestOf = (algorithm: 'sha256' | 'sha512', content: Buffer | string) =>
  `${algorithm.replace('sha', 'sha-')}=:${createHash(algorithm).update(content).digest('base64')}:`;

test('bytes of every media type but JSON and other forms are the content', async () => {
  const types = [
    'application/octet-stream',
    'image/png',
    'application/pdf',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'application/xml',
    '*/*',
  ];
  for (const type of types) {
    const response = await put(bytes, { headers: { 'content-type': type } });
    assert.equal(response.status, 200, `${type}: ${response.text}`);
    assert.deepEqual(await contentOf(response.json.id), bytes, type);
  }
});

test('a JSON media type is refused, and the response says what to send', async () => {
  const types = ['application/json', 'application/json; charset=utf-8', 'text/json', 'application/ld+json'];
  for (const type of [...types, 'application/merge-patch+json', 'multipart/mixed; boundary=x']) {
    const file = await createFile();
    const response = await put('{}', { file, headers: { 'content-type': type } });
    expectProblem(response, 415, 'unsupported_media_type', type);
    assert.match(response.json.detail, /Send the bytes of the file as application\/octet-stream/);
    assert.equal(response.headers.get('accept'), 'multipart/form-data, application/octet-stream');
    const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`);
    assert.deepEqual([json.status, json.version], ['PENDING_UPLOAD', 1]);
  }
});

test('what a program makes of an object instead of its bytes is refused, unless the sender vouches for it', async () => {
  const asText = ['[object Object]', '[object Blob]', '[object ReadableStream]'];
  const asJson = [
    '{}',
    '{"0":137}',
    `{"0":137,"1":80,${'"2":78,'.repeat(500)}"3":71}`,
    '{"type":"Buffer","data":[137,80]}',
  ];
  const others = [
    '[object Object]\n',
    '[object Object] [object Object]',
    '{}\n',
    '{ }',
    '{"a":1}',
    '{"0":"a"}',
    '[]',
    'null',
  ];
  const inForm = (text: string, disposition: string, type: string) =>
    put(formOf(part(`name="file"${disposition}`, text, type === '' ? '' : `Content-Type: ${type}\r\n`)), {
      headers: { 'content-type': formType },
    });
  const raw = (text: string, type: string, more: Readonly<Record<string, string>> = {}) =>
    put(text, { headers: { 'content-type': type, ...more } });
  const refused = async (text: string, sent: Promise<TestResponse>, how: string) => {
    const response = await sent;
    expectProblem(response, 422, 'validation_failed', `${text} ${how}`);
    assert.match(response.json.errors[0].detail, /Send the file as the only part of multipart\/form-data/);
  };
  const accepted = async (text: string, sent: Promise<TestResponse>, how: string) => {
    const response = await sent;
    assert.equal(response.status, 200, `${text} ${how}: ${response.text}`);
    assert.equal((await contentOf(response.json.id)).toString(), text);
  };
  for (const text of [...asText, ...asJson]) {
    for (const type of ['text/plain;charset=UTF-8', '*/*']) await refused(text, raw(text, type), type);
    for (const type of ['', 'application/json']) await refused(text, inForm(text, '', type), `part ${type}`);
    await refused(text, inForm(text, '; filename="blob"', 'application/json'), 'part named blob');
    await accepted(text, inForm(text, '; filename="a.json"', 'application/json'), 'part with a name');
    const digest = { 'content-digest': digestOf('sha256', text) };
    await accepted(text, raw(text, 'text/plain', digest), 'with a digest');
  }
  for (const text of asText) await refused(text, raw(text, 'application/octet-stream'), 'as bytes');
  for (const text of asJson) await accepted(text, raw(text, 'application/octet-stream'), 'as bytes');
  for (const text of others) {
    await accepted(text, raw(text, 'text/plain'), 'raw');
    await accepted(text, inForm(text, '', ''), 'part');
  }
});

test('the file of a form is the content, whatever its part is called', async () => {
  const dispositions = [
    'name="file"; filename="a.bin"',
    'name="upload"; filename="a.bin"',
    'name="file"; filename=""',
    'name="file"',
    'filename="a.bin"; name="x"',
  ];
  for (const disposition of dispositions) {
    for (const content of [
      bytes,
      Buffer.alloc(0),
      Buffer.from('\r\n--'),
      Buffer.from(`\r\n--${boundary.slice(1)}`),
    ]) {
      const body = formOf(part(disposition, content, 'Content-Type: image/png\r\n'));
      const response = await put(body, { headers: { 'content-type': formType } });
      assert.equal(response.status, 200, `${disposition}: ${response.text}`);
      assert.equal(response.json.sizeBytes, content.length);
      assert.deepEqual(await contentOf(response.json.id), content, disposition);
    }
  }
});

test('a form of fetch and one with a preamble and an epilogue are read', async () => {
  const file = await createFile();
  const body = new FormData();
  body.set('file', new File([bytes], 'Übersicht, 1.pdf'));
  const response = await fetch(`${server.url}/v1/knowledge-files/${file.id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.token}`, 'idempotency-key': file.id },
    body,
  });
  const stored: Json = await response.json();
  assert.equal(response.status, 200, JSON.stringify(stored));
  assert.equal(stored.fileName, 'Übersicht, 1.pdf');
  assert.deepEqual(await contentOf(file.id), bytes);
  const around = Buffer.concat([
    Buffer.from('preamble\r\n'),
    formOf(part('name="f"; filename="b"', 'x')),
    Buffer.from('epilogue'),
  ]);
  const second = await put(around, { file, headers: { 'content-type': formType } });
  assert.equal(second.status, 200, second.text);
  assert.equal((await contentOf(file.id)).toString(), 'x');
});

test('a form names the file only where nothing else does, and never with a path', async () => {
  const file = await createFile();
  const send = async (name: string, query = '') => {
    const body = formOf(part(`name="file"; filename="${name}"`, randomBytes(8)));
    const { json } = await put(body, { file, query, headers: { 'content-type': formType } });
    return json.fileName;
  };
  assert.equal(await send('C:\\temp\\report.pdf'), 'report.pdf');
  assert.equal(await send('blob'), 'report.pdf');
  assert.equal(await send('blob', '?fileName=new.pdf'), 'new.pdf');
  const controls = await put(formOf(part('name="file"; filename="a\u0001\u007f\u0085b.pdf"', 'x')), {
    headers: { 'content-type': formType },
  });
  assert.equal(controls.json.fileName, 'ab.pdf');
});

test('a form that is none, or has another part, changes nothing', async () => {
  const file = await createFile();
  const one = part('name="file"; filename="a"', 'x');
  const cases: readonly [string, Buffer | string, number, string][] = [
    ['no file', formOf(part('name="title"', 'x')), 422, 'validation_failed'],
    ['no part', formOf(), 422, 'validation_failed'],
    ['a second file', formOf(one, one), 422, 'validation_failed'],
    ['a field before', formOf(part('name="title"', 'x'), one), 422, 'validation_failed'],
    ['a field behind', formOf(one, part('name="title"', 'x'.repeat(300_000))), 422, 'validation_failed'],
    ['no end', one, 400, 'malformed_form'],
    [
      'an end inside',
      formOf(part('name="file"; filename="a"', bytes)).subarray(0, 90_000),
      400,
      'malformed_form',
    ],
    ['another boundary', formOf(one).toString().replaceAll(boundary, 'x'), 400, 'malformed_form'],
    ['no form', 'x', 400, 'malformed_form'],
    ['nothing', '', 400, 'malformed_form'],
    [
      'a large part header',
      `--${boundary}\r\nContent-Disposition: form-data; name="${'x'.repeat(200_000)}`,
      400,
      'malformed_form',
    ],
  ];
  for (const [what, body, status, code] of cases) {
    const response = await put(body, { file, headers: { 'content-type': formType } });
    expectProblem(response, status, code, what);
  }
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
  ]) {
    const response = await put(formOf(one), { file, headers: { 'content-type': type } });
    expectProblem(response, 400, 'malformed_form', type);
  }
  const tooLong = await put('', { file, headers: { 'content-type': `${formType}${'x'.repeat(200)}` } });
  expectProblem(tooLong, 400, 'malformed_form');
  assert.match(tooLong.json.detail, /the boundary has more than 140 characters/);
  const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`);
  assert.deepEqual([json.status, json.version], ['PENDING_UPLOAD', 1]);
});

test('a form has the same limit as bytes', async () => {
  const headers = { 'content-type': formType };
  const most = randomBytes(mostBytes);
  const accepted = await put(formOf(part('name="file"; filename="a"', most)), { headers });
  assert.equal(accepted.status, 200, accepted.text);
  assert.deepEqual(await contentOf(accepted.json.id), most);
  const more = formOf(part('name="file"; filename="a"', Buffer.alloc(mostBytes + 1)));
  expectProblem(await put(more, { headers }), 413, 'body_too_large');
  const { id } = await createFile();
  const status = await new Promise((resolve, reject) => {
    const announced = request(`${server.url}/v1/knowledge-files/${id}/content`, {
      method: 'PUT',
      headers: {
        ...headers,
        authorization: `Bearer ${server.token}`,
        'idempotency-key': 'announced',
        'content-length': 2 * mostBytes,
      },
    });
    announced.once('error', reject).once('response', (response) => {
      resolve(response.statusCode);
      announced.destroy();
    });
    announced.flushHeaders();
  });
  assert.equal(status, 413, 'the announced length is enough');
  const init: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${server.token}`, 'idempotency-key': 'endless' },
    body: new Blob(['x'.repeat(2 * mostBytes)]).stream(),
    duplex: 'half',
  };
  const endless = await fetch(`${server.url}/v1/knowledge-files/${id}/content`, init);
  assert.equal(endless.status, 413, 'a preamble without end');
});
test('a digest is checked over the body before anything is stored', async () => {
  const form = formOf(part('name="file"; filename="a"', bytes));
  for (const [body, type] of [
    [bytes, 'application/octet-stream'],
    [form, formType],
  ] as const) {
    const file = await createFile();
    const send = (headers: Readonly<Record<string, string>>) =>
      put(body, { file, headers: { 'content-type': type, ...headers } });
    const other = digestOf('sha256', 'other');
    for (const field of ['content-digest', 'repr-digest']) {
      for (const value of [other, digestOf('sha512', 'x'), `${digestOf('sha512', body)}, ${other}`]) {
        const refused = await send({ [field]: value });
        expectProblem(refused, 400, 'digest_mismatch', value);
        assert.equal(refused.json.errors[0].header.toLowerCase(), field);
      }
    }
    const { json } = await server.call('GET', `/v1/knowledge-files/${file.id}`);
    assert.deepEqual([json.status, json.version], ['PENDING_UPLOAD', 1]);
    for (const value of [
      digestOf('sha256', body),
      digestOf('sha512', body),
      `${digestOf('sha256', body)} , ${digestOf('sha512', body)}`,
      // Others are not checked (RFC 9530, 2), and of a name given twice the last one counts (RFC 9651, 3.2).
      'md5=:AAAA:, unixsum=1, sha=?1',
      `${other}, ${digestOf('sha256', body)}`,
      `${digestOf('sha256', body)};p=1`,
    ]) {
      const accepted = await send({ 'content-digest': value });
      assert.equal(accepted.status, 200, `${value}: ${accepted.text}`);
    }
    assert.deepEqual(await contentOf(file.id), bytes);
  }
});

test('a digest that cannot be read is refused before the body', async () => {
  const file = await createFile();
  const values = [
    'sha-256',
    'sha-256=abc',
    'sha-256="abc"',
    'sha-256=1',
    'sha-256=::',
    'sha-256=:AAAA:',
    'sha-512=:AAAA:',
    `${digestOf('sha256', bytes)},`,
    digestOf('sha256', bytes).slice(0, -1),
    'SHA-256=:AAAA:',
    '=:AAAA:',
    'sha-256=(:AAAA:)',
    'é',
  ];
  for (const value of values) {
    const refused = await put(bytes, { file, headers: { 'content-digest': value } });
    expectProblem(refused, 400, 'invalid_header', value);
    assert.equal(refused.json.errors[0].header, 'Content-Digest');
  }
});

test('the same content under the same key is replayed, in either form', async () => {
  const file = await createFile();
  const first = await put(bytes, { file, key: 'twice' });
  assert.equal(first.status, 200, first.text);
  const form = formOf(part('name="file"; filename="blob"', bytes));
  const headers = { 'content-type': formType };
  const again = await put(form, { file, key: 'twice', headers });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.json, first.json);
  const other = await put(formOf(part('name="file"; filename="a"', 'x')), { file, key: 'twice', headers });
  expectProblem(other, 422, 'idempotency_key_reused');
});

test('a client that leaves in the middle of a form leaves nothing behind', async () => {
  const { id } = await createFile();
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isBegun) controller.error(new Error('the client leaves'));
      else controller.enqueue(part('name="file"; filename="a"', bytes).subarray(0, 100_000));
      isBegun = true;
    },
  });
  const init: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.token}`, 'idempotency-key': 'left', 'content-type': formType },
    body,
    duplex: 'half',
  };
  await assert.rejects(fetch(`${server.url}/v1/knowledge-files/${id}/content`, init));
  const retried = await put(bytes, { file: { id }, key: 'left' });
  assert.equal(retried.status, 200, retried.text);
  assert.deepEqual(await contentOf(id), bytes);
});
