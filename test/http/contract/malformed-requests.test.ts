/**
 * Tests of malformed and ambiguous requests: they are refused in the format of the interface that was called, and their
 * connection ends.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { problemCatalogue } from '@trellis/schema/problem.ts';
import {
  firstResponse,
  openRawConnection,
  type RawResponse,
  requestHead,
  sendAndWait,
} from '../../support/connections.ts';
import { createToken } from '../../support/identities.ts';
import { changesNothing } from '../../support/refusals.ts';
import { startTestServer } from '../../support/server.ts';
import { TenantTables } from '../../support/tenant-tables.ts';

const server = await startTestServer({
  connections: { lingerMs: 300, checkIntervalMs: 50, headersTimeoutMs: 400 },
});
const tables = await TenantTables.open(server.database);
const { token: plantToken } = await createToken(server.database.worker, server.organization, server.ownerId, {
  audiences: ['sandbox'],
});
after(async () => {
  await tables.close();
  await server.close();
});

const authorization = `Authorization: Bearer ${server.token}`;
const interfaces = [
  { target: '/v1/sites', isSandbox: false },
  { target: '/sandbox/plants', isSandbox: true },
] as const;

type Code = keyof typeof problemCatalogue;

/** Expects the refusal in the form of the interface, and the announcement that the connection ends. */
function expectRefusal(response: RawResponse, isSandbox: boolean, code: Code, label: string): void {
  const { status } = problemCatalogue[code];
  const shown = `${label}: ${response.status} ${response.text}`;
  assert.equal(response.status, status, shown);
  assert.ok((response.headers.get('x-request-id') ?? '') !== '', shown);
  if (isSandbox) {
    assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/, shown);
    assert.deepEqual(Object.keys(response.json), ['error', 'message'], shown);
    assert.ok(Number.isInteger(response.json.error), shown);
    return;
  }
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json\b/, shown);
  assert.deepEqual([response.json.code, response.json.status], [code, status], shown);
  assert.equal(response.json.requestId, response.headers.get('x-request-id'), shown);
}

for (const { target, isSandbox } of interfaces) {
  const own = isSandbox ? `Authorization: Bearer ${plantToken}` : authorization;

  test(`${target}: parser errors get a response in the format of the interface`, async () => {
    const cases: [string, string, Code][] = [
      ['a header without a name', requestHead('GET', target, [own, ': x']), 'malformed_request'],
      [
        'a header folded over lines',
        requestHead('GET', target, [own, 'X-A: b\r\n  c\x00']),
        'malformed_request',
      ],
      [
        'two framings',
        `${requestHead('POST', target, [own, 'Content-Length: 5', 'Transfer-Encoding: chunked'])}0\r\n\r\n`,
        'malformed_request',
      ],
      [
        'two lengths',
        `${requestHead('POST', target, [own, 'Content-Length: 2', 'Content-Length: 3'])}{}x`,
        'malformed_request',
      ],
      [
        'a body that is chunked twice',
        `${requestHead('POST', target, [own, 'Transfer-Encoding: chunked, chunked'])}0\r\n\r\n`,
        'malformed_request',
      ],
      ['no such version', `GET ${target} HTTP/3.7\r\nHost: test\r\n\r\n`, 'malformed_request'],
      [
        'headers of 20 kB',
        requestHead('GET', target, [own, `X-A: ${'x'.repeat(20_000)}`]),
        'headers_too_large',
      ],
      [
        'a target of 20 kB',
        requestHead('GET', `${target}?a=${'x'.repeat(20_000)}`, [own]),
        'headers_too_large',
      ],
      [
        'a chunk without a size',
        `${requestHead('POST', target, [own, 'Content-Type: application/json', 'Idempotency-Key: k', 'Transfer-Encoding: chunked'])}zz\r\n`,
        'malformed_request',
      ],
    ];
    await changesNothing(tables, async () => {
      for (const [label, sent, code] of cases) {
        const response = await sendAndWait(server.url, sent);
        expectRefusal(response, isSandbox, code, label);
        assert.equal(response.headers.get('connection'), 'close', label);
        if (!isSandbox) assert.equal(response.json.instance, target, label);
      }
    });
  });

  test(`${target}: ambiguous requests are refused`, async () => {
    const write = [own, 'Content-Type: application/json', 'Idempotency-Key: two-ways'];
    const chunked = '2\r\n{}\r\n0\r\n\r\n';
    const cases: [string, string, Code][] = [
      ['no Host', `GET ${target} HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`, 'invalid_header'],
      ['two Hosts', requestHead('GET', target, ['Host: other', own, 'Connection: close']), 'invalid_header'],
      [
        'a Host with a path',
        `GET ${target} HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n`,
        'invalid_header',
      ],
      ['two Authorizations', requestHead('GET', target, [own, own, 'Connection: close']), 'invalid_header'],
      [
        'two Authorizations in other letters',
        requestHead('GET', target, [own, own.replace('Authorization', 'AUTHORIZATION'), 'Connection: close']),
        'invalid_header',
      ],
      [
        'two Content-Types',
        `${requestHead('POST', target, [...write, 'Content-Type: text/plain', 'Content-Length: 2', 'Connection: close'])}{}`,
        'invalid_header',
      ],
      ...['gzip, chunked', 'identity, chunked', 'x-unknown, chunked'].map(
        (coding): [string, string, Code] => [
          `the transfer coding ${coding}`,
          `${requestHead('POST', target, [...write, `Transfer-Encoding: ${coding}`, 'Connection: close'])}${chunked}`,
          'unsupported_transfer_coding',
        ],
      ),
      [
        'the transfer coding gzip alone',
        `${requestHead('POST', target, [...write, 'Transfer-Encoding: gzip', 'Connection: close'])}${chunked}`,
        'unsupported_transfer_coding',
      ],
      [
        '300 header lines',
        requestHead('GET', target, [
          own,
          ...Array.from({ length: 300 }, (_, index) => `X-${index}: y`),
          'Connection: close',
        ]),
        'headers_too_large',
      ],
    ];
    await changesNothing(tables, async () => {
      for (const [label, sent, code] of cases) {
        expectRefusal(await sendAndWait(server.url, sent), isSandbox, code, label);
      }
    });
  });
}

test('the transfer coding may be in upper case', async () => {
  const body = '{"name": "Chunked", "key": "chunked"}';
  const sent = requestHead('POST', '/v1/sites', [
    authorization,
    'Content-Type: application/json',
    'Idempotency-Key: chunked',
    'Transfer-Encoding: Chunked',
    'Connection: close',
  ]);
  const response = await sendAndWait(
    server.url,
    `${sent}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  assert.equal(response.status, 201, response.text);
});

test('headers that do not arrive in time get 408', async () => {
  const response = await sendAndWait(server.url, 'GET /v1/sites HTTP/1.1\r\nHost: te');
  expectRefusal(response, false, 'request_timeout', 'half a head');
});

test('malformed input after a valid request ends the connection after the valid response', async () => {
  const connection = await openRawConnection(server.url);
  connection.write(`${requestHead('GET', '/v1/sites', [authorization])}\x00\x01\r\n\r\n`);
  const { text } = await connection.closed;
  assert.equal(firstResponse(text).status, 200, text);
});

test('a valid request before one without a Host gets a response on the same connection', async () => {
  const connection = await openRawConnection(server.url);
  connection.write(requestHead('GET', '/v1/sites', [authorization]));
  connection.write(`GET /v1/sites HTTP/1.1\r\n${authorization}\r\nConnection: close\r\n\r\n`);
  const { text } = await connection.closed;
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('the response to a parser error is not sent for the previous request', async () => {
  const connection = await openRawConnection(server.url);
  connection.write(requestHead('GET', '/healthz'));
  while (!connection.received().includes('"ok"')) await new Promise((resolve) => setTimeout(resolve, 5));
  connection.write(requestHead('GET', '/sandbox/plants', [': x']));
  const { text } = await connection.closed;
  const second = firstResponse(text.slice(text.lastIndexOf('HTTP/1.1 ')));
  expectRefusal(second, true, 'malformed_request', 'the second request');
});
