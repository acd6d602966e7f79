/** Schemas of bodies are valid JSON Schema 2020-12 and compile. The server compiles each for its first body only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSchema } from '@trellis/schema/validation/schema-compiler.ts';
import Ajv from 'ajv/dist/2020.js';
import { bodySchemas } from '../support/operations.ts';

const metaSchema = new Ajv.default();

for (const { operationId, schema } of bodySchemas) {
  test(`${operationId}: the schema of the body is valid and compiles`, () => {
    assert.ok(metaSchema.validateSchema(schema), metaSchema.errorsText());
    assert.doesNotThrow(() => compileSchema(schema));
  });
}

test('a schema with an unknown keyword, and one whose keyword does not fit its type, are refused', () => {
  assert.throws(() => compileSchema({ type: 'string', maxlength: 3 }), /unknown keyword/);
  assert.throws(() => compileSchema({ type: 'integer', maxLength: 3 }), /not applicable|missing type/);
  assert.equal(metaSchema.validateSchema({ type: 'string', maxLength: -1 }), false);
});
