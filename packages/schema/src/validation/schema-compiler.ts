/** The JSON Schema compiler: one strict Ajv, which neither drops, coerces nor defaults anything, with our formats. */
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
  // A test checks all schemas against the meta-schema, whose compilation takes longer than that of most schemas.
  meta: false,
  validateSchema: false,
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

/** Compiles one of our schemas. @throws Error for a keyword that is unknown or does not fit the type */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  return ajv.compile(schema);
}
