/** Why: the document can be written and checked where no database is: by the goldens, the tests and the command line. */
import { createModels } from '../../content/models.ts';
import type { HttpContext } from '../context.ts';
import type { Operation } from '../operation.ts';
import { buildOperations } from '../operations.ts';

/** Every operation of the server, to be described, not called: behind the handlers there is nothing. */
export function operationsWithoutServer(origin: string): readonly Operation[] {
  const context = { models: createModels() } as HttpContext;
  return buildOperations(context, () => origin);
}
