/**
 * The operations without a database, for writing and checking the document: in the goldens, the tests and the command
 * line.
 */

import type { HttpContext } from '../../http/context.ts';
import type { Operation } from '../../http/operation.ts';
import { createModels } from '../../resources/models.ts';
import { buildOperations } from './operations.ts';

/** Every operation of the server, to be described, not called: behind the handlers there is nothing. */
export function operationsWithoutServer(origin: string): readonly Operation[] {
  const context = { models: createModels() } as HttpContext;
  return buildOperations(context, () => origin);
}
