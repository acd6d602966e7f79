/** The creation of clients, which also makes the publishable key of those of the kind BROWSER. */

import type { HttpContext } from '../../http/context.ts';
import type { Operation } from '../../http/operation.ts';
import { ownOperations } from '../../http/own-operations.ts';
import type { SharedOperations } from '../../http/resource-operations.ts';
import { makePublishableKey } from '../../identity/publishable-key.ts';
import type { Model } from '../../pipeline/model.ts';

export function clientOperations(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
): Readonly<Record<string, Operation>> {
  return ownOperations(context, model, shared, model.resource, {
    creation: ({ place }) => ({ values: { publishableKey: makePublishableKey(place.organizationId) } }),
    actions: {},
  });
}
