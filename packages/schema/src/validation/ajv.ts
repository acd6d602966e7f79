/** Our Ajv: strict, it neither drops, coerces nor defaults anything, and it has our formats and keywords. */
import { _, type CodeOptions } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import { countBytes } from '../values/bytes.ts';
import { formats } from './formats.ts';

/** Makes one. @param code options for writing validators as source code */
export function createAjv(code: CodeOptions = {}) {
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
    code,
  });
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts);
  ajv.addVocabulary(['x-reference', 'x-picture']);
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    error: {
      message: 'has too many bytes',
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(context) {
      const count = context.gen.scopeValue('func', { ref: countBytes, code: _`countBytes` });
      context.fail(_`${count}(${context.data}) > ${context.schemaCode}`);
    },
  });
  return ajv;
}
