/**
 * Compiles JSON Schemas to functions, when they are needed. The console, whose policy allows no code that is made at run time, gets another
 * module in place of this one, with functions that its build has compiled (`packages/console/build/validators.ts`).
 */
import type { ValidateFunction } from 'ajv';
import { createAjv } from './ajv.ts';
import type { JsonSchema } from './body-schemas.ts';

const ajv = createAjv();

/**
 * Compiles one of our schemas.
 * @param _name by which functions that were compiled in advance are found, such as `books create`
 * @throws Error for a keyword that is unknown or does not fit the type
 */
export function compileSchema(schema: JsonSchema, _name = ''): ValidateFunction {
  return ajv.compile(schema);
}
