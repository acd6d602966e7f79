/**
 * Tests of the OpenAPI document of the sandbox: it is a valid 3.0.1 document with everything that the specification
 * gives.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sandboxErrors } from '@trellis/server/features/sandbox/errors.ts';
import { buildSandboxDocument } from '@trellis/server/features/sandbox/http/document.ts';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lintWithRedocly, lintWithSpectral } from '../support/linters.ts';
import { runCommand } from '../support/program.ts';
import type { Json } from '../support/server.ts';
import { createSchemaValidator } from '../support/validate-response.ts';

const document: Json = JSON.parse(JSON.stringify(buildSandboxDocument('https://trellis.test/sandbox')));

test('it conforms to the schema that the OpenAPI Initiative publishes for 3.0', () => {
  // Published as https://spec.openapis.org/oas/3.0/schema/2019-04-02; a linter brings it along.
  const rulesets = new URL('../../node_modules/@stoplight/spectral-rulesets/', import.meta.url);
  const schema = JSON.parse(readFileSync(new URL('dist/oas/schemas/oas/v3.0.json', rulesets), 'utf8'));
  const ajv = new Ajv.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  const isValid: boolean = validate(document);
  assert.ok(isValid, JSON.stringify(validate.errors, null, 2));
  const { responses: _lost, ...operation } = document.paths['/plants'].get;
  assert.ok(!validate({ ...document, paths: { '/plants': { get: operation } } }));
});

for (const address of ['http://localhost:3000/sandbox', 'https://trellis.test/sandbox']) {
  test(`both linters find no fault at ${address}`, async () => {
    const there = buildSandboxDocument(address);
    assert.deepEqual(await lintWithRedocly(there), []);
    assert.deepEqual(await lintWithSpectral(there), []);
  });
}

test('it is OpenAPI 3.0.1, version 1.0.0, with the three specified operations and schemas', () => {
  assert.equal(document.openapi, '3.0.1');
  assert.equal(document.info.version, '1.0.0');
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  assert.deepEqual(operations.sort(), ['delete /plants/{id}', 'get /plants', 'post /plants']);
  assert.deepEqual(document.security, [{ bearerAuth: [] }]);
  const { Plant, NewPlant, Error: failure } = document.components.schemas;
  assert.deepEqual(Plant.required, ['name']);
  assert.deepEqual(Object.keys(Plant.properties), ['name', 'tag']);
  assert.equal(NewPlant.allOf[0].$ref, '#/components/schemas/Plant');
  assert.deepEqual(NewPlant.allOf[1].required, ['id']);
  assert.equal(NewPlant.allOf[1].properties.id.format, 'int64');
  assert.deepEqual(failure.required, ['error', 'message']);
  assert.equal(failure.properties.error.format, 'int32');
});

test('every failure has the error body, and every number of the catalogue is explained', () => {
  for (const item of Object.values<Json>(document.paths)) {
    for (const operation of Object.values<Json>(item)) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        if (Number(status) < 400) continue;
        assert.equal(response.content['application/json'].schema.$ref, '#/components/schemas/Error');
      }
    }
  }
  for (const { error, status } of Object.values(sandboxErrors)) {
    assert.match(document.info.description, new RegExp(`^\\| ${error} \\| ${status} \\|`, 'm'));
  }
});

test('every example is valid for its schema', () => {
  const ajv = createSchemaValidator(document);
  let checked = 0;
  const walk = (value: Json, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('example' in value) {
      const place = value.schema === undefined ? pointer : `${pointer}/schema`;
      const validate = ajv.getSchema(`document#${place}`);
      assert.ok(validate?.(value.example), `${pointer}: ${JSON.stringify(validate?.errors)}`);
      checked += 1;
    }
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'example') walk(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  walk(document, '');
  assert.ok(checked >= 10, `${checked} examples`);
});

test('the command line prints it for the address that it is served at', async () => {
  const printed = async (environment: Record<string, string>) =>
    (await runCommand(['openapi', '--sandbox'], environment)).json().servers[0].url;
  const base = { TRELLIS_BASE_URL: 'https://trellis.test' };
  assert.equal(await printed(base), 'https://trellis.test/sandbox');
  const elsewhere = 'https://plants.test/sandbox';
  assert.equal(await printed({ ...base, TRELLIS_SANDBOX_URL: elsewhere }), elsewhere);
});
