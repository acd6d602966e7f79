/**
 * The operations without a server, from which the generated documents, the tests and the command line build the OpenAPI
 * document.
 */

import type { HttpContext } from '../../http/context.ts';
import type { Operation } from '../../http/operation.ts';
import { createModels } from '../../resources/models.ts';
import { buildOperations } from './operations.ts';

/** All operations of the server. They can be described but not called, because they have no database. */
export function operationsWithoutServer(origin: string): readonly Operation[] {
  const context = { models: createModels() } as HttpContext;
  return buildOperations(context, () => origin);
}
