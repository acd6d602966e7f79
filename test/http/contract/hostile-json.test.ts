/**
 * Tests of hostile bodies: anything but strict JSON of the documented size and type is refused with the documented code
 * and location, and the server keeps working.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { Operation } from '@trellis/server/kernel/http/operation.ts';
import { attempt, bodyOf, createOwnWorld, freshIds, type Ids, pathOf } from '../../support/fixtures.ts';
import { closeRawConnections, sendRaw } from '../../support/raw-requests.ts';
import { changesNothing, expectProblem, isSuccess } from '../../support/refusals.ts';
import { startTestServer, type TestResponse } from '../../support/server.ts';
import { amount, casesFor } from '../../support/soak.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer();
const tables = await TenantTables.open(server.database);
const world = await createOwnWorld(server);
after(async () => {
  closeRawConnections();
  await tables.close();
  await server.close();
});

const withBody = server.server.operations.filter(({ body }) => body !== null);

/** Texts that are not strict JSON, with the position of the fault in UTF-16 code units. */
const malformedTexts: readonly [what: string, text: string, position: number][] = [
  ['an empty body', '', 0],
  ['white space alone', ' \n\t', 3],
  ['an object that does not end', '{"a": 1', 7],
  ['an array that does not end', '[1', 2],
  ['a string that does not end', '"abc', 0],
  ['a comma too many', '{"a": 1,}', 8],
  ['a comma too few', '{"a": 1 "b": 2}', 8],
  ['single quotes', "{'a': 1}", 1],
  ['a key without quotes', '{a: 1}', 1],
  ['something after the value', '{"a": 1} x', 9],
  ['two values', '{}{}', 2],
  ['a comment', '{} // nothing', 3],
  ['a word that JSON does not have', '{"a": undefined}', 6],
  ['NaN', '{"a": NaN}', 6],
  ['Infinity', '{"a": -Infinity}', 7],
  ['a leading zero', '{"a": 01}', 6],
  ['a plus sign', '{"a": +1}', 6],
  ['a number without digits before the point', '{"a": .5}', 6],
  ['a number without digits after the point', '{"a": 1.}', 8],
  ['a hexadecimal number', '{"a": 0x10}', 7],
  ['a number beyond a double', '{"a": 1e400}', 6],
  ['a number below a double', '{"a": -1e400}', 6],
  ['a number of 400 digits', `{"a": ${'9'.repeat(400)}}`, 6],
  ['a NUL', '{"a": "x\u0000"}', 8],
  ['an escaped NUL', '{"a": "x\\u0000"}', 8],
  ['a line feed in a string', '{"a": "x\n"}', 8],
  ['an escape that JSON does not have', '{"a": "x\\q"}', 8],
  ['an escape that is not finished', '{"a": "\\u12"}', 7],
  ['a high surrogate alone', '{"a": "\\ud83d"}', 7],
  ['a low surrogate alone', '{"a": "\\ude00"}', 7],
  ['surrogates in the wrong order', '{"a": "\\ude00\\ud83d"}', 7],
  ['a lone surrogate in a key', '{"\\ud83d": 1}', 2],
  ['a byte order mark', '\ufeff{}', 0],
  ['no-break space', '{\u00a0}', 1],
  ['a key twice', '{"a": 1, "a": 1}', 9],
  ['a key twice, once escaped', '{"a": 1, "\\u0061": 2}', 9],
  ['a key twice further in', '{"a": {"b": 1, "b": 2}}', 15],
  ['a key twice in an array', '{"a": [{}, {"b": 1, "b": 2}]}', 20],
  ['__proto__ twice', '{"__proto__": 1, "__proto__": 2}', 17],
  [
    'one level too many',
    '['.repeat(limits.bodyDepth + 1) + ']'.repeat(limits.bodyDepth + 1),
    limits.bodyDepth,
  ],
  [
    'objects one level too many',
    `${'{"a":'.repeat(limits.bodyDepth + 1)}1${'}'.repeat(limits.bodyDepth + 1)}`,
    limits.bodyDepth * 5,
  ],
  ['100,000 levels', '['.repeat(100_000), limits.bodyDepth],
];

/** Bytes that are not UTF-8. */
const malformedBytes: readonly [what: string, bytes: readonly number[]][] = [
  ['Latin-1', [0xe9]],
  ['a continuation alone', [0x80]],
  ['a sequence cut short', [0xe2, 0x82]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['a surrogate as bytes', [0xed, 0xa0, 0x80]],
  ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ['a byte that UTF-8 never has', [0xff]],
];

/** JSON that is not an object. */
const otherValues = ['null', 'true', '0', '"x"', '[]', '[{}]', '1e308', '['.repeat(32) + ']'.repeat(32)];

/** Names of members that every object of JavaScript has, and the empty one. */
const specialNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''];

/** Codings of a body, the last two of a body that is not encoded at all. */
const codings: readonly [coding: string, encode: (text: string) => string | Buffer][] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip', (text) => text],
  ['nonsense', (text) => text],
];

for (const [index, operation] of withBody.entries()) {
  test(`${operation.operationId}: anything but strict JSON is malformed, with its position`, () =>
    changesNothing(tables, async () => {
      for (const [what, text, position] of casesFor(index, malformedTexts)) {
        const response = await attempt(world, operation, { rawBody: text });
        expectProblem(response, 400, 'malformed_json', what);
        assert.equal(response.json.position, position, `${what}: ${response.text}`);
        const before = text.slice(0, position).split('\n');
        assert.equal(response.json.line, before.length, what);
        assert.equal(response.json.column, (before.at(-1)?.length ?? 0) + 1, what);
      }
    }));

  test(`${operation.operationId}: invalid UTF-8 is malformed`, () =>
    changesNothing(tables, async () => {
      for (const [what, bytes] of casesFor(index, malformedBytes)) {
        const rawBody = Buffer.concat([Buffer.from('{"a": "'), Buffer.from(bytes), Buffer.from('"}')]);
        const response = await attempt(world, operation, { rawBody });
        expectProblem(response, 400, 'malformed_json', what);
        assert.equal(response.json.position, 7, `${what}: ${response.text}`);
      }
      const utf16 = Buffer.from(JSON.stringify(bodyOf(operation, world.ids)), 'utf16le');
      expectProblem(await attempt(world, operation, { rawBody: utf16 }), 400, 'malformed_json', 'UTF-16');
    }));

  test(`${operation.operationId}: JSON that is not an object is invalid`, () =>
    changesNothing(tables, async () => {
      for (const rawBody of casesFor(index, otherValues)) {
        const response = await attempt(world, operation, { rawBody });
        expectProblem(response, 422, 'validation_failed', rawBody);
        assert.equal(response.json.errors[0].pointer, '', rawBody);
      }
    }));

  test(`${operation.operationId}: names with a special meaning in JavaScript are unknown fields`, () =>
    changesNothing(tables, async () => {
      for (const name of casesFor(index, specialNames)) {
        const fields = JSON.stringify(bodyOf(operation, world.ids)).slice(1);
        const rawBody = `{${JSON.stringify(name)}: {"polluted": true}, ${fields}`;
        const response = await attempt(world, operation, { rawBody });
        expectProblem(response, 422, 'unknown_field', name);
        assert.equal(response.json.errors[0].pointer, `/${name}`);
      }
      assert.equal('polluted' in {}, false);
    }));

  test(`${operation.operationId}: of very many faults, the first hundred are reported`, () =>
    changesNothing(tables, async () => {
      const fields = Array.from({ length: amount(5_000, 50_000) }, (_, place) => `"nonsense${place}":1`);
      const response = await attempt(world, operation, { rawBody: `{${fields.join()}}` });
      assert.equal(response.status, 422);
      assert.equal(response.json.errors.length, 100);
    }));

  test(`${operation.operationId}: a body of the maximum size is accepted, one more byte is refused`, async () => {
    const ids = await freshIds(world, operation);
    const text = JSON.stringify(bodyOf(operation, ids));
    const largest = text + ' '.repeat(limits.bodyBytes - Buffer.byteLength(text));
    await changesNothing(tables, async () => {
      expectProblem(await attempt(world, operation, { ids, rawBody: `${largest} ` }), 413, 'body_too_large');
      expectProblem(
        await attempt(world, operation, { ids, rawBody: Buffer.alloc(5 * limits.bodyBytes, 'x') }),
        413,
        'body_too_large',
      );
    });
    const accepted = await attempt(world, operation, { ids, rawBody: largest });
    assert.ok(isSuccess(accepted), accepted.text);
  });

  test(`${operation.operationId}: a body of another type is refused`, async () => {
    const mediaTypes: readonly string[] = operation.body?.mediaTypes ?? [];
    const ids = await freshIds(world, operation);
    const others = [
      'text/plain',
      'text/xml',
      'text/json',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'application/json-patch+json',
      'application/vnd.api+json',
      'multipart/form-data; boundary=x',
      'application/json, text/plain',
      'nonsense',
      ...['application/merge-patch+json'].filter((type) => !mediaTypes.includes(type)),
    ];
    await changesNothing(tables, async () => {
      for (const type of casesFor(index, others)) {
        const refused = await sendTyped(operation, ids, type);
        expectProblem(refused, 415, 'unsupported_media_type', type);
      }
      expectProblem(await sendTyped(operation, ids, null), 415, 'unsupported_media_type', 'no type');
    });
    for (const type of mediaTypes) {
      const spellings = [type, type.toUpperCase(), `${type}; charset=utf-8`, `${type};charset="UTF-8"`];
      for (const spelling of casesFor(index, spellings)) {
        const accepted = await sendTyped(operation, ids, spelling);
        assert.ok(isSuccess(accepted), `${spelling}: ${accepted.text}`);
      }
    }
  });

  test(`${operation.operationId}: a compressed body is refused`, () =>
    changesNothing(tables, async () => {
      const text = JSON.stringify(bodyOf(operation, world.ids));
      for (const [coding, encode] of casesFor(index, codings)) {
        const headers = { 'content-encoding': coding };
        const refused = await attempt(world, operation, { rawBody: encode(text), headers });
        expectProblem(refused, 415, 'unsupported_media_type', coding);
      }
    }));
}

/** Sends the right body under a type, or under none. */
async function sendTyped(operation: Operation, ids: Ids, type: string | null): Promise<TestResponse> {
  const body = JSON.stringify(bodyOf(operation, ids));
  if (type !== null) {
    return attempt(world, operation, { ids, rawBody: body, headers: { 'content-type': type } });
  }
  // `fetch` would add a Content-Type.
  const headers = { authorization: `Bearer ${world.token}`, 'idempotency-key': 'untyped' };
  return sendRaw(server.url, { method: operation.method, path: pathOf(operation, ids), headers, body });
}

test('a body without Content-Length is limited while it arrives', () =>
  changesNothing(tables, async () => {
    const [operation] = withBody;
    assert.ok(operation);
    const response = await fetch(`${server.url}${operation.path}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${world.token}`,
        'idempotency-key': 'chunked',
        'content-type': 'application/json',
      },
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(Buffer.alloc(65_536, ' '));
        },
      }),
      duplex: 'half',
    }).catch((error: unknown) => error);
    // The server responds and closes while the body is still being sent; the client may see only the latter.
    if (response instanceof Response) assert.equal(response.status, 413);
    else assert.ok(response instanceof TypeError);
  }));

test('afterwards the server works as before', async () => {
  for (const operation of withBody) {
    const response = await attempt(world, operation, { ids: await freshIds(world, operation) });
    assert.ok(isSuccess(response), response.text);
  }
});
