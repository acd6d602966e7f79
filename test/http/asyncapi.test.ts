/** Tests of the AsyncAPI document: it is valid, and describes what the server sends. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import specifications from '@asyncapi/specs';
import { eventTypes, testEventType } from '@trellis/schema/event-types.ts';
import { buildAsyncApi } from '@trellis/server/kernel/contract/asyncapi.ts';
import { buildOpenApi } from '@trellis/server/kernel/contract/openapi.ts';
import { apiWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { runCommand } from '../support/program.ts';
import { type Json, startTestServer } from '../support/server.ts';

const origin = 'http://localhost:3000';
const document: Json = JSON.parse(JSON.stringify(buildAsyncApi(apiWithoutServer(origin), origin)));
const server = await startTestServer();
after(() => server.close());

function validator() {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv.compile(specifications.schemasWithoutId['3.0.0'] as object);
}

test('the document conforms to the AsyncAPI schema, and the schema detects errors', () => {
  const validate = validator();
  assert.equal(validate(document), true, JSON.stringify(validate.errors?.slice(0, 5), null, 2));
  assert.equal(validate({ ...document, channels: { eventStream: { address: 7 } } }), false);
  assert.equal(validate({ ...document, operations: { streamEvents: { action: 'shout' } } }), false);
});

test('every event type is a message of both channels; the test event of webhooks only', () => {
  const types = eventTypes.map(({ type }) => type);
  const namesOf = (channel: string) =>
    Object.values<Json>(document.channels[channel].messages).map(({ name }) => name);
  assert.deepEqual(namesOf('eventStream'), types);
  assert.deepEqual(namesOf('webhookDeliveries'), [...types, testEventType]);
});

test('its schemas are those of the OpenAPI document, and every reference can be resolved', () => {
  const openApi: Json = JSON.parse(JSON.stringify(buildOpenApi(apiWithoutServer(origin), origin)));
  const { WebhookHeaders, ...schemas } = document.components.schemas;
  assert.ok(WebhookHeaders);
  for (const [name, schema] of Object.entries(schemas))
    assert.deepEqual(schema, openApi.components.schemas[name], name);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path);
  assert.ok(references.length > 0);
  for (const path of references) {
    const target = path?.split('/').reduce((inside: Json, key) => inside?.[key], document);
    assert.ok(target, path);
  }
});

test('the server returns it for any token and on its pages, and the command line prints it', async () => {
  const { status, text, headers } = await server.call('GET', '/v1/asyncapi');
  assert.equal(status, 200);
  const own = server.url.replace('127.0.0.1', 'localhost');
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(buildAsyncApi(apiWithoutServer(own), own))));
  const again = await server.call('GET', '/v1/asyncapi', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
  const copy = await fetch(`${server.url}/docs/asyncapi.json`);
  assert.equal(await copy.text(), text);
  const printed = await runCommand(['openapi', '--async'], { PORT: '3000' });
  assert.deepEqual(printed.json(), document, printed.stderr);
  assert.equal((await runCommand(['openapi', '--async', '--sandbox'])).code, 2);
});
