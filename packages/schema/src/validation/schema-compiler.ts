/** The schema validator: one strict Ajv that neither drops, coerces nor defaults anything, with the formats of our fields. */
import { _, type ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import type { JsonSchema } from './body-schemas.ts';
import { formats } from './formats.ts';

const ajv = new Ajv.default({
  strict: true,
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allowUnionTypes: false,
});
for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts);
ajv.addVocabulary(['x-reference']);
ajv.addKeyword({
  keyword: 'x-max-bytes',
  type: 'string',
  schemaType: 'number',
  error: {
    message: 'has too many bytes',
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  validate: (limit: number, value: string) => Buffer.byteLength(value) <= limit,
});

/** Compiles a schema of ours; a mistake in it throws at start. */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  return ajv.compile(schema);
}
