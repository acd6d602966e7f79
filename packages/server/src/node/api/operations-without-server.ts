/**
 * The API without a server, from which the generated documents, the tests and the command line build the OpenAPI document.
 */

import { createModels, describedFeatures } from '../../features.ts';
import type { DescribedApi } from '../../kernel/contract/described-api.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Operation } from '../../kernel/http/operation.ts';
import { buildApi } from './operations.ts';

/** The API of the server. Its operations can be described but not called, because they have no database. */
export function apiWithoutServer(origin: string): DescribedApi {
  const context = { models: createModels(), origin: () => origin } as HttpContext;
  return buildApi(context, describedFeatures);
}

/** All operations of that API. */
export function operationsWithoutServer(origin: string): readonly Operation[] {
  return apiWithoutServer(origin).operations;
}
